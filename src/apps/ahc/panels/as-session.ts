/**
 * The journal of any search for programs as that of a session, so that one fold shows them all: what the portfolio and its
 * engines note becomes notes of evolution, an island is an engine. Pure.
 */
import type { Event, EventOf } from '../../../core/event.ts';
import { positionKey } from '../../../core/history.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { type ProgramEvaluation, programEvaluation } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { EvolutionNoteKind } from '../../../notes/evolution.ts';
import { field, list, text } from '../../../text/json.ts';
import { type Counting, isMoreBetter } from '../session/course.ts';

/** By the number of their island, from 1. */
export const engines: readonly string[] = ['best-of-n', 'evolution', 'edit-and-test', 'parameter-search'];

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
  /** The last program of each conversation, which the next one changes. */
  readonly #last = new Map<string, string>();
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
    const at = kind.indexOf('/');
    const engine = at < 0 ? this.#agent : kind.slice(0, at);
    // Each engine works in a branch of its own, and numbers its programs from the beginning.
    const part = engine === this.#agent ? '' : `${event.branch.split('/')[0]} `;
    const what = kind.slice(at + 1);
    if (what === 'final' && part === '') return this.#final(event);
    if (what === 'program') return this.#candidate(event, engine, this.#program(event, engine, part));
    if (what === 'trial' && engine === 'parameter-search')
      return this.#candidate(event, engine, this.#trial(data, part));
    if (what !== 'candidate') return [];
    const parents = list(data, 'parents').map((id) => part + id);
    return this.#candidate(event, engine, { ...data, id: part + data.id, parents });
  }

  #program({ branch, body: { data } }: EventOf<'note'>, engine: string, part: string): JsonObject {
    const { cases, ...rest } = data;
    const id = `${part}program ${data.number}`;
    const source = text(data, 'source');
    const last = engine === 'edit-and-test' ? this.#last.get(branch) : undefined;
    if (source !== '') this.#last.set(branch, id);
    const how = last ? { parents: [last], operator: 'change' } : { parents: [], operator: 'initial' };
    return { ...rest, ...how, id, evaluation: { ...(this.#ran.get(source) ?? notRun) } };
  }

  /** It is noted when its program has just been run. */
  #trial(data: JsonObject, part: string): JsonObject {
    const { number = 0, values = {}, fate } = data;
    const evaluation = this.#ran.get(this.#newest) ?? notRun;
    const scores = evaluation.cases.map(({ score }) => score);
    const isWhole = fate === 'best' && !scores.includes(null);
    return {
      ...{ id: `${part}trial ${number}`, number, source: this.#newest, evaluation: { ...evaluation } },
      ...{ parents: this.#best ? [this.#best.id] : [], operator: 'tune', parameters: values, calls: 0 },
      summary: Object.entries(values ?? {})
        .map(([name, value]) => `${name} = ${value}`)
        .join(', '),
      status: isWhole ? 'evaluated' : 'cut',
      detail: isWhole ? '' : `no better on ${scores.length} cases`,
      score: isWhole ? mean(scores.filter((score) => score !== null)) : null,
    };
  }

  #candidate(event: EventOf<'note'>, engine: string, data: JsonObject): readonly Event[] {
    const usual = { generation: 0, parameters: {}, hints: [], tokens: { input: null, output: null } };
    const candidate = noted(event, 'candidate', { ...usual, ...data, island: engines.indexOf(engine) + 1 });
    const { id, score } = data;
    if (typeof score !== 'number' || typeof id !== 'string') return [candidate];
    const known = this.#best?.score;
    if (known !== undefined && (this.#isMore ? score <= known : score >= known)) return [candidate];
    this.#best = { id, score };
    return [candidate, noted(event, 'best', { id, generation: 0, score, because: 'better' })];
  }

  /** The portfolio names the engine whose program it is. */
  #final(event: EventOf<'note'>): readonly Event[] {
    const { chosen = '', cases = 0, because = '' } = event.body.data;
    const id = engines.includes(String(chosen)) ? (this.#best?.id ?? '') : chosen;
    return [noted(event, 'final', { chosen: id, cases, because, standings: [] })];
  }
}

function noted(event: EventOf<'note'>, kind: EvolutionNoteKind, data: JsonObject): Event {
  return { ...event, body: { ...event.body, kind, data } };
}

const notRun: ProgramEvaluation = { compiled: true, message: '', cases: [], backend: '' };
