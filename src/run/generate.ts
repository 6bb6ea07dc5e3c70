/** A model call with its retries and repairs. Each attempt is an effect of the same ordinal, with its own usage. */
import { z } from 'zod';
import { inputBound } from '../core/bound.ts';
import { keepMessages } from '../core/conversation.ts';
import { type EffectError, isProviderOutage } from '../core/errors.ts';
import type { Header, ModelHeader, Position, RetryPolicy, Settlement } from '../core/event.ts';
import type { Adaptation } from '../core/history.ts';
import type { Json, JsonObject } from '../core/json.ts';
import {
  type AssistantMessage,
  emptyReplyText,
  isEmptyReply,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSuccess,
  type OutputLimit,
  type ServerQuirk,
} from '../core/model.ts';
import { costOfTier } from '../core/service-tiers.ts';
import type { Usage } from '../core/usage.ts';
import type { Engine } from './engine.ts';
import {
  limitNotice,
  limitToTry,
  maxReplyTokens,
  nextQuirk,
  quirkNotices,
  wasAccepted,
  wasSameServer,
} from './learned-quirks.ts';
import { withUserSettings } from './model-settings.ts';
import { acquirePermit, type CallPlan, type ModelCaller, type Permit } from './permit.ts';
import type { Deadline, EffectSpec, Performed } from './settling.ts';
import { lateReply, PerformFailed, throwUnlessOk, withDeadline, withinUse } from './settling.ts';

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
  const attempts: AttemptResult[] = [];
  const tried: ServerQuirk[] = [];
  let outputLimit: OutputLimit | null = null;
  const model = modelOf(caller.header, call.role);
  let { request } = call;
  for (;;) {
    const recordedEffect = engine.recordedAt({ ...call.position, attempt: attempts.length });
    const adaptation = recordedEffect?.adaptation ?? {
      quirks: caller.quirks.inForce(model, tried),
      outputLimit: outputLimit ?? caller.quirks.limitOf(model) ?? undefined,
    };
    const attempt = { call, request, number: attempts.length, adaptation, triedLimit: outputLimit };
    const settlement = await makeAttempt(engine, caller, attempt);
    if (settlement.status === 'cancelled' && settlement.by === 'late') return lateReply;
    throwUnlessOk(settlement);
    attempts.push(settlement);
    const reply = settlement.status === 'ok' ? toSuccess(settlement) : toFailure(settlement);
    if (reply.ok) {
      const modelRequest = withUserSettings(request, model.settings);
      caller.known?.record(model.spec, modelRequest, reply.message, reply.usage.tokens);
    }
    if (wasAccepted(settlement) && wasSameServer(caller.header, model, recordedEffect))
      learnQuirks(caller, model, {
        adaptation,
        tried,
        triedLimit: outputLimit,
        isNew: !recordedEffect?.settlement,
      });
    const quirk = nextQuirk(settlement, tried);
    if (quirk !== null) {
      tried.push(quirk);
      continue;
    }
    const limit = limitToTry(settlement, outputLimit);
    if (limit !== null) {
      outputLimit = limit;
      continue;
    }
    const next = nextStep(caller.header.retry, request, attempts);
    if (next.kind === 'return') return reply;
    if (next.kind === 'repair') request = next.request;
    else await waitBefore(engine, caller, { call, number: attempts.length, next });
  }
}

type Attempt = {
  readonly call: GenerateCall;
  /** The agent's, or one that asks for a better reply. */
  readonly request: ModelRequest;
  readonly number: number;
  readonly adaptation: Adaptation;
  /** What an earlier attempt of this call was refused for. */
  readonly triedLimit: OutputLimit | null;
};

