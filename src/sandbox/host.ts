/**
 * What finding a toolchain may do on a machine: ask it something inside a sandbox, put its files where sandboxes can
 * read them, make new ones. Answers are kept in the staging folder, so that a start of Polya starts no compiler.
 */
import { chmod, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import type { Backend } from './backend.ts';
import type { Host, MakeFile, Step } from './languages/language.ts';
import { inBox } from './layout.ts';
import { defaultAskLimits, defaultMakeLimits } from './limits.ts';
import { runOnce } from './run-once.ts';
import { digest, linkOnce, makeOnce } from './staged-file.ts';

const never = new AbortController().signal;

export function createHost(backend: Backend): Host {
  const { folder } = backend;
  return {
    answer: (step, files) => keptAnswer(backend, step, files),
    fileState: (path) => backend.fileState(path),
    stageFolder: (name, files) => stageFolder(join(folder, name), files),
    stageFiles: (name, files) => stageFiles(join(folder, name), files),
    async makeFile(path, job, signal) {
      if (backend.sharesFiles === false) throw new Error('Nobody there would see it.');
      await makeOnce(path, (draft) => make(backend, draft, { job, signal }));
      if (job.replaces !== undefined) await removeOthers(path, job.replaces);
    },
  };
}

async function keptAnswer(backend: Backend, step: Step, files: readonly string[]): Promise<string | null> {
  const states = await Promise.all(files.map((path) => backend.fileState(path)));
  if (states.includes(null)) return null;
  const path = join(backend.folder, 'answers', digest([JSON.stringify([step, states])]));
  const kept = await readFile(path, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const answer = await ask(backend, step);
  if (answer === null) return null;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await makeOnce(path, (draft) => writeFile(draft, answer));
  return answer;
}

/** Of a file of this machine: changes whenever it is replaced; null where there is none. */
export async function hostFileState(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    const { mtimeMs, ctimeMs, size } = await stat(real);
    return [real, mtimeMs, ctimeMs, size].join(' ');
  } catch {
    return null;
  }
}

async function ask(backend: Backend, { command, mounts = [] }: Step): Promise<string | null> {
  const job = { command, files: [], stdin: null, collectPath: null, limits: defaultAskLimits };
  try {
    const { step } = await runOnce(backend, { job, mounts }, never);
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

async function stageFiles(path: string, files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  for (const [name, bytes] of Object.entries(files)) {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await makeOnce(file, (draft) => writeFile(draft, bytes, { mode: 0o444 }));
  }
  return path;
}

/** What a cell still reads stays there for it, although it has no name any more. */
async function removeOthers(path: string, beginning: string): Promise<void> {
  const folder = dirname(path);
  const others = (await readdir(folder)).filter(
    (name) => name.startsWith(beginning) && !name.startsWith(basename(path)),
  );
  for (const name of others) await rm(join(folder, name), { force: true });
}

type Making = { readonly job: MakeFile; readonly signal: AbortSignal };

async function make(backend: Backend, draft: string, { job, signal }: Making): Promise<void> {
  const { source, command, mounts = [], collectPath } = job;
  const files = source === undefined ? [] : [{ path: inBox(source.name), bytes: Buffer.from(source.text) }];
  const making = { command, files, stdin: null, collectPath, limits: defaultMakeLimits };
  const { step, collected } = await runOnce(backend, { job: making, mounts }, signal);
  if (collected === null) throw new Error(`${command[0]} did not make ${collectPath}: ${step.stderr.text}`);
  await writeFile(draft, collected, { mode: 0o444 });
}
