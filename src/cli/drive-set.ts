/** Sees a run-set through: shows it, stops it cleanly when its user says so, and tells its result. */
import { exitCodes } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { applyEvent, emptyView, type RunView } from '../core/fold.ts';
import { progressIn } from '../notes/event-line.ts';
import { previewRun } from '../open/journals.ts';
import type { Journals } from '../open/options.ts';
import type { Observer } from '../run/world.ts';
import type { SetEnding, SetHandle, SetObserver } from '../studies/run-set/execute.ts';
import type { RunSet } from '../studies/run-set/plan.ts';
import type { PreparedRows } from '../studies/run-set/prepare.ts';
import { isDone, type RowResult, readRows } from '../studies/run-set/rows.ts';
import { clip, count, dollars, duration, grouped, harmlessJson, oneLine } from '../text/format.ts';
import { allModels, costText, exitCodeOf, tokensText } from '../text/labels.ts';
import type { Shell } from './contract.ts';
import { type Estimate, estimate, usualOf } from './estimate.ts';
import { newsOfSet, notifying } from './notify.ts';
import type { Output } from './output.ts';
import { countsText, rowLine, type SetResult, setCsv, setJson, setText, spentText } from './set-report.ts';
import type { SetOptions } from './sets.ts';
import { doingText } from './status-line.ts';
import { stopWhenAsked } from './stop-when-asked.ts';

export type SetStart = (observer: SetObserver) => Promise<SetHandle>;

/** What shows a set while it is at work. */
export type SetScreen = {
  readonly observer: SetObserver;
  /** A line that stays. */
  line(text: string): void;
  close(): void;
};

type Live = {
  readonly set: RunSet;
  readonly start: SetStart;
  readonly screen?: SetScreen;
  /** Is told too of all that the screen is told of. */
  readonly watch?: SetObserver;
};

/**
 * Prints the result, in the place of the table, the JSON and the CSV of the set. Returns an exit code where something of it
 * failed, and was told as well.
 */
export type TellSet = (result: SetResult, polya: Journals) => Told | Promise<Told>;

// biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to return.
type Told = number | void;

type Driven = Live & {
  readonly output: SetOptions;
  readonly tell?: TellSet;
  /** The command that goes on with it, to be followed by its id; default: `run-set resume`. */
  readonly goOn?: string;
};

/** Resolves to the exit code. */
export async function driveSet(shell: Shell, polya: Journals, options: Driven): Promise<number> {
  const { output, tell, goOn } = options;
  const work = (): Promise<SetResult> => liveSet(shell, polya, options);
  const result = await notifying(shell, output, { what: 'run-set', work, newsOf: newsOfSet });
  const code = tell ? await tell(result, polya) : tellSet(shell, result, output);
  goOnWithSet(shell, result, goOn);
  return code ?? exitCodeOfSet(result);
}

/** How to go on with what has not ended. */
export function goOnWithSet(
  { err, calledAs }: Shell,
  { set, reason }: SetResult,
  command = 'run-set resume',
): void {
  if (reason !== null && reason !== 'budget') return;
  const { costUsd, tokens } = set.plan.budget;
  const needed = costUsd === undefined && tokens !== undefined ? ' --max-tokens N' : ' --budget USD';
  const more = reason ? needed : '';
  err.write(`Go on with it: ${calledAs} ${command} ${set.id}${more}\n`);
}

/** Without printing a result. Rows are shown as a table unless there is a screen of one's own. */
export async function liveSet(
  shell: Shell,
  polya: Journals,
  { set, start, screen, watch }: Live,
): Promise<SetResult> {
  const view = screen ?? new SetView(shell.err, await readRows(polya.world.store, set));
  const interrupts = stopWhenAsked(shell, { close: () => view.close(), say: (text) => view.line(text) });
  let ending: SetEnding;
  try {
    const handle = await start(watch ? both(view.observer, watch) : view.observer);
    interrupts.begun(handle);
    view.line(`Run-set ${set.id}, ${count(set.plan.rows.length, 'row')}. Ctrl-C stops it.`);
    ending = await handle.done;
  } finally {
    interrupts.release();
    view.close();
  }
  return { set, reason: ending, pid: null, rows: await readRows(polya.world.store, set) };
}

