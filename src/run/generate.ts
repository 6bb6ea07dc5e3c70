/**
 * A model call with its retries. Each attempt is an effect of its own at the same ordinal, with its own usage and cost;
 * whether to try again is decided from the settlement alone, so that a replay decides alike.
 */

import type { EffectError } from '../core/errors.ts';
import type { Header, ModelHeader, Position, RetryPolicy, Settlement } from '../core/event.ts';
import type { Clock } from '../core/io.ts';
import { type Reservation, type Room, reservationFor } from '../core/limits.ts';
import {
  isOutage,
  type Model,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSuccess,
} from '../core/model.ts';
import { costOf, type Usage } from '../core/usage.ts';
import type { PerformContext } from './effect-spec.ts';
import type { Engine } from './engine.ts';
import type { KnownInput } from './known-input.ts';
import { withUserSettings } from './model-settings.ts';
import { type Performed, PerformFailed, throwUnlessOk } from './settling.ts';
import type { Observer } from './world.ts';

export type GenerateCall = {
  readonly role: string;
  readonly request: ModelRequest;
  readonly index: number;
  readonly position: Position;
  readonly signal: AbortSignal;
};

export type ModelCaller = {
  readonly header: Header;
  readonly clock: Clock;
  readonly observer: Observer;
  /** The notices about settings that this life has told. */
  readonly told: Set<string>;
  readonly known: KnownInput;
  /** The model of a role; null in a replay, where none is ever called. */
  modelFor(role: string): Model | null;
  /** How often each question was asked, for models that want to know. The agent asks in the same order on a resume. */
  readonly questions: Map<string, number>;
};

export async function generate(
  engine: Engine,
  caller: ModelCaller,
  call: GenerateCall,
): Promise<ModelSuccess | ModelFailure> {
  const occurrence = occurrenceOf(caller, call);
  let lastError: EffectError | undefined;
  for (let attempt = 0; ; attempt += 1) {
    if (lastError) await waitBefore(engine, caller, call, { attempt, lastError });
    const settlement = await engine.perform(attemptSpec(caller, call, { attempt, occurrence }));
    throwUnlessOk(settlement);
    if (settlement.status === 'ok') return learnt(caller, call, toSuccess(settlement));
    lastError = settlement.error;
    if (!mayRetry(caller.header.retry, attempt, lastError)) return toFailure(settlement);
  }
}

/** A provider that wants to be left alone for longer than this is out of service: the run can be resumed later. */
const longestNamedWaitMs = 15 * 60_000;

function mayRetry({ maxRetries }: RetryPolicy, attempt: number, { model }: EffectError): boolean {
  if (model?.retryable !== true || attempt >= maxRetries) return false;
  return (model.retryAfterMs ?? 0) <= longestNamedWaitMs;
}

async function waitBefore(
  engine: Engine,
  { clock, header, observer }: ModelCaller,
  { role, position, signal }: GenerateCall,
  { attempt, lastError }: { attempt: number; lastError: EffectError },
): Promise<void> {
  const ms = waitMs(header.retry, attempt, lastError);
  const sleep = (waitFor: number, until: AbortSignal): Promise<void> => {
    if (waitFor >= 1_000) {
      observer.onNotice?.(
        `The ${role}'s call failed (${lastError.name}: ${lastError.message}); it is made again in ${Math.ceil(waitFor / 1000)} s.`,
      );
    }
    return clock.sleep(waitFor, until);
  };
  await engine.pause({ ...position, attempt }, ms, sleep, signal);
}

function occurrenceOf({ modelFor, questions }: ModelCaller, { role, request }: GenerateCall): number {
  const model = modelFor(role);
  if (!model?.questionKey) return 0;
  const question = `${role}\0${model.questionKey(request)}`;
  const count = questions.get(question) ?? 0;
  questions.set(question, count + 1);
  return count;
}

