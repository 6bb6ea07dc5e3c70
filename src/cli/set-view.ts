/**
 * Shows a run-set while it is at work: on a terminal a table of the rows that are at work, drawn anew all the time, below
 * a line for each row that has ended; elsewhere the lines alone.
 */

import type { Event } from '../core/event.ts';
import { applyEvent, emptyView, type RunView } from '../core/fold.ts';
import { progressIn } from '../notes/by-agent.ts';
import type { SetObserver } from '../studies/run-set/execute.ts';
import type { RowResult } from '../studies/run-set/rows.ts';
import { clip, duration, oneLine } from '../text/format.ts';
import { allModels, costText, tokensText } from '../text/labels.ts';
import type { Output } from './output.ts';
import { countsText, rowLine, spentText } from './set-report.ts';
import { doingText } from './status-line.ts';

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
