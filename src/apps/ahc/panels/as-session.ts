/**
 * The journal of any search for programs as that of a session, so that one fold shows them all: what
 * `best-of-n` and `parameter-search` note becomes notes of evolution on one island. Pure.
 */
import type { Event, EventOf } from '../../../core/event.ts';
import { positionKey } from '../../../core/history.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { type ProgramEvaluation, programEvaluation } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { EvolutionNoteKind } from '../../../notes/evolution.ts';
import { field, text } from '../../../text/json.ts';
import { type Counting, isMoreBetter } from '../session/course.ts';

export function asSession(events: readonly Event[], agent: string, counting: Counting): readonly Event[] {
  if (agent === 'evolution') return events;
  const translator = new Translator(agent, isMoreBetter(counting));
  return events.flatMap((event) => translator.translated(event));
}

class Translator {
  readonly #agent: string;
  readonly #isMore: boolean;
  /** What each program came to, by its text; and those that are being run, by their positions. */
  readonly #ran = new Map<string, ProgramEvaluation>();
  readonly #running = new Map<string, string>();
  #best: { readonly id: string; readonly score: number } | null = null;
  #newest = '';

  constructor(agent: string, isMore: boolean) {
    this.#agent = agent;
    this.#isMore = isMore;
  }

  translated(event: Event): readonly Event[] {
    if (event.kind === 'note') return this.#ofNote(event);
    if (event.kind === 'evaluate-start') {
      const source = text(event.body, 'source');
      if (!this.#ran.has(source)) this.#newest = source;
      this.#running.set(positionKey(event), source);
    }
    if (event.kind === 'evaluate-end' && event.body.status === 'ok') {
      const read = programEvaluation.safeParse(field(event.body.result as Json, 'data'));
      if (read.success) this.#learn(this.#running.get(positionKey(event)) ?? '', read.data);
    }
    return [event];
  }

  #learn(source: string, now: ProgramEvaluation): void {
    const names = new Set(now.cases.map(({ name }) => name));
    const before = (this.#ran.get(source)?.cases ?? []).filter(({ name }) => !names.has(name));
    this.#ran.set(source, { ...now, cases: [...before, ...now.cases] });
  }

  #ofNote(event: EventOf<'note'>): readonly Event[] {
    const { kind, data } = event.body;
    if (kind === 'final') return this.#final(event);
    if (kind === 'program') return this.#candidate(event, this.#program(data));
    if (kind === 'trial' && this.#agent === 'parameter-search')
      return this.#candidate(event, this.#trial(data));
    return [];
  }

  #program(data: JsonObject): JsonObject {
    const { cases, ...rest } = data;
    const evaluation = { ...(this.#ran.get(text(data, 'source')) ?? notRun) };
    return { ...rest, parents: [], operator: 'initial', id: `program ${data.number}`, evaluation };
  }

  /** It is noted when its program has just been run. */
  #trial(data: JsonObject): JsonObject {
    const { number = 0, values = {}, fate } = data;
    const evaluation = this.#ran.get(this.#newest) ?? notRun;
    const scores = evaluation.cases.map(({ score }) => score);
    const isWhole = fate === 'best' && !scores.includes(null);
    return {
      ...{ id: `trial ${number}`, number, source: this.#newest, evaluation: { ...evaluation } },
      ...{ parents: this.#best ? [this.#best.id] : [], operator: 'tune', parameters: values, calls: 0 },
      summary: Object.entries(values ?? {})
        .map(([name, value]) => `${name} = ${value}`)
        .join(', '),
      status: isWhole ? 'evaluated' : 'cut',
      detail: isWhole ? '' : `no better on ${scores.length} cases`,
      score: isWhole ? mean(scores.filter((score) => score !== null)) : null,
    };
  }

  #candidate(event: EventOf<'note'>, data: JsonObject): readonly Event[] {
    const usual = { generation: 0, parameters: {}, hints: [], tokens: { input: null, output: null } };
    const candidate = noted(event, 'candidate', { ...usual, ...data, island: 1 });
    const { id, score } = data;
    if (typeof score !== 'number' || typeof id !== 'string') return [candidate];
    const known = this.#best?.score;
    if (known !== undefined && (this.#isMore ? score <= known : score >= known)) return [candidate];
    this.#best = { id, score };
    return [candidate, noted(event, 'best', { id, generation: 0, score, because: 'better' })];
  }

  #final(event: EventOf<'note'>): readonly Event[] {
    const { chosen = '', cases = 0, because = '' } = event.body.data;
    return [noted(event, 'final', { chosen, cases, because, standings: [] })];
  }
}

function noted(event: EventOf<'note'>, kind: EvolutionNoteKind, data: JsonObject): Event {
  return { ...event, body: { ...event.body, kind, data } };
}

const notRun: ProgramEvaluation = { compiled: true, message: '', cases: [], backend: '' };
