/**
 * What of this machine a sandbox is made of: bubblewrap, our staging folder, the layout of the system's folders.
 * It looks and stages, but runs nothing; whether a sandbox can be had is tried in bubblewrap.ts.
 */
import { execFile } from 'node:child_process';
import { lstat, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { UnavailableError } from '../core/errors.ts';
import type { View } from './arguments.ts';
import type { CgroupPlan } from './cgroup.ts';
import { findExecutable, isAtLeast, pathFolders } from './executables.ts';
import { installHint } from './needs.ts';
import { isFilterArch } from './seccomp.ts';
import { type Staging, stageInFirst } from './staging.ts';

export type Machine = {
  readonly bwrap: string;
  readonly version: string;
  readonly staging: Staging;
  readonly systemFolders: View['systemFolders'];
  /** True where each program gets a user of its own. */
  readonly isRoot: boolean;
  readonly cgroups: CgroupPlan | null;
};

const run = promisify(execFile);
/** Older ones cannot limit the size of a tmpfs, nor keep a program from making namespaces. */
const oldestVersion = '0.8';
const linkedFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];

export async function findMachine(stagingParents: readonly string[]): Promise<Machine> {
  const uid = process.getuid?.();
  if (process.platform !== 'linux' || uid === undefined || !isFilterArch(process.arch)) {
    throw unavailable(`It needs Linux on x86_64 or arm64; this is ${process.platform} on ${process.arch}.`);
  }
  const bwrap = await findExecutable(['bwrap'], pathFolders());
  if (bwrap === null) throw unavailable('`bwrap` is not installed.');
  const { stdout } = await run(bwrap, ['--version'], { timeout: 120_000 });
  const version = stdout.trim().split(' ').at(-1) ?? '';
  if (!isAtLeast(version, oldestVersion)) {
    throw unavailable(`bubblewrap ${version} is too old: ${oldestVersion} or newer is needed.`);
  }
  const staging = await stageInFirst(stagingParents, { uid, arch: process.arch });
  if (staging === null) {
    throw unavailable(
      `None of ${stagingParents.join(', ')} can hold the files that every sandbox shares.`,
      'Set TMPDIR to a folder that every user can walk into and none but its owner can rename in.',
    );
  }
  const systemFolders = await findSystemFolders();
  return { bwrap, version, staging, systemFolders, isRoot: uid === 0, cgroups: null };
}

export function defaultStagingParents(): readonly string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp'])];
}

export const noSandbox = 'There is no sandbox to run code in.';

export function unavailable(why: string, fix = installHint('bubblewrap')): UnavailableError {
  return new UnavailableError({ code: 'backend-unavailable', what: noSandbox, why, fix });
}

export async function findSystemFolders(): Promise<View['systemFolders']> {
  const found = await Promise.all(
    linkedFolders.map(async (path) => {
      const info = await lstat(path).catch(() => null);
      return info && { path, linkTarget: info.isSymbolicLink() ? await readlink(path) : null };
    }),
  );
  return found.filter((folder) => folder !== null);
}