async function makeAttempt(engine: Engine, caller: ModelCaller, attempt: Attempt): Promise<Settlement> {
  const plan = planOf(caller, attempt);
  const asked = acquirePermit(engine, caller, plan);
  const permit = asked instanceof Promise ? await asked : asked;
  let settlement: Settlement | null = null;
  try {
    settlement = await engine.perform(attemptSpec(engine, caller, { attempt, plan, permit }));
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
  const { name, message, model } = wait.next.because;
  // A script needs no rest; one that names a wait has it.
  const isHasty = modelOf(caller.header, role).kind === 'script' && model?.retryAfterMs === undefined;
  const waitMs = withinUse(deadlineOf(caller, wait.call), isHasty ? 0 : wait.next.waitMs);
  const sleep = (until: AbortSignal): Promise<void> => {
    if (waitMs >= 1_000) {
      observer.onNotice?.(
        `The ${role}'s call failed (${name}: ${message}); it is made again in ${Math.ceil(waitMs / 1000)} s.`,
      );
    }
    return clock.sleep(waitMs, until);
  };
  await engine.waitFor(sleep, { position: { ...position, attempt: wait.number }, signal, isRetry: true });
}

function planOf({ header, known }: ModelCaller, { call, request: modelRequest, number }: Attempt): CallPlan {
  const model = modelOf(header, call.role);
  const request = withUserSettings(modelRequest, model.settings);
  const position = { ...call.position, attempt: number };
  const inputTokens = (): number => known?.bound(model.spec, request) ?? inputBound(request, model.spec);
  const overlong = known?.maxKnownInput(model.spec) ?? 0;
  return { model, request, inputTokens, overlong, position, signal: call.signal };
}

function attemptSpec(
  engine: Engine,
  caller: ModelCaller,
  { attempt, plan, permit }: { attempt: Attempt; plan: CallPlan; permit: Permit },
): EffectSpec {
  const { call, number, adaptation, triedLimit } = attempt;
  const { role, index, signal } = call;
  const { model, request, position } = plan;
  const { quirks = [], outputLimit } = adaptation;
  return {
    effect: 'model',
    position,
    request: { role, model: model.spec, ...request },
    recorded: {
      ...(quirks.length > 0 ? { quirks: [...quirks] } : {}),
      ...(outputLimit ? { outputLimit } : {}),
    },
    reserve: permit.reserve,
    refusal: permit.refusal,
    durable: model.kind === 'live',
    conversation: request.messages,
    signal,
    perform: async (context) => {
      const live = caller.modelFor(role);
      if (!live) throw new Error('A replay calls no model.');
      if (quirks.includes('no-output-limit') && permit.isLimited(engine.room))
        throw noOutputLimitFailure(model);
      // What the reservation says of a reply must hold.
      const wished = permit.replyRoom(context.reservation) ?? request.settings?.maxOutputTokens;
      const maxOutputTokens =
        wished && Math.min(wished, maxReplyTokens(triedLimit, outputLimit, plan.inputTokens));
      const modelRequest =
        maxOutputTokens === undefined ? request : withUserSettings(request, { maxOutputTokens });
      const ask = (until: AbortSignal) =>
        live.generate(modelRequest, {
          role,
          branch: position.branch,
          index,
          attempt: number,
          run: caller.header.runId,
          signal: until,
          quirks,
          onPace: permit.hear,
          onDelta: (delta) => {
            // A model may go on speaking for a moment after its call was broken off and settled.
            if (!until.aborted) caller.observer.onDelta?.({ ...position, role, ...delta });
          },
        });
      const deadline = deadlineOf(caller, call);
      const reply = await permit.use(() => withDeadline(deadline, context.signal, ask));
      if (reply.ok) reportNotices(caller, model.spec, reply.notices);
      return judgeReply(reply, request, model);
    },
  };
}

function learnQuirks(
  caller: ModelCaller,
  model: ModelHeader,
  {
    adaptation: { quirks = [], outputLimit },
    tried,
    triedLimit,
    isNew,
  }: Pick<Attempt, 'adaptation' | 'triedLimit'> & { tried: readonly ServerQuirk[]; isNew: boolean },
): void {
  // What the configuration of a run said is not known to its forks, which may have another.
  const before = caller.header.fork?.models.find(({ spec }) => spec === model.spec)?.quirks ?? [];
  const learned = caller.quirks.addQuirks(
    model,
    quirks.filter((quirk) => tried.includes(quirk) || !before.includes(quirk)),
  );
  const notices = learned.filter((quirk) => tried.includes(quirk)).map((quirk) => quirkNotices[quirk]);
  if (outputLimit && caller.quirks.addLimit(model, outputLimit) && triedLimit)
    notices.push(limitNotice(triedLimit));
  if (isNew) reportNotices(caller, model.spec, notices);
}

/** The reservation of a call is a bound only while its server keeps the reply within it. */
function noOutputLimitFailure({ spec }: ModelHeader): PerformFailed {
  const message = `The call was not made: the server of ${spec} accepts no limit on the length of a reply, so it could cost more than the budget or the limit on tokens allows. Run it without --budget and --max-tokens, or choose another model.`;
  return new PerformFailed(errorOf({ kind: 'bad-request', message, retryable: false }), null);
}

/** Each once, however often the model is asked. */
function reportNotices({ observer, told }: ModelCaller, spec: string, notices: readonly string[] = []): void {
  for (const notice of notices) {
    const text = `${spec}: ${notice}`;
    if (told.has(text)) continue;
    told.add(text);
    observer.onNotice?.(text);
  }
}

function modelOf({ models }: Header, role: string): ModelHeader {
  const model = models[role] ?? models.default;
  if (!model) throw new Error(`No model is configured for the role ${role}.`);
  return model;
}

function toSuccess(settlement: Extract<AttemptResult, { status: 'ok' }>): ModelSuccess {
  const result = settlement.result as unknown as Omit<ModelSuccess, 'ok' | 'usage'>;
  return { ok: true, ...result, usage: settlement.usage ?? { tokens: null, costUsd: null } };
}

function toFailure({ error, usage }: Extract<AttemptResult, { status: 'error' }>): ModelFailure {
  const { model, message } = error;
  return {
    ok: false,
    error: { ...(model ?? { kind: 'other' as const, retryable: false }), message },
    usage: usage ?? null,
  };
}

/** Throws `PerformFailed` where the call has failed, with what it cost. */
function judgeReply(reply: ModelReply, request: ModelRequest, { spec, price }: ModelHeader): Performed {
  const { tokens = null, costUsd } = reply.usage ?? {};
  const tier = reply.ok ? reply.serviceTier : undefined;
  const usage = reply.usage && { tokens, costUsd: costUsd ?? costOfTier(tokens, price, { spec, tier }) };
  if (reply.ok) return judgeSuccess(reply, request, usage);
  if (reply.error.kind === 'refusal')
    return toPerformed({ message: noWords, finish: 'refusal', rawFinish: reply.error.message }, usage);
  throw new PerformFailed(errorOf(reply.error), usage);
}

const noWords: AssistantMessage = { role: 'assistant', content: [] };

function judgeSuccess(reply: ModelSuccess, request: ModelRequest, usage: Usage | null): Performed {
  if (isEmptyReply(reply))
    throw new PerformFailed(
      errorOf({ kind: 'malformed', message: emptyReplyText(reply), retryable: true }),
      usage,
    );
  const { ok: _, usage: __, ...result } = reply;
  const misfit = outputMismatch(reply, request);
  return toPerformed(misfit === null ? result : { ...result, misfit }, usage);
}

function toPerformed(result: Omit<ModelSuccess, 'ok' | 'usage'>, usage: Usage | null): Performed {
  return { result: result as unknown as Json, usage: usage ?? undefined };
}

function errorOf({ message, ...model }: ModelFailure['error']): EffectError {
  const unavailable = isProviderOutage(model.kind) || undefined;
  return { name: model.kind, message, unavailable, model };
}

/**
 * Why a reply is not what `output` asked for; null where it is, and where it is not what answers this turn: nothing of a
 * reply that was cut off counts, and one that refused would do the same again.
 */
function outputMismatch(reply: ModelSuccess, { output }: ModelRequest): string | null {
  if (!output || reply.finish !== 'stop') return null;
  if (reply.object === undefined) return 'it is no JSON.';
  const parsed = schemaOf(output.schema)?.safeParse(reply.object);
  return parsed && !parsed.success ? z.prettifyError(parsed.error) : null;
}

/** By the schema itself: a run asks with the same one again and again. */
const schemas = new WeakMap<JsonObject, z.ZodType | null>();

/** Null for a schema that cannot be read: its replies are the caller's to judge. */
function schemaOf(schema: JsonObject): z.ZodType | null {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  let read: z.ZodType | null = null;
  try {
    read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {}
  schemas.set(schema, read);
  return read;
}

type AttemptResult = Extract<Settlement, { status: 'ok' | 'error' }>;

type NextStep =
  | { readonly kind: 'return' }
  | { readonly kind: 'again'; readonly waitMs: number; readonly because: EffectError }
  /** The reply is shown to its model with what is wrong with it. */
  | { readonly kind: 'repair'; readonly request: ModelRequest };

/** What came of the attempts so far, the last one last. */
function nextStep(policy: RetryPolicy, request: ModelRequest, attempts: readonly AttemptResult[]): NextStep {
  const last = attempts.at(-1);
  if (last?.status === 'error') return afterFailure(policy, attempts, last.error);
  const reply = last?.result as unknown as ModelSuccess | undefined;
  const repaired = attempts.filter(({ status }) => status === 'ok').length - 1;
  const isAllowed = request.output?.repair !== false && repaired < (policy.maxRepairs ?? 0);
  if (!reply?.misfit || !isAllowed) return { kind: 'return' };
  return { kind: 'repair', request: repairOf(request, reply, reply.misfit) };
}

/** A provider that wants to be left alone for longer than this is out of service: the run can be resumed later. */
const longestNamedWaitMs = 15 * 60_000;

function afterFailure(policy: RetryPolicy, attempts: readonly AttemptResult[], error: EffectError): NextStep {
  const { retryable = false, retryAfterMs, kind } = error.model ?? {};
  if (!retryable || (retryAfterMs ?? 0) > longestNamedWaitMs) return { kind: 'return' };
  const failures = attempts.flatMap((each) =>
    each.status === 'error' && !isSolvedByModelChange(each.error) ? each.error : [],
  );
  const alike = failures.filter(({ model }) => model?.kind === kind).length;
  // A malformed reply was paid for, and waiting does not repair it.
  const most = kind === 'malformed' ? (policy.maxMalformedRetries ?? policy.maxRetries) : policy.maxRetries;
  if (failures.length > policy.maxRetries || alike > most) return { kind: 'return' };
  const doubled = Math.min(policy.maxWaitMs, policy.firstWaitMs * 2 ** (failures.length - 1));
  return { kind: 'again', waitMs: retryAfterMs ?? doubled, because: error };
}

/** The call was made again with what the server takes: such a failure counts as no retry. */
function isSolvedByModelChange({ model }: EffectError): boolean {
  return model?.quirk !== undefined || model?.outputLimit !== undefined;
}

function repairOf(request: ModelRequest, { message }: ModelSuccess, misfit: string): ModelRequest {
  const words = `Your reply does not have the form that was asked for: ${misfit}\nReply again, with nothing but JSON of that form.`;
  const messages = keepMessages([...request.messages, message, { role: 'user', content: words }]);
  return { ...request, messages };
}
