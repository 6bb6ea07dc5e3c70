/**
 * Runs one job in one new sandbox and clears away everything it took: user, control group, processes.
 * It knows nothing of languages. The runner inside enforces the limits; the timers here are only for the case
 * that it cannot.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { UnavailableError } from '../core/errors.ts';
import type { StepResult } from '../core/sandbox.ts';
import { bubblewrapArguments } from './arguments.ts';
import { type Cgroup, createCgroup } from './cgroup.ts';
import { type Machine, unavailable } from './machine.ts';
import { decodeReport, emptyStep, type Report } from './report.ts';
import { encodeRequest, type Job, type OpenFile, scratchBytes } from './request.ts';
import { acquireSlot, type Slot } from './slots.ts';

export type Finished = { readonly step: StepResult; readonly collected: Buffer | null };

const startHint =
  'bubblewrap is installed but does not work here: namespaces may be forbidden, as in most containers, or on Ubuntu by `kernel.apparmor_restrict_unprivileged_userns`. `polya doctor` tries again.';
/** Longer than the runner ever takes to end a program and report. */
const graceMs = 2000;
const cancelGraceMs = 500;
/** Longer times end a timer of Node at once. */
const longestTimerMs = 2 ** 31 - 1;
/** Numbers of open files in bubblewrap and in the runner, behind stdin, stdout and stderr. */
const [filterFd, statusFd, firstCgroupFd] = [3, 4, 5];

export async function launch(machine: Machine, job: Job, signal: AbortSignal): Promise<Finished> {
  if (signal.aborted) return { step: emptyStep('cancelled'), collected: null };
  const slot = machine.isRoot ? acquireSlot(machine.staging.slotsFolder) : null;
  let cgroup: Cgroup | null = null;
  try {
    cgroup = machine.cgroups && createCgroup(machine.cgroups, job.limits);
    return await supervise(start({ machine, job, slot, cgroup }), job, signal);
  } finally {
    cgroup?.closeFiles();
    await cgroup?.remove();
    slot?.release();
  }
}

type Start = { machine: Machine; job: Job; slot: Slot | null; cgroup: Cgroup | null };

function start({ machine, job, slot, cgroup }: Start): ChildProcess {
  const { systemFolders, staging, bwrap } = machine;
  const { runner, passwd } = staging;
  const { mounts = [] } = job;
  const view = { runner, passwd, systemFolders, mounts, filterFd, statusFd, scratchBytes: scratchBytes(job) };
  // Opened each time: bubblewrap reads it to the end, and copies of an open file share where they are.
  const filter = openSync(staging.filter, 'r');
  try {
    const cgroupFiles = cgroup?.files ?? [];
    const child = spawn(bwrap, bubblewrapArguments(view), {
      stdio: ['pipe', 'pipe', 'pipe', filter, 'pipe', ...cgroupFiles.map(({ fd }) => fd)],
      env: {},
      cwd: '/',
      // In a session of its own, so that a Ctrl-C goes to Polya alone, which then cancels in good order.
      detached: true,
      ...(slot ? { uid: slot.uid, gid: slot.uid } : {}),
    });
    const handedOver = cgroupFiles.map(({ name }, index) => ({ name, fd: firstCgroupFd + index }));
    sendRequest(child, job, handedOver);
    return child;
  } catch (error) {
    // Node throws what it takes for a programming error, such as a user that this container does not know.
    throw cannotStart(error);
  } finally {
    closeSync(filter);
  }
}

/** The pipe stays open: its end is what tells the runner to stop. */
function sendRequest({ stdin }: ChildProcess, job: Job, openFiles: readonly OpenFile[]): void {
  // A sandbox that did not start does not read; what went wrong is told by how it ended.
  stdin?.on('error', () => {});
  stdin?.cork();
  for (const part of encodeRequest(job, openFiles)) stdin?.write(part);
  stdin?.uncork();
}

async function supervise(child: ChildProcess, job: Job, signal: AbortSignal): Promise<Finished> {
  const [report, complaint, status] = [child.stdout, child.stderr, child.stdio[statusFd]].map(collect);
  const begunAtMs = performance.now();
  const overdueMs = Math.min(job.limits.wallMs + graceMs, longestTimerMs);
  const kill = () => killSandbox(child, text(status));
  const interruption = await awaitEnd(child, { signal, overdueMs, kill });
  const wallMs = performance.now() - begunAtMs;
  const decoded = decodeReport(Buffer.concat(report ?? []));
  if (decoded?.kind === 'done') return decoded;
  if (interruption !== null) return { step: emptyStep(interruption, wallMs), collected: null };
  throw explain(decoded, text(complaint), text(status));
}

type Watch = { signal: AbortSignal; overdueMs: number; kill: () => void };

/** Asks before it kills. Resolves when nothing of the sandbox is left, to why we had to interfere. */
async function awaitEnd(child: ChildProcess, watch: Watch): Promise<'wall' | 'cancelled' | null> {
  const { signal, overdueMs, kill } = watch;
  let interruption: 'wall' | 'cancelled' | null = null;
  const timers = [
    setTimeout(() => {
      interruption ??= 'wall';
      kill();
    }, overdueMs),
  ];
  const cancel = () => {
    interruption ??= 'cancelled';
    child.stdin?.destroy();
    timers.push(setTimeout(kill, cancelGraceMs));
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await ended(child);
  } finally {
    signal.removeEventListener('abort', cancel);
    for (const timer of timers) clearTimeout(timer);
    child.stdin?.destroy();
  }
  return interruption;
}

function collect(stream: unknown): Buffer[] {
  const chunks: Buffer[] = [];
  if (isReadable(stream)) stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  return chunks;
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream;
}

function text(chunks: readonly Buffer[] | undefined): string {
  return Buffer.concat(chunks ?? []).toString('utf8');
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(cannotStart(error)));
    child.on('close', () => resolve());
  });
}

function cannotStart(error: unknown): UnavailableError {
  const why = error instanceof Error ? error.message : String(error);
  return unavailable(`bubblewrap cannot be started: ${why}.`, startHint);
}

/** Process 1 of the sandbox takes all others with it, and bubblewrap waits for that; so it is the better target. */
function killSandbox(child: ChildProcess, status: string): void {
  const [, pid] = /"child-pid": (\d+)/.exec(status) ?? [];
  try {
    if (pid === undefined) child.kill('SIGKILL');
    else process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

function explain(report: Report | null, complaint: string, status: string): UnavailableError {
  if (report?.kind === 'failed') return unavailable(`The program could not be started in it: ${report.why}.`);
  if (complaint.trim() !== '') return unavailable(complaint.trim(), startHint);
  const ending = status.trim().replaceAll('\n', ' ') || 'no status';
  return unavailable(
    `The runner inside was killed from outside (${ending}).`,
    'Try again. If it happens again, look into the kernel’s log: the machine may be out of memory.',
  );
}
