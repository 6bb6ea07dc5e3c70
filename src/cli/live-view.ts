/** Shows a run while it lives: its events, its models' words and its cost. The last line of a terminal is drawn anew. */
import { type Event, positionName } from '../core/event.ts';
import { applyEvent, emptyView, foldRun, type RunView } from '../core/fold.ts';
import { describeEvent, progressIn } from '../notes/event-line.ts';
import type { Speech } from '../run/live-stream.ts';
import type { Observer } from '../run/world.ts';
import { duration, oneLine } from '../text/format.ts';
import { field, list, text } from '../text/json.ts';
import type { Tone } from '../text/paint.ts';
import { fitToWidth, wrapWords } from '../text/wrap.ts';
import type { Output } from './contract.ts';
import { Screen } from './screen.ts';
import { type DeltaPart, type OutputLine, Speaker } from './speaker.ts';
import { activityText, statusText, type Waiting } from './status-line.ts';

const plainColumns = 160;
/** The width of the time before each line. */
const marginColumns = 10;
/** How often an output without a terminal says that the run is still at work. */
const silenceMs = 30_000;
const mostNoteLines = 4;

export class LiveView {
  readonly #output: Output;
  readonly #isWhole: boolean;
  readonly #screen: Screen;
  readonly #bornAtMs = Date.now();
  readonly #speakers = new Map<string, Speaker>();
  readonly #silence: NodeJS.Timeout | null;
  /** Calls that wait for their turn, by position. */
  readonly #waits = new Map<string, Waiting>();
  readonly #toldWaits = new Set<string>();
  #view: RunView = emptyView;
  #lastLineAtMs = Date.now();
  #progress: string | null = null;
  /** Events that came before `begin`; null afterwards. */
  #early: Event[] | null = [];

  /** `isWhole`: every step is shown, and all that models write; else programs and data are told by their length. */
  constructor(output: Output, isComplete = false) {
    this.#output = output;
    this.#isWhole = isComplete;
    this.#screen = new Screen(output, () => this.#status());
    this.#silence = output.isTerminal ? null : setInterval(() => this.#clearIdleLine(), silenceMs / 3);
    this.#silence?.unref();
  }

  /** What the journal holds when the run begins to live: only what happens from then on is shown event by event. */
  begin(journal: readonly Event[]): void {
    const early = this.#early ?? [];
    this.#early = null;
    const previous = journal.filter(({ seq }) => seq < (early[0]?.seq ?? Number.POSITIVE_INFINITY));
    this.#view = foldRun(previous);
    const heading = previous.findLast(({ kind }) => kind === 'run-start' || kind === 'run-fork');
    if (heading) this.#line(heading);
    for (const event of previous) this.#recordEvent(event);
    for (const event of early) this.show(event);
  }

  readonly observer: Observer = {
    onEvent: (event) => this.show(event),
    onDelta: (delta) => this.#onDelta(positionName(delta), delta.branch, delta),
    onNotice: (notice) => this.notice(notice),
    onWait: (position, reason) => this.#wait(positionName(position), reason),
  };

  /** What was overheard of a run in another process. */
  tail(speeches: readonly Speech[]): void {
    for (const { call, branch, characters, tail } of speeches) {
      // A call that is settled may be overheard a moment longer.
      if (!this.#view.open.some(({ event }) => positionName(event) === call)) continue;
      const heard = this.#speakerFor(call).heard;
      const length = tail.reduce((sum, part) => sum + part.text.length, 0);
      let known = Math.max(0, heard - (characters - length));
      for (const { type, text } of tail) {
        this.#onDelta(call, branch, { type, text: text.slice(known) });
        known = Math.max(0, known - text.length);
      }
      this.#speakerFor(call).countMissed(characters);
    }
  }

  show(event: Event): void {
    if (this.#early) {
      this.#early.push(event);
      return;
    }
    this.#view = applyEvent(this.#view, event);
    this.#recordEvent(event);
    if (event.kind === 'model-response' && this.#hasPrinted(event)) return;
    this.#line(event);
  }

  /** How far an agent says that it is. */
  #recordEvent(event: Event): void {
    this.#progress = progressIn(event, this.#view.header) ?? this.#progress;
  }

  #wait(call: string, reason: string | null): void {
    const before = this.#waits.get(call);
    if (reason === null) this.#waits.delete(call);
    else this.#waits.set(call, { reason, sinceMs: before?.sinceMs ?? Date.now() });
    // Without a redrawn line, a wait is reported once for each model.
    if (reason === null || this.#output.isTerminal || this.#toldWaits.has(reason)) return;
    this.#toldWaits.add(reason);
    this.notice(`A call waits for its turn: ${reason}.`);
  }

  notice(notice: string): void {
    this.#screen.line(this.#output.paint('warn', oneLine(notice)));
  }

  close(): void {
    if (this.#silence) clearInterval(this.#silence);
    this.#screen.close();
  }

  #speakerFor(call: string): Speaker {
    const speaker = this.#speakers.get(call) ?? new Speaker(!this.#isWhole);
    this.#speakers.set(call, speaker);
    return speaker;
  }

  #onDelta(call: string, branch: string, deltaPart: DeltaPart): void {
    this.#printLines(branch, this.#speakerFor(call).append(deltaPart, this.#columns(branch)));
  }

