/** Shows a run while it lives: a line for each event, and what it does and has cost so far. */
import type { Event } from '../core/event.ts';
import { applyEvent, emptyView, foldRun, type RunView } from '../core/fold.ts';
import type { Observer } from '../index.ts';
import { describeEvent } from './event-line.ts';
import { text } from './json.ts';
import { costText, tokensText, toolCallsOf } from './labels.ts';
import { Screen } from './screen.ts';
import type { Output } from './shell.ts';
import { clip, count, duration, oneLine } from './text.ts';

/** Of what a model is saying, this much fits beside the rest. */
const shownOfDelta = 200;
const plainColumns = 160;

export class LiveView {
  readonly #output: Output;
  readonly #screen: Screen;
  readonly #bornAtMs = Date.now();
  #view: RunView = emptyView;
  #speaking = '';
  /** Events that came before `begin`; null afterwards. */
  #early: Event[] | null = [];

  constructor(output: Output) {
    this.#output = output;
    this.#screen = new Screen(output, () => this.#status());
  }

  /** What the journal holds when the run begins to live: only what happens from then on is shown event by event. */
  begin(journal: readonly Event[]): void {
    const early = this.#early ?? [];
    this.#early = null;
    const past = journal.filter(({ seq }) => seq < (early[0]?.seq ?? Number.POSITIVE_INFINITY));
    this.#view = foldRun(past);
    const heading = past.findLast(({ kind }) => kind === 'run-start' || kind === 'run-fork');
    if (heading) this.#line(heading);
    for (const event of early) this.show(event);
  }

  readonly observer: Observer = {
    onEvent: (event) => this.show(event),
    onDelta: ({ text: more }) => {
      this.#speaking = (this.#speaking + more).slice(-shownOfDelta);
    },
    onNotice: (notice) => this.notice(notice),
  };

  show(event: Event): void {
    if (this.#early) {
      this.#early.push(event);
      return;
    }
    this.#view = applyEvent(this.#view, event);
    if (event.kind === 'model-request' || event.kind === 'model-response') this.#speaking = '';
    this.#line(event);
  }

  notice(notice: string): void {
    this.#screen.line(this.#output.paint('warn', oneLine(notice)));
  }

  close(): void {
    this.#screen.close();
  }

  #line(event: Event): void {
    const { text: line, tone, isQuiet } = describeEvent(event);
    if (isQuiet) return;
    const since = duration(this.#view.aliveMs).padStart(8);
    const columns = this.#output.isTerminal ? this.#output.columns - 1 : plainColumns;
    const clipped = clip(line, Math.max(20, columns - 10));
    this.#screen.line(`${this.#output.paint('faint', since)}  ${this.#output.paint(tone, clipped)}`);
  }

  #status(): string {
    const { totals, stages, header, open, aliveMs, lastAtMs } = this.#view;
    // A run that is resumed was not alive between its last event and this process.
    const sinceMs = Math.max(0, Date.now() - Math.max(lastAtMs, this.#bornAtMs));
    const stage = stages.at(-1)?.stage;
    return [
      ...(stage ? [stage] : []),
      count(totals.modelCalls, 'model call'),
      count(toolCallsOf(totals), 'tool call'),
      `${tokensText(totals)} tokens`,
      costText(totals, header?.models ?? {}),
      duration(aliveMs + sinceMs),
      this.#speaking ? oneLine(this.#speaking) : doing(open.at(-1)?.event),
    ].join(' · ');
  }
}

function doing(event: Event | undefined): string {
  if (!event) return '…';
  if (event.kind === 'tool-call') return `${oneLine(text(event.body, 'name'))} …`;
  if (event.kind === 'ask') return 'waits for an answer';
  return event.kind === 'model-request' ? 'the model is thinking …' : `${event.kind} …`;
}
