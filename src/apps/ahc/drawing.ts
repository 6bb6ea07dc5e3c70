/**
 * What the official visualizer draws of a case, for `polya ahc vis`. The output that was kept when a program was scored tells more of that score than another run of one that looks at the clock.
 */
import { basename } from 'node:path';
import { UnavailableError, UserError } from '../../core/errors.ts';
import { decodeFolder, encodeFolder } from '../../core/folder-archive.ts';
import { caseNotFound } from '../../families/ahc/cases.ts';
import { type EvaluationContext, evaluateProgram, type Prepared } from '../../families/ahc/evaluation.ts';
import type { ProgramSource } from '../../families/ahc/judge/build.ts';
import { toolProgram } from '../../families/ahc/judge/build.ts';
import { inputHash } from '../../families/ahc/judge/evaluate.ts';
import { scoreIn } from '../../families/ahc/judge/verdict.ts';
import { layout } from '../../families/ahc/layout.ts';
import { readFresh, seedOf } from '../../families/ahc/problem/fresh.ts';
import { keptOutput } from '../../families/ahc/records/versions.ts';

/** `files` by name: `vis.html`, `out.svg`; none where nothing was drawn. `said`: all that the visualizer wrote. */
export type CaseDrawing = {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly score: number | null;
  readonly said: string;
};

/** The tool that draws. Throws `UserError` where the contest has none. */
export function visualizerOf({ tools }: Pick<Prepared['contest'], 'tools'>): string {
  const { binaries } = tools ?? {};
  const found = ['vis', 'visualizer'].find((name) => binaries?.includes(name));
  if (found) return found;
  throw new UserError({
    code: 'no-visualizer',
    what: 'This contest has no visualizer among its tools.',
    why: binaries ? `Its tools are ${binaries.join(', ')}.` : 'It has no tools at all.',
    fix: 'Look into tools/visualizer: the page of the contest may have one for the browser.',
  });
}

export async function drawCase(
  { sandbox, workspace }: Pick<EvaluationContext, 'sandbox' | 'workspace'>,
  { crate, contest }: Pick<Prepared, 'crate' | 'contest'>,
  texts: { readonly input: string; readonly output: string },
  signal: AbortSignal,
): Promise<CaseDrawing> {
  const files = { 'input.txt': texts.input, 'output.txt': texts.output };
  const input = Object.entries(files).map(([path, text]) => {
    return { type: 'file' as const, path, executable: false, bytes: new TextEncoder().encode(text) };
  });
  const { run, compile, folder } = await sandbox.exec(
    {
      ...toolProgram(crate ?? {}, visualizerOf(contest)),
      args: Object.keys(files),
      folder: encodeFolder(input),
      keepFolder: true,
      maxFolderBytes: 256 * 1024 * 1024,
      limits: { wallMs: 60_000, cpuMs: 60_000 },
    },
    signal,
  );
  signal.throwIfAborted();
  if (!run) {
    throw new UnavailableError({
      code: 'visualizer-broken',
      what: 'The visualizer does not build here.',
      why: compile?.digest ?? '',
      fix: `Run \`polya ahc init ${workspace.id}\` again.`,
    });
  }
  const texted = [run.stdout.text, run.stderr.text].map((text) => text.trim());
  const said = texted.filter(Boolean).join('\n');
  const created = (folder ? decodeFolder(folder) : []).flatMap((entry) =>
    entry.type === 'file' && drawn.test(entry.path) && !Object.hasOwn(crate ?? {}, entry.path)
      ? [[basename(entry.path), entry.bytes] as const]
      : [],
  );
  return { files: Object.fromEntries(created), score: scoreIn(said), said };
}

const drawn = /^\P{C}+\.(html?|svg|png|gif)$/iu;

type DrawnCase = { readonly program: ProgramSource; readonly name: string };

export type ProgramDrawing = CaseDrawing & { readonly isKept: boolean };

/** From the output that was kept when the program was scored (`isKept`), else from a new run, which no record remembers. */
export async function drawProgram(
  context: EvaluationContext,
  prepared: Prepared,
  { program, name }: DrawnCase,
  signal: AbortSignal,
): Promise<ProgramDrawing> {
  const { inputs } = prepared;
  const { folder } = context.workspace;
  const known = [...inputs.names, ...inputs.made];
  if (!known.includes(name) && seedOf(name) === null)
    throw caseNotFound(`There is no case ${name}.`, known, 'Name one of them.');
  const read = () => (known.includes(name) ? inputs.read(name) : readFresh(folder, name));
  const input = await read();
  const hash = context.hashText(program.source);
  const kept =
    (await folder.read(`${layout.sessionOutputs}/${hash}/${name}.out`)) ??
    (await keptOutput(folder, hash, { name, input: inputHash(context.hashText, input) }));
  const output = kept ?? (await outputOf(context, prepared, { program, name, read }, signal));
  return { ...(await drawCase(context, prepared, { input, output }, signal)), isKept: kept !== null };
}

async function outputOf(
  context: EvaluationContext,
  { contest, crate, features }: Prepared,
  { program, name, read }: DrawnCase & { readonly read: () => Promise<string> },
  signal: AbortSignal,
): Promise<string> {
  let output = '';
  const outputs = { add: async () => undefined };
  const work = { ...context, ...program, contest, crate, features, names: [name], read, outputs, jobs: 1 };
  const { compiled, compile } = await evaluateProgram(
    work,
    (_judged, texts) => {
      output = texts.output;
    },
    signal,
  );
  signal.throwIfAborted();
  if (compiled) return output;
  throw new UserError({
    code: 'program-does-not-compile',
    what: 'This program does not compile.',
    why: compile?.digest ?? '',
    fix: 'Correct it, or choose another.',
  });
}
