/** The real `./polya` as a process, with a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Event } from '../../src/core/event.ts';
import type { RunRow } from '../../src/core/store.ts';
import { openJournals } from '../../src/open/journals.ts';
import { readJournal } from '../../src/run/load.ts';
import { until as eventually } from '../support/until.ts';
import { atExit, type Place } from './shell.ts';

export const root = join(import.meta.dirname, '../..');
export const launcher = join(root, 'polya');

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

export type Running = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export function start(place: Place, argv: readonly string[], program = launcher): Running {
  const child = spawn(program, argv, {
    cwd: place.folder,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atExit(() => child.kill('SIGKILL'));
  const kept = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    kept.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    kept.err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...kept }));
  });
  return { child, ended };
}

export function call(place: Place, argv: readonly string[], program = launcher): Promise<Ended> {
  return start(place, argv, program).ended;
}

/** Reads the journal of the newest run as another process would. */
export async function lastJournal(place: Place): Promise<{ row: RunRow; events: readonly Event[] } | null> {
  const polya = openJournals({ folder: place.folder, env: place.env, create: true });
  try {
    const [row] = await polya.world.store.list({ limit: 1 });
    return row ? { row, events: (await readJournal(polya.world.store, row.id)).events } : null;
  } finally {
    await polya.close();
  }
}

/** Waits until the newest run has come so far. */
export async function until(place: Place, isReached: (events: readonly Event[]) => boolean): Promise<RunRow> {
  return eventually(async () => {
    const journal = await lastJournal(place);
    return journal && isReached(journal.events) ? journal.row : null;
  }, 25);
}

export const hasCalled = (tool: string) => (events: readonly Event[]) =>
  events.some(({ kind, body }) => kind === 'tool-call' && 'name' in body && body.name === tool);
