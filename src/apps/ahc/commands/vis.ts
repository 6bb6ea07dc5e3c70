/** `polya ahc vis`: what the official visualizer draws of a case, from the output that was scored or from a new one. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/exec/interruption.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Candidate, Desk, Prepared } from '../../../families/ahc/evaluation.ts';
import type { Version } from '../../../families/ahc/records/versions.ts';
import { harmless, harmlessJson } from '../../../text/format.ts';
import { findCandidate } from '../candidate.ts';
import { type IncludeOption, includeOption, openDesk, runningOptions } from '../desk.ts';
import type { AhcWorkbench } from '../load/workbench.ts';
import { scoreText } from '../words.ts';
import { type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions &
  IncludeOption & {
    readonly vs?: string;
    readonly program?: string;
    readonly out?: string;
    readonly open?: boolean;
    readonly force: boolean;
  };

export const ahcVis: CommandFile = {
  define(command: Command) {
    command
      .argument('<case>', 'its name: 0007, or 7')
      .argument('[file]', 'the C++ program (default: the version that was evaluated last)')
      .option('--vs <version>', 'draw this version (v3) as well')
      .option('-o, --out <file>', 'where to write the picture (default: in .ahc/vis of the workspace)')
      .option('--open', 'open it in the browser')
      .option('--force', 'replace a file that exists', false);
    workspaceOptions(includeOption(runningOptions(command)));
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [asked, file] = command.processedArgs as [string, string?];
    if (options.out !== undefined && options.vs !== undefined) {
      throw new UserError({
        code: 'vs-makes-two-pictures-out',
        what: '--vs makes two pictures, and --out names one.',
        fix: 'Leave one of the two out.',
      });
    }
    const { ahc, desk } = await openDesk(shell, command);
    const prepared = await ahc.prepare(desk, {});
    const binary = ahc.visualizerOf(prepared.contest.tools?.binaries);
    const job = {
      shell,
      ahc,
      desk,
      prepared,
      binary,
      name: ahc.oneCase(prepared.inputs.names, asked),
      options,
    };
    const programs = [
      await programOf(job, file),
      ...(options.vs === undefined ? [] : [await versionOf(job, options.vs)]),
    ];
    return interruptibly(shell, async (signal) => {
      const pictures: Picture[] = [];
      for (const program of programs) pictures.push(await pictureOf(job, program, signal));
      if (options.json) shell.out.write(`${harmlessJson({ case: job.name, pictures }, 2)}\n`);
      else for (const picture of pictures) tell(shell, job.name, picture);
      if (options.open) for (const { files } of pictures) await openAll(shell, files);
      return pictures.every(({ files }) => files.length > 0) ? exitCodes.ok : exitCodes.unsolved;
    });
  },
};

type Job = {
  readonly shell: Shell;
  readonly ahc: AhcWorkbench;
  readonly desk: Desk;
  readonly prepared: Prepared;
  readonly binary: string;
  readonly name: string;
  readonly options: Options;
};

/** `version` is null for a program that was not evaluated yet. */
type Program = { readonly version: Version | null; readonly candidate: Candidate };

type Picture = {
  readonly version: string;
  readonly files: readonly string[];
  readonly score: number | null;
  readonly said: string;
  /** The output was kept when it was scored; else the program was run for this picture. */
  readonly isKept: boolean;
};

async function programOf(job: Job, file: string | undefined): Promise<Program> {
  const { shell, ahc, desk, options } = job;
  if (file === undefined) return versionOf(job, 'last');
  const found = findCandidate(shell, {
    ahc,
    desk,
    file,
    ...(options.include ? { include: options.include } : {}),
  });
  const hash = desk.hashText(found.source);
  const version = (await ahc.readVersions(desk.workspace.folder)).find(({ source }) => source === hash);
  return { version: version ?? null, candidate: found };
}

async function versionOf({ ahc, desk }: Job, name: string): Promise<Program> {
  const { folder } = desk.workspace;
  const version = await ahc.findVersion(folder, name);
  const source = await ahc.readSource(folder, version);
  if (source === null) {
    throw new UserError({
      code: 'source-gone-from',
      what: `The source of ${version.name} is gone from ${ahc.layout.versions}.`,
      fix: 'Name another version, or the file.',
    });
  }
  return { version, candidate: { file: version.file, source } };
}

async function pictureOf(job: Job, program: Program, signal: AbortSignal): Promise<Picture> {
  const { shell, ahc, desk, prepared, binary, name, options } = job;
  const input = await prepared.inputs.read(name);
  const { output, version, isKept } = await outputOf(job, program, input, signal);
  const drawing = await ahc.draw(
    desk.sandbox,
    { crate: prepared.crate ?? {}, binary, input, output },
    signal,
  );
  if ('digest' in drawing)
    throw new UnavailableError({
      code: 'visualizer-does-not-build-here',
      what: 'The visualizer does not build here.',
      why: drawing.digest,
      fix: `Run \`polya ahc init ${desk.workspace.id}\` again.`,
    });
  const files: string[] = [];
  for (const [made, bytes] of Object.entries(drawing.files)) {
    const path =
      options.out === undefined
        ? join(desk.workspace.folder.path, ahc.layout.drawings, `${name}-${version}-${made}`)
        : resolve(shell.folder, options.out);
    writeFiles([{ path, text: bytes }], { force: options.force || options.out === undefined });
    files.push(path);
    if (options.out !== undefined) break;
  }
  return { version, files, score: drawing.score, said: drawing.said, isKept };
}

type Output = { readonly output: string; readonly version: string; readonly isKept: boolean };

/** The output that was scored tells more of that score than another run of a program that looks at the clock. */
async function outputOf(
  job: Job,
  { version, candidate }: Program,
  input: string,
  signal: AbortSignal,
): Promise<Output> {
  const { ahc, desk, prepared, name } = job;
  const key = { name, input: ahc.inputHash(desk.hashText, input) };
  const kept = version && (await ahc.keptOutput(desk.workspace.folder, version.source, key));
  if (version && kept !== null) return { output: kept, version: version.name, isKept: true };
  const one = { ...prepared, names: [name] };
  let output = '';
  const watcher = {
    onCase: (done: { readonly output: string }) => {
      output = done.output;
    },
  };
  const {
    compiled,
    compile,
    version: made,
  } = await ahc.testProgram(desk, { prepared: one, candidate, jobs: 1 }, watcher, signal);
  if (compiled) return { output, version: made.name, isKept: false };
  throw new UserError({
    code: 'does-not-compile',
    what: `${candidate.file} does not compile.`,
    why: compile?.digest ?? '',
    fix: 'Correct it, or name another version with --vs.',
  });
}

function tell(shell: Shell, name: string, { version, files, score, said, isKept }: Picture): void {
  const from = isKept ? 'the output that was scored' : 'a new run';
  shell.err.write(`${version}, case ${name}, ${from}: score ${scoreText(score)}\n`);
  if (files.length === 0)
    shell.err.write(`${shell.err.paint('bad', 'Nothing was drawn.')}\n${harmless(said)}\n`);
  for (const file of files) shell.out.write(`${file}\n`);
}

/** Pictures are of the tools' making; they are opened only when their user says so. */
async function openAll(shell: Shell, files: readonly string[]): Promise<void> {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  for (const file of files) {
    const code = await shell.spawn([opener, file]);
    if (code !== 0) shell.err.write(`It could not be opened with ${opener}; open it yourself: ${file}\n`);
  }
}
