/** What a cell is made of and sees on this machine. Its one writable place is a tmpfs: /box, /tmp and /dev/shm. */
import { execFile } from 'node:child_process';
import { lstat, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { UnavailableError } from '../core/errors.ts';
import type { Mount } from './backend.ts';
import type { CgroupPlan } from './cgroup.ts';
import { findExecutable, isAtLeast, pathFolders } from './executables.ts';
import { relayInside, runnerInside, scratchFolder } from './layout.ts';
import { installHint } from './needs.ts';
import { isFilterArch } from './seccomp.ts';
import { type StagingArea, stageInFirst } from './staging.ts';

export type Machine = {
  readonly bwrap: string;
  readonly version: string;
  readonly staging: StagingArea;
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

export type View = {
  readonly runner: string;
  readonly passwd: string;
  readonly scratchBytes: number;
  readonly filterFd: number;
  readonly statusFd: number;
  /** Where the host's /bin, /lib, … lie: a target where it is a link, null where it is a folder. */
  readonly systemFolders: readonly { readonly path: string; readonly linkTarget: string | null }[];
  /** What a language needs beside `/usr`. */
  readonly mounts: readonly Mount[];
};

const devices = ['null', 'full', 'random', 'urandom'];
export const environment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  // NumPy's library makes a thread a processor at its import: more than a program may have, and other sums each time.
  OPENBLAS_NUM_THREADS: '1',
};

export function bubblewrapArguments(view: View): readonly string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    // The runner reaps orphans itself, to count what they used.
    ...['--as-pid-1', '--cap-drop', 'ALL', '--uid', '1000', '--gid', '1000', '--hostname', 'sandbox'],
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr'],
    ...view.systemFolders.flatMap(({ path, linkTarget }) =>
      linkTarget === null ? ['--ro-bind', path, path] : ['--symlink', linkTarget, path],
    ),
    ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...['--ro-bind', view.passwd, '/etc/passwd', '--ro-bind', view.runner, runnerInside],
    ...['--symlink', posix.basename(runnerInside), relayInside],
    ...view.mounts.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...['--proc', '/proc', ...deviceArguments()],
    ...['--size', String(view.scratchBytes), '--tmpfs', scratchFolder],
    ...['box', 'tmp', 'shm'].flatMap((name) => ['--dir', posix.join(scratchFolder, name)]),
    ...link('box', '/box'),
    ...link('tmp', '/tmp'),
    ...link('shm', '/dev/shm'),
    ...['--chdir', scratchFolder, '--remount-ro', '/'],
    ...['--seccomp', String(view.filterFd), '--json-status-fd', String(view.statusFd)],
    ...['--', runnerInside],
  ];
}

/**
 * Not bubblewrap's `--dev`: its /dev/shm would be a second writable place, as large as half of the memory.
 * /dev/full reads as zeros too, and cannot be mapped: a shared mapping of /dev/zero is memory that nobody counts.
 */
function deviceArguments(): readonly string[] {
  return [
    ...devices.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    ...['--dev-bind', '/dev/full', '/dev/zero'],
    ...['--symlink', '/proc/self/fd', '/dev/fd'],
    ...['stdin', 'stdout', 'stderr'].flatMap((name, fd) => [
      '--symlink',
      `/proc/self/fd/${fd}`,
      `/dev/${name}`,
    ]),
  ];
}

function link(name: string, path: string): readonly string[] {
  return ['--symlink', posix.join(scratchFolder, name), path];
}
