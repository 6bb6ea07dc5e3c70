/** What the servers of a run's models were found to refuse: a fold over its calls, the same in each process of the run. */
import type { Header, ModelHeader, Settlement } from '../core/event.ts';
import type { RecordedEffect } from '../core/history.ts';
import { isJsonObject, jsonIn } from '../core/json.ts';
import { applicableQuirks, type OutputLimit, type ServerQuirk, serverQuirks } from '../core/model.ts';

export class LearnedQuirks {
  readonly #byServer = new Map<string, Set<ServerQuirk>>();
  readonly #limits = new Map<string, LearnedLimit>();
  /** What all runs of this process have learned: an intent records what it takes from there. */
  readonly #shared: LearnedQuirks | undefined;

  constructor(shared?: LearnedQuirks) {
    this.#shared = shared;
  }

  /** All that holds for one more call: configured, learned, or tried by this call. */
  inForce(model: ModelHeader, attempt: readonly ServerQuirk[]): readonly ServerQuirk[] {
    const all = new Set([...(model.quirks ?? []), ...this.quirksFor(model), ...attempt]);
    return serverQuirks.filter((quirk) => all.has(quirk));
  }

  quirksFor(model: ModelHeader): readonly ServerQuirk[] {
    return [...(this.#byServer.get(serverOf(model)) ?? []), ...(this.#shared?.quirksFor(model) ?? [])];
  }

  /** Returns those that were not known. */
  addQuirks(model: ModelHeader, request: readonly ServerQuirk[]): readonly ServerQuirk[] {
    const known = this.#byServer.get(serverOf(model)) ?? new Set(model.quirks);
    this.#byServer.set(serverOf(model), known);
    const added = applicableQuirks(request).filter((quirk) => !known.has(quirk));
    for (const quirk of added) known.add(quirk);
    this.#shared?.addQuirks(model, added);
    return added;
  }

  /** What is known of the length of its replies; null where nothing is. */
  limitOf(model: ModelHeader): LearnedLimit | null {
    return this.#limits.get(serverOf(model)) ?? this.#shared?.limitOf(model) ?? null;
  }

  /** Whether it was not known. */
  addLimit(model: ModelHeader, limit: LearnedLimit): boolean {
    const known = this.#limits.get(serverOf(model)) ?? {};
    const name = limit.contextTokens === undefined ? 'tokens' : 'contextTokens';
    const { [name]: found = Number.POSITIVE_INFINITY } = limit;
    if (found >= (known[name] ?? Number.POSITIVE_INFINITY)) return false;
    this.#limits.set(serverOf(model), { ...known, [name]: found });
    this.#shared?.addLimit(model, limit);
    return true;
  }
}

/** `contextTokens`: of input and reply together. */
export type LearnedLimit = Partial<OutputLimit>;

/** The limit with which this call is to be made once more, and only once. */
export function limitToTry(settlement: Settlement, outputLimit: OutputLimit | null): OutputLimit | null {
  if (settlement.status !== 'error' || outputLimit !== null) return null;
  return settlement.error.model?.outputLimit ?? null;
}

/** A bound on the input may be far above it: where it leaves too little, the server is asked. */
export function maxReplyTokens(
  tried: OutputLimit | null,
  learned: LearnedLimit | undefined,
  inputTokens: () => number,
): number {
  if (tried) return tried.tokens;
  const { tokens = Number.POSITIVE_INFINITY, contextTokens } = learned ?? {};
  if (contextTokens === undefined) return tokens;
  const left = contextTokens - inputTokens();
  return left < leastReplyTokens ? tokens : Math.min(tokens, left);
}

const leastReplyTokens = 1024;

export function limitNotice({ tokens, contextTokens }: OutputLimit): string {
  return contextTokens === undefined
    ? `It takes at most ${tokens} tokens for a reply; no higher limit is sent.`
    : `Its context has ${contextTokens} tokens; the limit on a reply is what its input leaves of them.`;
}

/** The quirk with which this call is to be made once more. */
export function nextQuirk(settlement: Settlement, attempt: readonly ServerQuirk[]): ServerQuirk | null {
  const quirk = settlement.status === 'error' ? settlement.error.model?.quirk : undefined;
  return quirk === undefined || attempt.includes(quirk) ? null : quirk;
}

/** The server has read the request; one that is busy, or refuses it for another reason, says nothing of its fields. */
export function wasAccepted(settlement: Settlement): boolean {
  if (settlement.status !== 'error') return settlement.status === 'ok';
  const { kind } = settlement.error.model ?? {};
  return kind === 'malformed' || kind === 'context-overflow';
}

/** Before its fork, a run may have called another server in this role. */
export function wasSameServer(
  header: Header,
  model: ModelHeader,
  recordedEffect: RecordedEffect | undefined,
): boolean {
  if (!recordedEffect || recordedEffect.seq > (header.fork?.seq ?? 0)) return true;
  const request = jsonIn(recordedEffect.asked ?? '');
  const before = header.fork?.models.find(({ spec }) => spec === model.spec);
  return isJsonObject(request) && request.model === model.spec && before?.baseUrl === model.baseUrl;
}

function serverOf({ spec, baseUrl = '' }: ModelHeader): string {
  return `${spec}\n${baseUrl}`;
}

/** For people. */
export const quirkNotices: Readonly<Record<ServerQuirk, string>> = {
  'json-object': 'It refuses response_format json_schema; json_object is sent instead.',
  'json-in-prompt': 'It refuses response_format; the schema is sent in the prompt instead.',
  'max-completion-tokens': 'It refuses max_tokens; max_completion_tokens is sent instead.',
  'no-output-limit': 'It refuses every limit on the length of a reply; none is sent.',
  'no-stream-options': 'It refuses stream_options; usage may be unknown.',
  'no-stream': 'It refuses to stream; its replies arrive in one piece.',
  'no-temperature': 'It refuses temperature; none is sent.',
  'no-top-p': 'It refuses top_p; none is sent.',
  'no-seed': 'It refuses seed; none is sent.',
  'no-reasoning-effort': 'It refuses reasoning_effort; none is sent.',
  'no-parallel-tool-calls': 'It refuses parallel_tool_calls; none is sent.',
  'alternate-roles': 'It refuses neighbouring messages of one role; they are joined.',
  'no-system-role': 'It refuses system messages; the instructions are sent in the first user message.',
  'no-reasoning-history': 'It refuses the thoughts of earlier turns; they are not sent back.',
  'null-content': 'It refuses empty texts; turns that only call tools are sent with none.',
};
