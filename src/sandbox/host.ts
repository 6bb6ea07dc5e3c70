/** What finding a toolchain may do on a machine. Answers are kept, so that a start of Polya starts no compiler. */
import { chmod, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import type { Backend, Job, Mount } from './backend.ts';
import type { Host } from './languages/language.ts';
import { inBox } from './layout.ts';
import { defaultAskLimits, defaultMakeLimits } from './limits.ts';
import { runOnce } from './run-once.ts';
import { digest, linkOnce, makeOnce } from './staged-file.ts';

export function createHost(backend: Backend): Host {
  const { folder, fileState } = backend;
  return {
    env: process.env,
    async answer(step, files) {
      const states = await Promise.all(files.map((path) => fileState(path)));
      if (states.includes(null)) return null;
      const { command, mounts } = step;
      return keptAnswer(folder, digest([JSON.stringify([step, states])]), async () => {
        const printed = await answerOf(backend, { command, limits: defaultAskLimits }, mounts);
        return printed?.verdict === 'ok' ? printed.stdout.text : null;
      });
    },
    fileState: (path) => fileState(path),
    async stageFolder(name, files) {
      const path = join(folder, name);
      await mkdir(path, { recursive: true });
      await chmod(path, 0o755);
      for (const [file, source] of Object.entries(files)) await linkOnce(source, join(path, basename(file)));
      return path;
    },
    shareFolder: async (source, parts) =>
      process.getuid?.() !== 0 || (await isOpenToAll(source)) ? source : linkedTree(folder, source, parts),
    async stageFiles(name, files) {
      for (const [path, bytes] of Object.entries(files)) {
        const file = join(folder, name, path);
        await mkdir(dirname(file), { recursive: true, mode: 0o755 });
        await makeOnce(file, (draft) => writeFile(draft, bytes, { mode: 0o444 }));
      }
      return join(folder, name);
    },
    async makeFile(path, { source, command, mounts, collectPath, replaces }, signal) {
      if (backend.sharesFiles === false) throw new Error('Nobody there would see it.');
      const files = source && [{ path: inBox(source.name), bytes: Buffer.from(source.text) }];
      const job = { command, files, collectPath, limits: defaultMakeLimits };
      await makeOnce(path, async (draft) => {
        const { step, collected } = await runOnce(backend, { job, mounts }, signal);
        const { text } = step.stderr;
        if (collected === null) throw new Error(`${command[0]} did not make ${collectPath}: ${text}`);
        await writeFile(draft, collected, { mode: 0o444 });
      });
      if (replaces !== undefined) await removeOthers(path, replaces);
    },
  };
}

/** Cells of root have users of their own, who cannot walk through a closed folder such as /root. */
async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

/** Made whole before it has its name. Its name changes with the folder, and earlier ones of that folder are removed. */
async function linkedTree(staging: string, source: string, parts: readonly string[]): Promise<string> {
  const states = await Promise.all(parts.map((part) => hostFileState(join(source, part))));
  const prefix = `shared-${basename(source)}-${digest([source]).slice(0, 8)}-`;
  const path = join(staging, `${prefix}${digest([JSON.stringify(states)])}`);
  const created = makeOnce(path, async (draft) => {
    for (const part of parts) await linkTree(join(source, part), join(draft, part));
    await chmod(draft, 0o755);
  });
  // Another process may have been first: what it made is the same.
  await created.catch(async (error: unknown) => {
    if ((await hostFileState(path)) === null) throw error;
  });
  await removeOthers(path, prefix);
  return path;
}

async function linkTree(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await chmod(target, 0o755);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) await linkTree(from, to);
    else if (entry.isFile()) await linkOnce(from, to);
  }
}

/**
 * What was found out before under this name, else what is found out now; an answer of null is not kept. One for which
 * there is no room is found out again: the copy of another toolchain may fill the disk for a moment.
 */
export async function keptAnswer(
  stagingFolder: string,
  name: string,
  findOut: () => Promise<string | null>,
): Promise<string | null> {
  const path = join(stagingFolder, 'answers', name);
  const kept = await readFile(path, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const answer = await findOut();
  if (answer === null) return null;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await makeOnce(path, (draft) => writeFile(draft, answer));
  } catch {
    // It is only slower without.
  }
  return answer;
}

/** Null where it cannot be started: what does not exist inside is no reason to give up, another candidate may. */
export async function answerOf(backend: Pick<Backend, 'openCell'>, job: Job, mounts?: readonly Mount[]) {
  try {
    return (await runOnce(backend, { job, mounts })).step;
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
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

/** What a cell still reads stays there for it, although it has no name any more. */
async function removeOthers(path: string, prefix: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix) || name.startsWith(basename(path))) continue;
    await rm(join(dirname(path), name), { force: true, recursive: true });
  }
}