function both(screen: SetObserver, watch: SetObserver): SetObserver {
  return {
    observerOf: (index) => bothRuns(screen.observerOf?.(index) ?? {}, watch.observerOf?.(index) ?? {}),
    onBegin: (index, runId) => {
      screen.onBegin?.(index, runId);
      watch.onBegin?.(index, runId);
    },
    onEnd: (index, end) => {
      screen.onEnd?.(index, end);
      watch.onEnd?.(index, end);
    },
    onFailure: (index, error) => {
      screen.onFailure?.(index, error);
      watch.onFailure?.(index, error);
    },
  };
}

function bothRuns(screen: Observer, watch: Observer): Observer {
  return {
    onEvent: (event) => {
      screen.onEvent?.(event);
      watch.onEvent?.(event);
    },
    onDelta: (delta) => {
      screen.onDelta?.(delta);
      watch.onDelta?.(delta);
    },
    onNotice: (notice) => {
      screen.onNotice?.(notice);
      watch.onNotice?.(notice);
    },
    onWait: (position, reason) => {
      screen.onWait?.(position, reason);
      watch.onWait?.(position, reason);
    },
  };
}

export function tellSet(shell: Shell, result: SetResult, { json, csv }: SetOptions): void {
  if (json) shell.out.write(`${harmlessJson(setJson(result), 2)}\n`);
  else shell.out.write(csv ? setCsv(result) : setText(shell.out, result));
}

/** What a row came to is its own affair, unless nobody could help it: the set has done its work when all have ended. */
export function exitCodeOfSet({ reason, rows }: SetResult): number {
  const codes = rows.flatMap(({ view }) => (view?.end ? exitCodeOf(view.end) : []));
  const worst = [exitCodes.bug, exitCodes.unavailable].find((code) => codes.includes(code));
  if (reason === 'solved' || reason === 'answered') return exitCodes.ok;
  if (worst !== undefined) return worst;
  if (reason === null) return exitCodes.cancelled;
  return codes.length === rows.length && codes.every((code) => code === exitCodes.ok)
    ? exitCodes.ok
    : exitCodes.unsolved;
}

/** How many first requests are looked at: the others are taken to be like them. */
const mostPreviewed = 24;

/** What the rows that are to be begun may cost together. */
export async function setEstimate({ world }: Journals, prepared: PreparedRows): Promise<string> {
  const looked = [...prepared.values()].slice(0, mostPreviewed);
  const estimates: Estimate[] = [];
  for (const each of looked) {
    const first = await previewRun(world, each);
    const usual = usualOf(await world.agent(each.header.agent.name));
    if (!first.end) estimates.push(estimate(each.header, first, usual));
  }
  const share = prepared.size / Math.max(1, looked.length);
  return estimatesText(estimates, share);
}

/** Of a set that is gone on with: of rows that have begun, what they took so far is all that anybody knows. */
export async function restEstimate(polya: Journals, set: RunSet, prepared: PreparedRows): Promise<string> {
  const open = (await readRows(polya.world.store, set)).filter((row) => row.view && !isDone(row));
  const calls = open.reduce((sum, { view }) => sum + (view?.totals.modelCalls ?? 0), 0);
  const goOn = `${count(open.length, 'row')} that ${open.length === 1 ? 'has' : 'have'} begun: so far ${count(calls, 'model call')}, ${spentText(open)}`;
  const begin =
    prepared.size > 0
      ? [`${count(prepared.size, 'row')} to begin: ${await setEstimate(polya, prepared)}`]
      : [];
  return [...begin, ...(open.length > 0 ? [goOn] : [])].join('; ') || 'nothing is left to do';
}

function estimatesText(estimates: readonly Estimate[], share: number): string {
  if (estimates.length === 0) return 'no model is asked';
  const free = estimates[0]?.free;
  if (free && estimates.every((each) => each.free !== null)) return free;
  const paid = estimates.filter((each) => each.free === null);
  const tokens = share * paid.reduce((sum, each) => sum + each.tokens, 0);
  const known = share * paid.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const isUnknown = paid.some(({ costUsd }) => costUsd === null);
  const cost = isUnknown ? `${dollars(known)} + unknown (a price is not known)` : `about ${dollars(known)}`;
  return `${cost}, about ${grouped(tokens)} tokens in all`;
}