function attemptSpec(
  caller: ModelCaller,
  call: GenerateCall,
  { attempt, occurrence }: { attempt: number; occurrence: number },
) {
  const { role, index, position, signal } = call;
  const model = modelOf(caller.header, role);
  const { spec, price } = model;
  const request = withUserSettings(call.request, model.settings);
  const inputTokens = caller.known.bound(spec, request);
  return {
    effect: 'model' as const,
    position: { ...position, attempt },
    request: { role, model: spec, ...request },
    reserve: (room: Room) => reservationFor({ request, spec, price, inputTokens }, room),
    durable: model.kind === 'live',
    conversation: request.messages,
    signal,
    perform: async (context: PerformContext): Promise<Performed> => {
      const live = caller.modelFor(role);
      if (!live) throw new Error('A replay calls no model.');
      const reply = await live.generate(bounded(request, context.reservation), {
        role,
        branch: position.branch,
        index,
        attempt,
        run: caller.header.runId,
        occurrence,
        signal: context.signal,
        onDelta: (delta) => {
          // A model may go on speaking for a moment after its call was broken off and settled.
          if (!context.signal.aborted) caller.observer.onDelta?.({ ...position, attempt, role, ...delta });
        },
      });
      if (reply.ok) tellNotices(caller, spec, reply.notices);
      return toPerformed(reply, price);
    },
  };
}

/** Each but once, however often the model is asked. */
function tellNotices({ observer, told }: ModelCaller, spec: string, notices: readonly string[] = []): void {
  for (const notice of notices) {
    const whole = `${spec}: ${notice}`;
    if (told.has(whole)) continue;
    told.add(whole);
    observer.onNotice?.(whole);
  }
}

/** A request that bounds its reply: what the reservation says must hold. */
function bounded(request: ModelRequest, reservation: Reservation | null): ModelRequest {
  const maxOutputTokens = reservation?.outputTokens;
  return maxOutputTokens === undefined
    ? request
    : { ...request, settings: { ...request.settings, maxOutputTokens } };
}

function learnt({ header, known }: ModelCaller, { role, request }: GenerateCall, reply: ModelSuccess) {
  const { spec } = modelOf(header, role);
  known.learn(spec, request, reply.message, reply.usage.tokens);
  return reply;
}

function modelOf({ models }: Header, role: string): ModelHeader {
  const model = models[role] ?? models.default;
  if (!model) throw new Error(`No model is configured for the role ${role}.`);
  return model;
}

function waitMs({ firstWaitMs, maxWaitMs }: RetryPolicy, attempt: number, error: EffectError): number {
  return error.model?.retryAfterMs ?? Math.min(maxWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

function toPerformed(reply: ModelReply, price: Parameters<typeof costOf>[1]): Performed {
  const usage: Usage | null = reply.usage && {
    tokens: reply.usage.tokens,
    costUsd: reply.usage.costUsd ?? costOf(reply.usage.tokens, price),
  };
  if (!reply.ok) throw new PerformFailed(errorOf(reply), usage);
  const { message, finish, object, servedBy, notices } = reply;
  const result = {
    message,
    finish,
    ...(object === undefined ? {} : { object }),
    ...(servedBy === undefined ? {} : { servedBy }),
    ...(notices === undefined ? {} : { notices }),
  };
  return { result, ...(usage ? { usage } : {}) };
}

function errorOf({ error }: ModelFailure): EffectError {
  const { kind, message, retryable, retryAfterMs } = error;
  return {
    name: kind,
    message,
    ...(isOutage(kind) ? { unavailable: true } : {}),
    model: { kind, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  };
}

function toSuccess(settlement: Extract<Settlement, { status: 'ok' }>): ModelSuccess {
  const result = settlement.result as unknown as Omit<ModelSuccess, 'ok' | 'usage'>;
  return { ok: true, ...result, usage: settlement.usage ?? { tokens: null, costUsd: null } };
}

function toFailure({ error, usage }: Extract<Settlement, { status: 'error' }>): ModelFailure {
  const { model, message } = error;
  return {
    ok: false,
    error: { ...(model ?? { kind: 'other' as const, retryable: false }), message },
    usage: usage ?? null,
  };
}
