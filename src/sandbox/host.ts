/**
 * What finding a toolchain may do on a machine: ask it something inside a sandbox, put its files where sandboxes can
 * read them, make new ones. Answers are kept in the staging folder, so that a start of Polya starts no compiler.
 */
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import { type Host, inBox, type MakeFile, type Step } from './languages/language.ts';
import { launch } from './launch.ts';
import { defaultMakeLimits, defaultRunLimits } from './limits.ts';
import type { Machine } from './machine.ts';
import { digest, linkOnce, makeOnce } from './staged-file.ts';

const never = new AbortController().signal;

export function createHost(machine: Machine): Host {
  const { folder } = machine.staging;
  return {
    answer: (step, files) => keptAnswer(folder, { step, files, ask: () => ask(machine, step) }),
    stageFolder: (name, files) => stageFolder(join(folder, name), files),
    makeFile: (path, job, signal) => makeOnce(path, (draft) => make(machine, draft, { job, signal })),
  };
}

type Question = {
  readonly step: Step;
  readonly files: readonly string[];
  ask(): Promise<string | null>;
};

async function keptAnswer(folder: string, { step, files, ask }: Question): Promise<string | null> {
  const states = await Promise.all(files.map(stateOf));
  if (states.includes(null)) return null;
  const path = join(folder, 'answers', digest([JSON.stringify([step, states])]));
  const kept = await readFile(path, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const answer = await ask();
  if (answer === null) return null;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await makeOnce(path, (draft) => writeFile(draft, answer));
  return answer;
}

/** Changes whenever the file is replaced; null where there is none. */
async function stateOf(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    const { mtimeMs, ctimeMs, size } = await stat(real);
    return [real, mtimeMs, ctimeMs, size].join(' ');
  } catch {
    return null;
  }
}

async function ask(machine: Machine, { command, mounts = [] }: Step): Promise<string | null> {
  const job = { command, mounts, files: [], stdin: null, collectPath: null, limits: defaultRunLimits };
  try {
    const { step } = await launch(machine, job, never);
    return step.verdict === 'ok' ? step.stdout.text : null;
  } catch (error) {
    // What does not exist inside cannot be started there; another candidate may.
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

async function stageFolder(path: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
  for (const [name, source] of Object.entries(files)) await linkOnce(source, join(path, basename(name)));
  return path;
}

type Making = { readonly job: MakeFile; readonly signal: AbortSignal };

async function make(machine: Machine, draft: string, { job, signal }: Making): Promise<void> {
  const { source, command, mounts = [], collectPath } = job;
  const files = [{ path: inBox(source.name), bytes: Buffer.from(source.text) }];
  const { step, collected } = await launch(
    machine,
    { command, mounts, files, stdin: null, collectPath, limits: defaultMakeLimits },
    signal,
  );
  if (collected === null) throw new Error(`${command[0]} did not make ${collectPath}: ${step.stderr.text}`);
  await writeFile(draft, collected, { mode: 0o444 });
}