const redrawEveryMs = 250;
const mostShown = 16;

type Row = { readonly result: RowResult; readonly wait: string | null; readonly progress: string | null };

export class SetView {
  readonly #output: Output;
  readonly #rows: Row[];
  readonly #timer: NodeJS.Timeout | null;
  #drawn = 0;

  constructor(output: Output, rows: readonly RowResult[]) {
    this.#output = output;
    this.#rows = rows.map((result) => ({ result, wait: null, progress: null }));
    this.#timer = output.isTerminal ? setInterval(() => this.#draw(), redrawEveryMs) : null;
    this.#timer?.unref();
  }

  readonly observer: SetObserver = {
    observerOf: (index) => ({
      onEvent: (event) => this.#hear(index, event),
      onNotice: (notice) => this.line(`Row ${index + 1}: ${oneLine(notice)}`),
      onWait: (_position, reason) => this.#change(index, { wait: reason }),
    }),
    onBegin: (index) => this.#changeResult(index, { state: 'running' }),
    onEnd: (index, end) => {
      const view = this.#rows[index]?.result.view;
      const state = end.outcome === 'cancelled' || end.error?.unavailable ? 'interrupted' : 'ended';
      this.#changeResult(index, { state, view: { ...(view ?? emptyView), end } });
      const row = this.#rows[index];
      if (row) this.line(rowLine(row.result));
    },
    onFailure: (index, error) => this.line(`Row ${index + 1} could not go on: ${oneLine(error.message)}`),
  };

  line(text: string): void {
    this.#erase();
    this.#output.write(`${text}\n`);
    this.#draw();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#erase();
  }

  #hear(index: number, event: Event): void {
    const before = this.#rows[index]?.result.view ?? emptyView;
    const progress = progressIn(event, before.header);
    if (progress !== null) this.#change(index, { progress });
    // A run that is resumed tells its journal from where it is now; what came before is known already.
    if (event.seq > before.lastSeq) this.#changeResult(index, { view: applyEvent(before, event) });
  }

  #changeResult(index: number, changes: Partial<RowResult>): void {
    const row = this.#rows[index];
    if (row) this.#change(index, { result: { ...row.result, ...changes } });
  }

  #change(index: number, changes: Partial<Row>): void {
    const row = this.#rows[index];
    if (row) this.#rows[index] = { ...row, ...changes };
  }

  #erase(): void {
    if (this.#drawn > 0) this.#output.write(`\x1b[${this.#drawn}A\r\x1b[J`);
    this.#drawn = 0;
  }

  #draw(): void {
    if (!this.#timer) return;
    this.#erase();
    const lines = this.#lines().map((line) => clip(line, this.#output.columns - 1));
    this.#output.write(lines.map((line) => `${this.#output.paint('faint', line)}\n`).join(''));
    this.#drawn = lines.length;
  }

  #lines(): string[] {
    const results = this.#rows.map(({ result }) => result);
    const working = this.#rows.filter(({ result }) => result.state === 'running');
    const shown = working.slice(0, mostShown).map(rowText);
    const more = working.length > mostShown ? [`  … and ${working.length - mostShown} more`] : [];
    return [...shown, ...more, `${countsText(results)} · ${spentText(results)}`];
  }
}

function rowText({ result, wait, progress }: Row): string {
  const { index, plan, view } = result;
  const facts = view ? factsOf(view, wait) : ['begins'];
  const told = progress === null ? facts : [progress, ...facts];
  return oneLine(`  ${index + 1} ${plan.name} · ${told.join(' · ')}`);
}

function factsOf(view: RunView, wait: string | null): string[] {
  const { totals, open, aliveMs } = view;
  const doing = open.at(-1)?.event;
  return [
    wait ? `waits: ${wait}` : doing ? doingText(doing, Date.now(), new Map()) : '…',
    `${totals.modelCalls} calls`,
    `${tokensText(totals)} tokens`,
    costText(totals, allModels(view)),
    duration(aliveMs),
  ];
}
