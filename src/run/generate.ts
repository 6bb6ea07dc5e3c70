/**
 * A model call with its retries and repairs. Each attempt is an effect of its own at the same ordinal, with its own usage
 * and cost. What comes after an attempt is decided elsewhere (retry.ts), and so is what a reply is worth.
 */
import type { Header, ModelHeader, Position } from '../core/event.ts';
import type { Clock } from '../core/io.ts';
import { type Reservation, type Room, reservationFor } from '../core/limits.ts';
import type { Model, ModelFailure, ModelRequest, ModelSuccess } from '../core/model.ts';
import type { PerformContext } from './effect-spec.ts';
import type { Engine } from './engine.ts';
import { judgeReply } from './judge-reply.ts';
import type { KnownInput } from './known-input.ts';
import { withUserSettings } from './model-settings.ts';
import { type Attempted, type NextStep, nextStep } from './retry.ts';
import { type Performed, throwUnlessOk } from './settling.ts';
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
  const attempts: Attempted[] = [];
  let { request } = call;
  for (;;) {
    const attempt = { call, request, number: attempts.length, occurrence };
    const settlement = await engine.perform(attemptSpec(caller, attempt));
    throwUnlessOk(settlement);
    attempts.push(settlement);
    if (settlement.status === 'ok') learn(caller, attempt, toSuccess(settlement));
    const next = nextStep(caller.header.retry, request, attempts);
    if (next.kind === 'return')
      return settlement.status === 'ok' ? toSuccess(settlement) : toFailure(settlement);
    if (next.kind === 'repair') request = next.request;
    else await waitBefore(engine, caller, { call, number: attempts.length, next });
  }
}

type Attempt = {
  readonly call: GenerateCall;
  /** The agent's, or one that asks for a better reply. */
  readonly request: ModelRequest;
  readonly number: number;
  readonly occurrence: number;
};

async function waitBefore(
  engine: Engine,
  { clock, observer }: ModelCaller,
  wait: { call: GenerateCall; number: number; next: Extract<NextStep, { kind: 'again' }> },
): Promise<void> {
  const { role, position, signal } = wait.call;
  const { name, message } = wait.next.because;
  const sleep = (waitFor: number, until: AbortSignal): Promise<void> => {
    if (waitFor >= 1_000) {
      observer.onNotice?.(
        `The ${role}'s call failed (${name}: ${message}); it is made again in ${Math.ceil(waitFor / 1000)} s.`,
      );
    }
    return clock.sleep(waitFor, until);
  };
  await engine.pause({ ...position, attempt: wait.number }, wait.next.waitMs, sleep, signal);
}

function occurrenceOf({ modelFor, questions }: ModelCaller, { role, request }: GenerateCall): number {
  const model = modelFor(role);
  if (!model?.questionKey) return 0;
  const question = `${role}\0${model.questionKey(request)}`;
  const count = questions.get(question) ?? 0;
  questions.set(question, count + 1);
  return count;
}

function attemptSpec(caller: ModelCaller, { call, request: asked, number: attempt, occurrence }: Attempt) {
  const { role, index, position, signal } = call;
  const model = modelOf(caller.header, role);
  const { spec, price } = model;
  const request = withUserSettings(asked, model.settings);
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
      return judgeReply(reply, request, price);
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

function learn({ header, known }: ModelCaller, { call, request }: Attempt, reply: ModelSuccess): void {
  known.learn(modelOf(header, call.role).spec, request, reply.message, reply.usage.tokens);
}

function modelOf({ models }: Header, role: string): ModelHeader {
  const model = models[role] ?? models.default;
  if (!model) throw new Error(`No model is configured for the role ${role}.`);
  return model;
}

function toSuccess(settlement: Extract<Attempted, { status: 'ok' }>): ModelSuccess {
  const result = settlement.result as unknown as Omit<ModelSuccess, 'ok' | 'usage'>;
  return { ok: true, ...result, usage: settlement.usage ?? { tokens: null, costUsd: null } };
}

function toFailure({ error, usage }: Extract<Attempted, { status: 'error' }>): ModelFailure {
  const { model, message } = error;
  return {
    ok: false,
    error: { ...(model ?? { kind: 'other' as const, retryable: false }), message },
    usage: usage ?? null,
  };
}
