/**
 * Sees a run through: shows it while it lives, stops it cleanly when its user says so, and tells its result. How it
 * came to life (new, resumed, forked) is its caller's business.
 */

import type { Event, RunEnd } from '../core/event.ts';
import { foldRun } from '../core/fold.ts';
import type { RunRow } from '../core/store.ts';
import type { Journals } from '../open/options.ts';
import type { RunHandle } from '../run/live.ts';
import { readJournal } from '../run/load.ts';
import type { Observer } from '../run/world.ts';
import { harmlessJson } from '../text/format.ts';
import { exitCodeOf } from '../text/labels.ts';
import type { Shell, Tell } from './contract.ts';
import { hooksFor } from './hooks.ts';
import { LiveView } from './live-view.ts';
import { type NotifyOptions, newsOfRun, notifying } from './notify.ts';
import { runJson, runText } from './run-report.ts';
import type { RunResult } from './run-result.ts';
import { stopWhenAsked } from './stop-when-asked.ts';

export type Start = (observer: Observer) => Promise<RunHandle>;

export type Finished = { readonly id: string; readonly end: RunEnd };

/** Brings a run to its end and prints it as the command's result. Resolves to the exit code. */
export async function drive(
  shell: Shell,
  polya: Journals,
  { start, isJson, tell, ...options }: { start: Start; isJson: boolean; tell?: Tell } & NotifyOptions,
): Promise<number> {
  const { id, end } = await live(shell, polya, start, options);
  const result = await readRun(shell, polya, id);
  const code = await tell?.(result, polya, exitCodeOf(end));
  if (typeof code === 'number') return code;
  if (isJson) shell.out.write(`${harmlessJson(runJson(result), 2)}\n`);
  else shell.out.write(runText(shell.out, result));
  tellNext(shell, id, end);
  return exitCodeOf(end);
}

/** Without printing a result. */
export function live(
  shell: Shell,
  polya: Journals,
  start: Start,
  options: NotifyOptions = {},
): Promise<Finished> {
  const work = (): Promise<Finished> => liveThrough(shell, polya, start);
  return notifying(shell, options, { what: 'run', work, newsOf: newsOfRun });
}

async function liveThrough(shell: Shell, polya: Journals, start: Start): Promise<Finished> {
  const view = new LiveView(shell.err);
  const interrupts = stopWhenAsked(shell, { close: () => view.close(), say: (text) => view.notice(text) });
  try {
    const handle = await start(view.observer);
    interrupts.begun(handle);
    view.notice(
      `Run ${handle.id}. Ctrl-C stops it; \`${shell.calledAs} runs watch\` follows it from elsewhere.`,
    );
    view.begin((await readJournal(polya.world.store, handle.id)).events);
    return { id: handle.id, end: await handle.done };
  } finally {
    interrupts.release();
    view.close();
  }
}

export async function readRun(shell: Pick<Shell, 'apps'>, polya: Journals, id: string): Promise<RunResult> {
  const { events } = await readJournal(polya.world.store, id);
  const row = await polya.world.store.get(id);
  if (!row) throw new Error(`Run ${id} has vanished.`);
  return resultOf(shell, row, events);
}

export async function resultOf(
  shell: Pick<Shell, 'apps'>,
  row: RunRow,
  events: readonly Event[],
): Promise<RunResult> {
  const view = foldRun(events);
  const { metrics } = await hooksFor(shell, view.header);
  return { row, view, metrics: metrics?.(events) ?? null };
}

function tellNext(shell: Shell, id: string, { outcome, error }: RunEnd): void {
  const canGoOn = outcome === 'cancelled' || (outcome === 'error' && error?.unavailable === true);
  if (canGoOn) shell.err.write(`Go on with it: ${shell.calledAs} runs resume ${id}\n`);
  else if (error?.stack)
    shell.err.write(`The stack is in its journal: ${shell.calledAs} runs show ${id} --full\n`);
  else shell.err.write(`See its journal: ${shell.calledAs} runs show ${id}\n`);
}
