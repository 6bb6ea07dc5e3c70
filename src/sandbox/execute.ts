/** One run of a program that was built: its files and folder go in, its account and perhaps its folder come out. */
import { UserError } from '../core/errors.ts';
import { BadArchive, decodeFolder, encodeFolder } from '../core/folder-archive.ts';
import type { Case, ExecLimits, ExecRequest, ExecResult, Executable } from '../core/sandbox.ts';
import type { StagedFile } from './backend.ts';
import { type CompileContext, runStep, stageFiles } from './compile.ts';
import type { FoundTool } from './languages/languages.ts';
import { inBox, programFile } from './layout.ts';
import { checkArguments, checkPaths, parents } from './protocol.ts';

const usualFolderBytes = 16 * 2 ** 20;

type Execution = {
  readonly executable: Executable;
  readonly request: ExecRequest;
  readonly limits: ExecLimits;
};

export async function execute(
  compileContext: CompileContext,
  { executable, request, limits }: Execution,
): Promise<Pick<ExecResult, 'run' | 'folder' | 'folderBytes'>> {
  const { found } = compileContext;
  const input = programInput(found, executable, request);
  const program = programFiles(found, executable);
  const { files, folders } = unpackProgram(request.folder ?? null, program);
  const archiveBytes = request.keepFolder ? (request.maxFolderBytes ?? usualFolderBytes) : undefined;
  const job = { ...input, files: [...files, ...program], folders, limits, archiveBytes };
  const command = found.tool.run(limits, 'none');
  const { step, archive, archiveBytes: folderBytes } = await runStep(compileContext, command, job);
  // In one order, so that equal folders are equal archives.
  return { run: step, folder: archive && encodeFolder(decodeFolder(archive)), folderBytes };
}

/** What the program is started from: the same in every run. */
export function programFiles(
  { language, tool }: FoundTool,
  { files, bytes }: Executable,
): readonly StagedFile[] {
  const program =
    tool.compile === null
      ? { path: inBox(language.sourceFile), bytes }
      : { path: programFile, bytes, executable: true };
  return [...stageFiles(files, language.sourceFile), program];
}

/** What one run gets of its own. Its files replace those of the program, but for the program itself. */
export function programInput(
  { language }: FoundTool,
  executable: Executable,
  { stdin = '', args = [], files = {} }: Omit<Case, 'name'>,
) {
  checkArguments(args);
  checkPaths([...new Set([language.sourceFile, ...Object.keys(executable.files), ...Object.keys(files)])]);
  return { args, files: stageFiles(files, language.sourceFile), stdin: Buffer.from(stdin) };
}

/** What the program needs is not hindered by what an earlier one made in its place. */
function unpackProgram(archive: Uint8Array | null, program: readonly StagedFile[]) {
  const paths = program.map(({ path }) => path);
  const claimed = new Set(paths);
  const needed = new Set(paths.flatMap(parents));
  const isFree = (path: string) => !claimed.has(path) && !parents(path).some((parent) => claimed.has(parent));
  const entries = (archive === null ? [] : decoded(archive))
    .map((entry) => ({ ...entry, path: inBox(entry.path) }))
    .filter(({ path }) => isFree(path));
  return {
    files: entries.filter((entry) => entry.type === 'file').filter(({ path }) => !needed.has(path)),
    folders: entries.filter(({ type }) => type === 'folder').map(({ path }) => path),
  };
}

function decoded(archive: Uint8Array) {
  try {
    return decodeFolder(archive);
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    throw new UserError({
      code: 'folder-archive-missing',
      what: 'This is no archive of a working folder.',
      why: error.message,
      fix: 'Hand in what an earlier run gave back as `folder`, unchanged.',
    });
  }
}
