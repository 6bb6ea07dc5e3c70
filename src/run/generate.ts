/**
 * A model call with its retries and repairs. Each attempt is an effect of its own at the same ordinal, with its own usage
 * and cost. What comes after an attempt is decided elsewhere (retry.ts), and so is what a reply is worth.
 */
import type { Header, ModelHeader, Position, Settlement } from '../core/event.ts';
import type { ModelFailure, ModelRequest, ModelSuccess } from '../core/model.ts';
import { type Deadline, lateReply, whileOfUse, withinUse } from './deadline.ts';
import type { PerformContext } from './effect-spec.ts';
import type { Engine } from './engine.ts';
import { judgeReply } from './judge-reply.ts';
import type { ModelCaller } from './model-caller.ts';
import { withUserSettings } from './model-settings.ts';
import { type CallPlan, type Permit, permitFor } from './permit.ts';
import { type Attempted, type NextStep, nextStep } from './retry.ts';
import { type Performed, throwUnlessOk } from './settling.ts';

export type GenerateCall = {
  readonly role: string;
  readonly request: ModelRequest;
  readonly index: number;
  readonly position: Position;
  readonly signal: AbortSignal;
  /** How long the run may have been alive for its answer to be of use. */
  readonly until?: () => number | null;
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
    const settlement = await makeAttempt(engine, caller, attempt);
    if (settlement.status === 'cancelled' && settlement.by === 'late') return lateReply;
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

async function makeAttempt(engine: Engine, caller: ModelCaller, attempt: Attempt): Promise<Settlement> {
  const plan = planOf(caller, attempt);
  const asked = permitFor(engine, caller, plan);
  const permit = asked instanceof Promise ? await asked : asked;
  let settlement: Settlement | null = null;
  try {
    settlement = await engine.perform(attemptSpec(caller, attempt, { plan, permit }));
    return settlement;
  } finally {
    permit.end(settlement);
  }
}

function deadlineOf({ aliveMs }: ModelCaller, { until }: GenerateCall): Deadline | null {
  return until ? { aliveMs, until } : null;
}

async function waitBefore(
  engine: Engine,
  caller: ModelCaller,
  wait: { call: GenerateCall; number: number; next: Extract<NextStep, { kind: 'again' }> },
): Promise<void> {
  const { clock, observer } = caller;
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
  const waitMs = withinUse(deadlineOf(caller, wait.call), wait.next.waitMs);
  await engine.pause({ ...position, attempt: wait.number }, waitMs, sleep, signal);
}

function occurrenceOf({ modelFor, questions }: ModelCaller, { role, request }: GenerateCall): number {
  const model = modelFor(role);
  if (!model?.questionKey) return 0;
  const question = `${role}\0${model.questionKey(request)}`;
  const count = questions.get(question) ?? 0;
  questions.set(question, count + 1);
  return count;
}

function planOf(caller: ModelCaller, { call, request: asked, number }: Attempt): CallPlan {
  const model = modelOf(caller.header, call.role);
  const request = withUserSettings(asked, model.settings);
  const inputTokens = caller.known.bound(model.spec, request);
  const position = { ...call.position, attempt: number };
  return { model, request, inputTokens, position, signal: call.signal };
}

function attemptSpec(
  caller: ModelCaller,
  attempt: Attempt,
  { plan, permit }: { plan: CallPlan; permit: Permit },
) {
  const { call, occurrence, number } = attempt;
  const { role, index, signal } = call;
  const { model, request, position } = plan;
  return {
    effect: 'model' as const,
    position,
    request: { role, model: model.spec, ...request },
    reserve: permit.reserve,
    ...(permit.refusal ? { refusal: permit.refusal } : {}),
    durable: model.kind === 'live',
    conversation: request.messages,
    signal,
    perform: async (context: PerformContext): Promise<Performed> => {
      const live = caller.modelFor(role);
      if (!live) throw new Error('A replay calls no model.');
      const ask = (until: AbortSignal) =>
        live.generate(bounded(request, permit.replyRoom(context.reservation)), {
          role,
          branch: position.branch,
          index,
          attempt: number,
          run: caller.header.runId,
          occurrence,
          signal: until,
          onPace: permit.hear,
          onDelta: (delta) => {
            // A model may go on speaking for a moment after its call was broken off and settled.
            if (!until.aborted) caller.observer.onDelta?.({ ...position, role, ...delta });
          },
        });
      const deadline = deadlineOf(caller, call);
      const reply = await permit.use(() => whileOfUse(deadline, context.signal, ask));
      if (reply.ok) tellNotices(caller, model.spec, reply.notices);
      return judgeReply(reply, request, model.price);
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
function bounded(request: ModelRequest, maxOutputTokens: number | undefined): ModelRequest {
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