  /** True where its words have been shown one by one. */
  #hasPrinted(event: Event): boolean {
    const call = positionName(event);
    const speaker = this.#speakerFor(call);
    this.#speakers.delete(call);
    const all = this.#output.isTerminal ? wordsOf(event) : [];
    const rest = speaker.flush(all, this.#columns(event.branch));
    this.#printLines(event.branch, [...rest, ...speaker.end()]);
    return all.length > 0;
  }

  #printLines(branch: string, lines: readonly OutputLine[]): void {
    if (!this.#output.isTerminal) return;
    for (const { type, text, isFirst } of lines) {
      const place = placeText(branch);
      const tone = type === 'reasoning' ? 'faint' : 'plain';
      // Where there are no colours, the first line tells what it is.
      const sort = isFirst && type === 'reasoning' ? '(thinks) ' : '';
      this.#put(isFirst ? duration(this.#aliveMs()) : '', tone, place + sort + text);
    }
  }

  #line(event: Event): void {
    const { text: line, tone, isQuiet } = describeEvent(event, this.#view.header);
    if (isQuiet && !this.#isWhole) return;
    // What an agent notes is short, and its constants are cut off by no terminal.
    const isNote = event.kind === 'note' && this.#output.isTerminal;
    const lines = isNote ? wrapWords(line, this.#columns(), '  ') : [fitToWidth(line, this.#columns())];
    for (const [at, each] of lines.slice(0, mostNoteLines).entries())
      this.#put(at === 0 ? duration(this.#view.aliveMs) : '', tone, fitToWidth(each, this.#columns()));
  }

  #put(time: string, tone: Tone, line: string): void {
    this.#lastLineAtMs = Date.now();
    const { paint } = this.#output;
    this.#screen.line(`${paint('faint', time.padStart(marginColumns - 2))}  ${paint(tone, line)}`);
  }

  #columns(branch = ''): number {
    const columns = this.#output.isTerminal ? this.#output.columns - 1 : plainColumns;
    return Math.max(20, columns - marginColumns - placeText(branch).length);
  }

  #clearIdleLine(): void {
    const open = this.#view.open.at(-1)?.event;
    if (open && Date.now() - this.#lastLineAtMs >= silenceMs)
      this.#put(duration(this.#aliveMs()), 'faint', activityText(open, Date.now(), this.#speakers));
  }

  /** A run that is resumed was not alive between its last event and this process. */
  #aliveMs(): number {
    const { aliveMs, lastAtMs } = this.#view;
    return aliveMs + Math.max(0, Date.now() - Math.max(lastAtMs, this.#bornAtMs));
  }

  #status(): string {
    return statusText(this.#view, {
      nowMs: Date.now(),
      aliveMs: this.#aliveMs(),
      speakers: this.#speakers,
      waits: [...this.#waits.values()],
      progress: this.#progress,
    });
  }
}

function placeText(branch: string): string {
  return branch ? `[${branch}] ` : '';
}

function wordsOf(event: Event): DeltaPart[] {
  if (event.kind !== 'model-response' || event.body.status !== 'ok') return [];
  return list(field(event.body.result, 'message'), 'content').flatMap((part): DeltaPart[] => {
    const type = text(part, 'type');
    const said = text(part, 'text');
    return (type === 'text' || type === 'reasoning') && said.trim() !== '' ? [{ type, text: said }] : [];
  });
}
