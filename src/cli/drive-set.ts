/** Sees a run-set through: shows it, stops it cleanly when its user says so, and tells its result. */
import { exitCodes } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { applyEvent, emptyView, type RunView } from '../core/fold.ts';
import { progressIn } from '../notes/event-line.ts';
import type { Journals } from '../open/options.ts';
import { countsText, formatSpent, type SetResult, setJson } from '../open/set-json.ts';
import type { SetHandle, SetObserver } from '../studies/run-set/execute.ts';
import type { RunSet } from '../studies/run-set/plan.ts';
import { type RowResult, readRows } from '../studies/run-set/rows.ts';
import { count, duration, oneLine } from '../text/format.ts';
import { allModels, costText, exitCodeOf, tokensText } from '../text/labels.ts';
import { type Output, print, type Shell } from './contract.ts';
import { stoppable } from './drive.ts';
import { joinedObserver, keepRowFiles } from './run-files.ts';
import { Screen } from './screen.ts';
import { rowLine, setCsv, setText } from './set-report.ts';
import type { SetOptions } from './sets.ts';
import { activityText } from './status-line.ts';

export type SetStart = (observer: SetObserver) => Promise<SetHandle>;

/** Shows a set while it is at work. */
export type SetScreen = {
  readonly observer: SetObserver;
  /** A line that stays. */
  notice(text: string): void;
  close(): void;
};

type Live = {
  readonly set: RunSet;
  readonly start: SetStart;
  readonly screen?: SetScreen;
  /** Receives everything that the screen receives. */
  readonly watch?: SetObserver;
};

/** Prints the result in place of the set's table, JSON and CSV. Returns an exit code where it told of a failure. */
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
  const result = await liveSet(shell, polya, options);
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
  err.write(`Go on with it: ${calledAs} ${command} ${set.id}${reason ? needed : ''}\n`);
}

/** Without printing a result. Rows are shown as a table unless there is a screen of one's own. */
export async function liveSet(
  shell: Pick<Shell, 'apps' | 'env' | 'err' | 'onInterrupt' | 'exit'>,
  polya: Journals,
  { set, start, screen, watch = {} }: Live,
): Promise<SetResult> {
  const { store } = polya.world;
  const view = screen ?? new SetView(shell.err, await readRows(store, set));
  const files = keepRowFiles(shell, polya, set, (notice) => view.notice(notice));
  const begin = () => start(both(view.observer, files.observer, watch));
  const reason = await stoppable(shell, view, begin, async (handle) => {
    view.notice(`Run-set ${set.id}, ${count(set.plan.rows.length, 'row')}. Ctrl-C stops it.`);
    return await handle.done.finally(() => files.settle());
  });
  return { set, reason, pid: null, rows: await readRows(store, set) };
}

function both(...all: readonly SetObserver[]): SetObserver {
  return {
    observerOf: (index) => joinedObserver(...all.map((each) => each.observerOf?.(index) ?? {})),
    onBegin: (...told) => all.forEach((each) => void each.onBegin?.(...told)),
    onEnd: (...told) => all.forEach((each) => void each.onEnd?.(...told)),
    onFailure: (...told) => all.forEach((each) => void each.onFailure?.(...told)),
  };
}

export function tellSet({ out }: Shell, result: SetResult, { json, csv }: SetOptions): void {
  print(out, json ? setJson(result) : csv ? setCsv(result) : setText(out, result));
}

/** How its rows ended is no failure of the set, unless something was missing or broken: its work is done when all ended. */
export function exitCodeOfSet({ reason, rows }: SetResult): number {
  if (reason === 'solved' || reason === 'answered') return exitCodes.ok;
  const codes = rows.flatMap(({ view }) => (view?.end ? exitCodeOf(view.end) : []));
  const lowest = [exitCodes.bug, exitCodes.unavailable].find((code) => codes.includes(code));
  if (lowest !== undefined) return lowest;
  if (reason === null) return exitCodes.cancelled;
  const isGood = codes.length === rows.length && codes.every((code) => code === exitCodes.ok);
  return isGood ? exitCodes.ok : exitCodes.unsolved;
}

