/** `polya ahc vis`: what the official visualizer draws of a case, from the output that was scored or from a new one. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { caseNotFound } from '../../../families/ahc/cases.ts';
import {
  type EvaluationContext,
  type NamedSource,
  type Prepared,
  prepare,
} from '../../../families/ahc/evaluation.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { findVersion, readSource, readVersions } from '../../../families/ahc/records/versions.ts';
import { drawProgram, visualizerOf } from '../drawing.ts';
import { type IncludeOption, includeOption, openContext, runningOptions } from '../evaluation-context.ts';
import { scoreText } from '../words.ts';
import { findProgram, projectFiles } from '../workspace/program.ts';
import { tellJson, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type VisOptions = WorkspaceOptions &
  IncludeOption & {
    readonly program?: string;
    readonly out?: string;
    readonly force: boolean;
  };

export const ahcVis: CommandFile = {
  define(command: Command) {
    command
      .argument('<case>', 'its name: 0007, or 7')
      .argument('[file]', 'the program (default: the version that was evaluated last)')
      .option('-o, --out <file>', 'where to write the picture (default: in .ahc/vis of the workspace)')
      .option('--force', 'replace a file that exists', false);
    workspaceOptions(includeOption(runningOptions(command)));
  },
  async run(shell, command) {
    const options = command.opts<VisOptions>();
    const [question, file] = command.processedArgs as [string, string?];
    const context = openContext(shell, command);
    const prepared = await prepare(context.workspace);
    visualizerOf(prepared.contest);
    const name = oneCase([...prepared.inputs.names, ...prepared.inputs.made], question);
    const job = { shell, context, prepared, name, options };
    const program = await programOf(job, file);
    return interruptibly(shell, async (signal) => {
      const picture = await draw(job, program, signal);
      if (options.json) tellJson(shell, { case: name, ...picture });
      else tell(shell, name, picture);
      return picture.files.length > 0 ? exitCodes.ok : exitCodes.unsolved;
    });
  },
};

type DrawingJob = {
  readonly shell: Shell;
  readonly context: EvaluationContext;
  readonly prepared: Prepared;
  readonly name: string;
  readonly options: VisOptions;
};

type DrawnProgram = NamedSource & {
  /** `new` for a program that was not evaluated yet. */
  readonly version: string;
};

async function programOf(job: DrawingJob, file: string | undefined): Promise<DrawnProgram> {
  const { shell, context, options } = job;
  if (file === undefined) return lastVersion(job);
  const { workspace } = context;
  const found = findProgram(shell, { workspace, file, include: options.include });
  const hash = context.hashText(found.source);
  const version = (await readVersions(workspace.folder)).find(({ source }) => source === hash);
  return { ...found, version: version?.name ?? 'new' };
}

async function lastVersion({ context }: DrawingJob): Promise<DrawnProgram> {
  const { folder } = context.workspace;
  const version = await findVersion(folder, 'last');
  const source = await readSource(folder, version);
  if (source === null) {
    const what = `The source of ${version.name} is gone from ${layout.versions}.`;
    throw new UserError({ code: 'source-lost', what, fix: 'Name the file.' });
  }
  const { file, language } = version;
  const files = language === 'rust' ? projectFiles(resolve(folder.path, file)) : undefined;
  return { version: version.name, file, source, language, files };
}

type Picture = Awaited<ReturnType<typeof draw>>;

async function draw(job: DrawingJob, program: DrawnProgram, signal: AbortSignal) {
  const { shell, context, prepared, name, options } = job;
  const { version } = program;
  const { files, score, said, isKept } = await drawProgram(context, prepared, { program, name }, signal);
  const { out, force } = options;
  const folder = join(context.workspace.folder.path, layout.drawings);
  const outputs = Object.entries(files)
    .slice(0, out === undefined ? undefined : 1)
    .map(([file, bytes]) => ({
      path: out === undefined ? join(folder, `${name}-${version}-${file}`) : resolve(shell.folder, out),
      text: bytes,
    }));
  for (const each of outputs) writeFiles([each], { force: force || out === undefined });
  return { version, files: outputs.map(({ path }) => path), score, said, isKept };
}

function tell(shell: Shell, name: string, { version, files, score, said, isKept }: Picture): void {
  const from = isKept ? 'the output that was scored' : 'a new run';
  shell.err.write(`${version}, case ${name}, ${from}: score ${scoreText(score)}\n`);
  if (files.length === 0) shell.err.write(`${shell.err.paint('bad', 'Nothing was drawn.')}\n${said}\n`);
  for (const file of files) shell.out.write(`${file}\n`);
}

/** A case by its name, also without its zeros. Throws `UserError` where there is none. */
function oneCase(names: readonly string[], question: string): string {
  const found = names.find(
    (name) => name === question || (/^\d+$/.test(question) && Number(name) === Number(question)),
  );
  if (found !== undefined) return found;
  throw caseNotFound(`There is no case ${question}.`, names, 'Name one of them.');
}
