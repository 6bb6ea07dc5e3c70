/**
 * Sees a run through: shows it while it lives, stops it cleanly when its user says so, and tells its result. How it
 * came to life (new, resumed, forked) is its caller's business.
 */

import type { RunEnd } from '../core/event.ts';
import { foldRun } from '../core/fold.ts';
import { aocMetrics, type Observer, type Polya, type RunHandle, readJournal } from '../index.ts';
import { exitCodeOf } from './labels.ts';
import { LiveView } from './live-view.ts';
import { type NotifyOptions, newsOfRun, notifying } from './notify.ts';
import { type RunResult, runJson, runText } from './run-report.ts';
import type { Shell } from './shell.ts';
import { stopWhenAsked } from './stop-when-asked.ts';
import { harmlessJson } from './text.ts';

export type Start = (observer: Observer) => Promise<RunHandle>;

export type Finished = { readonly id: string; readonly end: RunEnd };

/**
 * Prints a result in the words of the command that began it, and resolves to the exit code; null where those are the
 * words for every run.
 */
export type Tell = (result: RunResult, polya: Polya, code: number) => Promise<number | null>;

/** Brings a run to its end and prints it as the command's result. Resolves to the exit code. */
export async function drive(
  shell: Shell,
  polya: Polya,
  { start, isJson, tell, ...options }: { start: Start; isJson: boolean; tell?: Tell } & NotifyOptions,
): Promise<number> {
  const { id, end } = await live(shell, polya, start, options);
  const result = await readRun(polya, id);
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
  polya: Polya,
  start: Start,
  options: NotifyOptions = {},
): Promise<Finished> {
  const work = (): Promise<Finished> => liveThrough(shell, polya, start);
  return notifying(shell, options, { what: 'run', work, newsOf: newsOfRun });
}

async function liveThrough(shell: Shell, polya: Polya, start: Start): Promise<Finished> {
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

export async function readRun(polya: Polya, id: string): Promise<RunResult> {
  const { events } = await readJournal(polya.world.store, id);
  const row = await polya.world.store.get(id);
  if (!row) throw new Error(`Run ${id} has vanished.`);
  return { row, view: foldRun(events), metrics: aocMetrics(events) };
}

function tellNext(shell: Shell, id: string, { outcome, error }: RunEnd): void {
  const canGoOn = outcome === 'cancelled' || (outcome === 'error' && error?.unavailable === true);
  if (canGoOn) shell.err.write(`Go on with it: ${shell.calledAs} runs resume ${id}\n`);
  else if (error?.stack)
    shell.err.write(`The stack is in its journal: ${shell.calledAs} runs show ${id} --full\n`);
  else shell.err.write(`See its journal: ${shell.calledAs} runs show ${id}\n`);
}