const mostShown = 16;

/** The current state of a row. */
type Row = { result: RowResult; wait: string | null; progress: string | null };

/** A line for each row that has ended; on a terminal a table of those at work below them. */
class SetView implements SetScreen {
  readonly #screen: Screen;
  readonly #rows: ReadonlyMap<number, Row>;
  /** How many rows could not go on, by the reason. */
  readonly #failures = new Map<string, number>();

  constructor(output: Output, rows: readonly RowResult[]) {
    this.#screen = new Screen(output, () => this.#lines());
    this.#rows = new Map(rows.map((result) => [result.index, { result, wait: null, progress: null }]));
  }

  readonly observer: SetObserver = {
    observerOf: (index) => ({
      onEvent: (event) => this.#hear(index, event),
      onNotice: (notice) => this.notice(`Row ${index + 1}: ${oneLine(notice)}`),
      onWait: (_position, reason) => {
        const row = this.#rows.get(index);
        if (row) row.wait = reason;
      },
    }),
    onBegin: (index) => void this.#change(index, { state: 'running' }),
    onEnd: (index, end) => {
      const view = this.#rows.get(index)?.result.view ?? emptyView;
      const state = end.outcome === 'cancelled' || end.error?.unavailable ? 'interrupted' : 'ended';
      const result = this.#change(index, { state, view: { ...view, end } });
      if (result) this.notice(rowLine(result));
    },
    onFailure: (index, error) => this.#tellFailure(index, error),
  };

  notice(text: string): void {
    this.#screen.line(text);
  }

  close(): void {
    const otherCount = [...this.#failures.values()].reduce((sum, times) => sum + times - 1, 0);
    if (otherCount > 0) this.notice(`${count(otherCount, 'other row')} could not go on for the same reason.`);
    this.#failures.clear();
    this.#screen.close();
  }

  /** A failure of one row, such as a full disk, may stop all: it is reported once. */
  #tellFailure(index: number, { message }: Error): void {
    const { runId = '' } = this.#rows.get(index)?.result ?? {};
    const reason = oneLine(message).replaceAll(runId, '…');
    const before = this.#failures.get(reason) ?? 0;
    this.#failures.set(reason, before + 1);
    if (before === 0) this.notice(`Row ${index + 1} could not go on: ${oneLine(message)}`);
  }

  #hear(index: number, event: Event): void {
    const row = this.#rows.get(index);
    if (!row) return;
    const before = row.result.view ?? emptyView;
    row.progress = progressIn(event, before.header) ?? row.progress;
    // A run that is resumed tells its journal from where it is now; what came before is known already.
    if (event.seq > before.lastSeq) this.#change(index, { view: applyEvent(before, event) });
  }

  #change(index: number, changes: Partial<RowResult>): RowResult | undefined {
    const row = this.#rows.get(index);
    if (row) row.result = { ...row.result, ...changes };
    return row?.result;
  }

  #lines(): string[] {
    const rows = [...this.#rows.values()];
    const results = rows.map(({ result }) => result);
    const working = rows.filter(({ result }) => result.state === 'running');
    const visible = working.slice(0, mostShown).map(rowText);
    const more = working.length > mostShown ? [`  … and ${working.length - mostShown} more`] : [];
    return [...visible, ...more, `${countsText(results)} · ${formatSpent(results)}`];
  }
}

function rowText({ result: { index, plan, view }, wait, progress }: Row): string {
  const entries = [progress, ...(view ? factsOf(view, wait) : ['begins'])];
  return oneLine(`  ${index + 1} ${plan.name} · ${entries.filter((entry) => entry !== null).join(' · ')}`);
}

function factsOf(view: RunView, wait: string | null): string[] {
  const { totals, open, aliveMs } = view;
  const event = open.at(-1)?.event;
  return [
    wait ? `waits: ${wait}` : event ? activityText(event, Date.now(), new Map()) : '…',
    count(totals.modelCalls, 'model call'),
    `${tokensText(totals)} tokens`,
    costText(totals, allModels(view)),
    duration(aliveMs),
  ];
}
