/**
 * A real Docker engine for tests: started in a folder of its own, and gone afterwards with all that it made. Only root
 * can start one, so tests on it are tagged `root`. `./polya setup` of a clone installs it.
 */
import { execFile, spawn } from 'node:child_process';
import { globSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { missingTestNeeds } from '../../src/open/test-needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { processesWith } from './hostile/host-processes.ts';

export type TestEngine = {
  /** `unix:///…`, for `DOCKER_HOST`. */
  readonly address: string;
  /** Of dockerd, for tests of its violent end. */
  readonly pid: number;
  stop(): Promise<void>;
};

const run = promisify(execFile);
export const engineTimeoutMs = 300_000;
const startMs = 120_000;
let started = 0;

export async function startEngine(): Promise<TestEngine> {
  if ((await missingTestNeeds({ isRoot: true })).some(({ executable }) => executable === 'dockerd'))
    throw new Error('These tests need Docker: run `./polya setup`.');
  // A path of a socket may not be long.
  const folder = temporaryFolder('engine');
  // Its own, or the end of one engine of this process would be the end of what runs on another.
  started += 1;
  const group = `polya-engine-${process.pid}-${started}`;
  const socket = join(folder, 'docker.sock');
  const daemon = spawn('dockerd', daemonArguments(folder, group, socket), {
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  const address = `unix://${socket}`;
  const stop = async () => {
    daemon.kill('SIGTERM');
    await ended;
    await clearAway(folder, group);
  };
  try {
    await untilItAnswers(address, () => daemon.exitCode);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, pid: daemon.pid ?? 0, stop };
}

/** No bridge and no rules of a firewall: nothing of the host is changed, and containers have no network here. */
function daemonArguments(folder: string, group: string, socket: string): readonly string[] {
  return [
    ...[
      '--data-root',
      join(folder, 'root'),
      '--exec-root',
      join(folder, 'exec'),
      '--pidfile',
      join(folder, 'pid'),
    ],
    ...['-H', `unix://${socket}`, '--storage-driver', 'overlay2', '--cgroup-parent', `/${group}`],
    ...['--iptables=false', '--ip6tables=false', '--bridge=none', '--ip-forward=false', '--ip-masq=false'],
  ];
}

async function untilItAnswers(address: string, exitCode: () => number | null): Promise<void> {
  const until = performance.now() + startMs;
  while (performance.now() < until && exitCode() === null) {
    const answers = await run('docker', ['-H', address, 'version']).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await sleep(50);
  }
  throw new Error(`dockerd did not start (exit status ${exitCode()}).`);
}

/** A killed daemon leaves its helpers, what they hold, and its mounts. */
async function clearAway(folder: string, group: string): Promise<void> {
  for (const pid of [...processesWith(`${folder}/`).map(Number), ...membersOf(group)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(folder));
  for (const path of mounted.reverse()) await run('umount', ['-l', path]).catch(() => {});
  rmSync(folder, { recursive: true, force: true });
  await removeGroups(group);
}

function membersOf(group: string): readonly number[] {
  const lists = groupFolders(group).map((path) => join(path, 'cgroup.procs'));
  return lists.flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number));
}

/** With those of single containers in them, innermost first. */
function groupFolders(group: string): readonly string[] {
  const tops = [...globSync(`/sys/fs/cgroup/*/${group}`), ...globSync(`/sys/fs/cgroup/${group}`)];
  return tops.flatMap((top) => [...globSync(`${top}/*/`), top]);
}

/** A group stays busy for a moment after its last process ended. */
async function removeGroups(group: string): Promise<void> {
  for (let attempt = 0; attempt < 20 && groupFolders(group).length > 0; attempt++) {
    for (const path of groupFolders(group)) {
      try {
        rmdirSync(path);
      } catch {
        await sleep(10);
      }
    }
  }
}
