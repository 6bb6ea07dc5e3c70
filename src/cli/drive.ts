/** Shows a run while it lives, stops it cleanly when its user asks, and tells its result. Its caller starts it. */
import { exitCodes } from '../core/errors.ts';
import type { Header, RunEnd } from '../core/event.ts';
import { emptyView, foldRun } from '../core/fold.ts';
import type { Journals } from '../open/options.ts';
import { explanationOf, runJson } from '../open/run-json.ts';
import type { RunHandle } from '../run/live.ts';
import { readJournal } from '../run/load.ts';
import type { Observer } from '../run/world.ts';
import { exitCodeOf, outcomeText, outcomeTone } from '../text/labels.ts';
import { hooksFor, print, type RunResult, type Shell, type Tell } from './contract.ts';
import { LiveView } from './live-view.ts';
import { joinedObserver, keepRunFiles } from './run-files.ts';
import { runText } from './run-report.ts';

export type Start = (observer: Observer) => Promise<RunHandle>;

/** Brings a run to its end and prints it as the command's result. Resolves to the exit code. */
export async function drive(
  shell: Shell,
  polya: Journals,
  { start, isJson, tell }: { start: Start; isJson: boolean; tell?: Tell },
): Promise<number> {
  const { id, end } = await live(shell, polya, start);
  const result = await readRun(shell, polya, id);
  const code = exitCodeOf(end);
  const count = await tell?.(result, polya, code);
  if (typeof count === 'number') return count;
  print(shell.out, isJson ? runJson(result) : runText(shell.out, result));
  const { calledAs } = shell;
  const canGoOn = end.outcome === 'cancelled' || (end.outcome === 'error' && end.error?.unavailable);
  if (canGoOn) shell.err.write(`Go on with it: ${calledAs} runs resume ${id}\n`);
  else if (end.error?.stack) {
    shell.err.write(`The stack is in its journal: ${calledAs} runs show ${id} --full\n`);
  } else shell.err.write(`See its journal: ${calledAs} runs show ${id}\n`);
  return code;
}

/** Brings it to its end without printing a result. */
export function live(
  shell: Shell,
  polya: Journals,
  start: Start,
): Promise<{ readonly id: string; readonly end: RunEnd }> {
  const view = new LiveView(shell.err, shell.detail === 'all');
  const files = keepRunFiles(shell, polya, (notice) => view.notice(notice));
  return stoppable(
    shell,
    view,
    () => start(joinedObserver(view.observer, files.observer)),
    async (handle) => {
      const { id } = handle;
      view.notice(`Run ${id}. Ctrl-C stops it; \`${shell.calledAs} runs watch\` follows it from elsewhere.`);
      view.begin((await readJournal(polya.world.store, id)).events);
      await files.begin(handle.header);
      const end = await handle.done.finally(() => files.settle());
      sayFailure(shell, end, handle.header);
      return { id, end };
    },
  );
}

/** A command that prints its result alone would print nothing at all for a run without an answer. */
function sayFailure({ detail, loud }: Shell, end: RunEnd, header: Header): void {
  if (detail !== 'quiet' || end.solution?.answer || outcomeTone(end.outcome) === 'good') return;
  const why = explanationOf({ ...emptyView, end, header }) || `${outcomeText(end)}.`;
  loud?.write(`polya: ${why}\n`);
}

/** The first Ctrl-C lets what is in flight be closed, the second ends the process. */
export async function stoppable<Handle extends { stop(): void }, T>(
  shell: Pick<Shell, 'onInterrupt' | 'exit'>,
  view: { notice(text: string): void; close(): void },
  start: () => Promise<Handle>,
  work: (handle: Handle) => Promise<T>,
): Promise<T> {
  let running: Handle | null = null;
  let isStopping = false;
  const release = shell.onInterrupt(() => {
    if (!running || isStopping) {
      view.close();
      shell.exit(exitCodes.cancelled);
    }
    isStopping = true;
    view.notice('Stopping … (once more exits at once)');
    running.stop();
  });
  try {
    running = await start();
    return await work(running);
  } finally {
    release();
    view.close();
  }
}

/** A run with the intact part of its journal. */
export type ReadRun = RunResult & Awaited<ReturnType<typeof readJournal>>;

export async function readRun(shell: Pick<Shell, 'apps'>, polya: Journals, id: string): Promise<ReadRun> {
  const journal = await readJournal(polya.world.store, id);
  const row = await polya.world.store.get(id);
  if (!row) throw new Error(`Run ${id} has vanished.`);
  const view = foldRun(journal.events);
  const { metrics } = await hooksFor(shell, view.header);
  return { ...journal, row, view, metrics: metrics?.(journal.events) ?? null };
}

/** Waits until nothing of the work is left; a second Ctrl-C does not wait. */
export async function interruptibly(
  shell: Shell,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  const release = shell.onInterrupt(() => {
    if (controller.signal.aborted) shell.exit(exitCodes.cancelled);
    controller.abort();
  });
  try {
    const code = await work(controller.signal);
    return controller.signal.aborted ? exitCodes.cancelled : code;
  } catch (error) {
    // Broken off is no defect, and nothing that has to be explained to who did it.
    if (controller.signal.aborted && error === controller.signal.reason) return exitCodes.cancelled;
    throw error;
  } finally {
    release();
  }
}

/** Resolves when its user wants it to end. Asked for before Ctrl-C is offered: who reads of it may be quick. */
export function interrupted(shell: Shell): Promise<void> {
  return new Promise((resolve) => {
    const release = shell.onInterrupt(() => {
      release();
      resolve();
    });
  });
}
