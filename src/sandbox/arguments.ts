/**
 * The arguments of bubblewrap: what a program sees of the machine. Pure.
 * There is one writable place, a tmpfs of limited size: the working folder, /tmp and /dev/shm all lie in it.
 */
import { posix } from 'node:path';
import type { Mount } from './backend.ts';
import { relayInside, runnerInside, scratchFolder } from './layout.ts';

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

const devices = ['null', 'zero', 'full', 'random', 'urandom'];
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
    ...view.systemFolders.flatMap(systemFolder),
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

function systemFolder({ path, linkTarget }: View['systemFolders'][number]): readonly string[] {
  return linkTarget === null ? ['--ro-bind', path, path] : ['--symlink', linkTarget, path];
}

/** Not bubblewrap's `--dev`: its /dev/shm would be a second writable place, as large as half of the memory. */
function deviceArguments(): readonly string[] {
  return [
    ...devices.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
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
