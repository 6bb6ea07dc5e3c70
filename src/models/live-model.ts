/** What the contract of a model asks of every provider's wire: settings, aborts, costs, secrets. One call, nothing thrown. */
import { APICallError } from '@ai-sdk/provider';
import { changeStrings } from '../core/json.ts';
import {
  type AdaptedSettings,
  type AssistantMessage,
  hasThoughts,
  type Model,
  type ModelCall,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSettings,
  type ModelSuccess,
  type ServerQuirk,
  textOf,
  type UserMessage,
} from '../core/model.ts';
import { costOfTier } from '../core/service-tiers.ts';
import type { Usage } from '../core/usage.ts';
import { jsonInReply } from '../text/model-json.ts';
import { failureOf } from './ai-sdk-failure.ts';
import { type Collected, judgeCalls } from './collected.ts';
import type { Connection } from './provider.ts';
import { paceOf } from './rate-headers.ts';
import { createSecretRedactor, redact } from './redact.ts';
import { withQuirk } from './refused-field.ts';
import { abortedFailure, failure, unknownUsage } from './reply.ts';
import { applyRules, type SettingRule } from './settings-rules.ts';

export type LiveModelOptions = Connection & {
  readonly takes: Model['takes'];
  readonly rules: readonly SettingRule[];
  /** Changes settings that this conversation does not allow, after the rules were applied. */
  readonly refine?: (settings: ModelSettings, messages: ModelRequest['messages']) => AdaptedSettings;
  /** Its usage says what a call cost, in dollars: that goes before any table of prices. */
  readonly tellsCost?: boolean;
  /** What its server refuses, where the error says so: only for a wire that knows what to send instead. */
  readonly quirkOf?: (error: APICallError) => ServerQuirk | undefined;
};

/** Sends one request, whose settings the model takes, and reads its reply. May throw, also what a stream broke with. */
export type Exchange = (request: ModelRequest, call: ModelCall) => Promise<Collected>;

export function liveModel(options: LiveModelOptions, exchange: Exchange): Model {
  const { id, price, takes, rules } = options;
  const adapt = (settings: ModelSettings) => applyRules(rules, settings);
  return {
    id,
    kind: 'live',
    takes,
    price,
    adapt,
    async generate(request, call) {
      const adaptation = adapt(request.settings ?? {});
      const refined = options.refine?.(adaptation.settings, request.messages);
      const { settings } = refined ?? adaptation;
      const received = await generate(options, exchange, { request: { ...request, settings }, call });
      const reply = received.ok ? received : suggestOutputLimit(received, settings);
      if (!reply.ok) return reply;
      const notices = [
        ...adaptation.notices,
        ...(refined?.notices ?? []),
        ...(reply.notices ?? []),
        ...outputLimitNotices(reply, settings),
      ];
      return notices.length > 0 ? { ...reply, notices } : reply;
    },
  };
}

async function generate(
  options: LiveModelOptions,
  exchange: Exchange,
  { request, call }: { readonly request: ModelRequest; readonly call: ModelCall },
): Promise<ModelReply> {
  if (call.signal.aborted) return abortedFailure(null);
  if (!options.takes.images && hasImages(request)) {
    return failure('bad-request', `The model ${options.id} cannot see, and the request has an image.`, {
      retryable: false,
      usage: null,
    });
  }
  try {
    const clean = createKeyRedactor(options.apiKey);
    const received = await exchange(request, redactDeltas(call, clean));
    const collected = withoutKey(judgeCalls(received, request), clean);
    const { tokens, reportedCostUsd, failure: failed, ...reply } = collected;
    const reported = options.tellsCost ? reportedCostUsd : undefined;
    const response = { spec: options.id, tier: reply.serviceTier };
    const usage = { tokens, costUsd: reported ?? costOfTier(tokens, options.price, response) };
    if (failed) {
      // A failure has no tier: where that makes the cost unknown, nothing of its usage is reported.
      const known = reply.serviceTier === undefined || usage.costUsd !== null ? usage : unknownUsage;
      if (call.signal.aborted) return abortedFailure(known);
      return redactFailure(withRetryPrompt(failed, reply.message, call), options, {
        usage: known,
        partialText: textOf(reply.message),
      });
    }
    const object = request.output ? jsonInReply(textOf(reply.message)) : undefined;
    return { ok: true, ...reply, usage, object };
  } catch (error) {
    // The signal is asked, not the error: an abort surfaces under many names.
    if (call.signal.aborted) return abortedFailure(unknownUsage);
    const judged = failureOf(error, Date.now());
    if (!APICallError.isInstance(error)) return redactFailure(judged, options);
    reportPace(error.responseHeaders, call);
    return redactFailure(withQuirk(judged, options.quirkOf?.(error)), options);
  }
}

/** A lower limit helps only where a higher one was sent; else the input alone is too long for the context. */
function suggestOutputLimit(failed: ModelFailure, { maxOutputTokens = 0 }: ModelSettings): ModelFailure {
  const { outputLimit, ...error } = failed.error;
  if (!outputLimit || maxOutputTokens > outputLimit.tokens) return failed;
  const isFull = outputLimit.contextTokens !== undefined;
  return { ...failed, error: isFull ? { ...error, kind: 'context-overflow' } : error };
}

/** Servers count roughly; so much more is no rounding. */
const ignoredLimitFactor = 3;

function outputLimitNotices({ usage }: ModelSuccess, { maxOutputTokens }: ModelSettings): readonly string[] {
  const count = usage.tokens?.output ?? 0;
  if (maxOutputTokens === undefined || count < ignoredLimitFactor * maxOutputTokens) return [];
  const times = `${ignoredLimitFactor} times as many tokens as it was asked for, or more`;
  return [
    `Its server ignores the limit on the length of a reply: it wrote ${times}. Calls may cost more than they reserve.`,
  ];
}

/** Thoughts alone, again, will be so the next time, too. */
function withRetryPrompt(
  failed: ModelFailure,
  message: AssistantMessage,
  { attempt }: ModelCall,
): ModelFailure {
  const { error } = failed;
  const isHopeless =
    attempt > 0 && error.kind === 'malformed' && hasThoughts(message) && textOf(message) === '';
  return isHopeless ? { ...failed, error: { ...error, retryable: false } } : failed;
}

/** A key that is spread over two deltas passes here; deltas are shown and forgotten, the complete text is kept. */
function redactDeltas(call: ModelCall, clean: (text: string) => string): ModelCall {
  const { onDelta } = call;
  return onDelta ? { ...call, onDelta: (delta) => onDelta(changeStrings(delta, clean)) } : call;
}

function withoutKey(collected: Collected, clean: (text: string) => string): Collected {
  const { message, failure: failed, ...fields } = collected;
  const cleaned = changeStrings(message, clean, { names: true });
  return { ...changeStrings(fields, clean), message: cleaned, failure: failed };
}

export function reportPace(
  headers: Readonly<Record<string, string>> = {},
  { onPace }: Pick<ModelCall, 'onPace'>,
): void {
  const pace = onPace && paceOf(headers, Date.now());
  if (pace) onPace(pace);
}

const maxMessageLength = 500;

/** With what a stream that failed had brought all the same. */
function redactFailure(
  { error, usage: judged }: ModelFailure,
  { apiKey }: LiveModelOptions,
  arrived?: { readonly usage: Usage; readonly partialText: string },
): ModelFailure {
  const clean = redact(error.message, [apiKey]);
  const message = clean.length > maxMessageLength ? `${clean.slice(0, maxMessageLength)}…` : clean;
  const partial = arrived?.partialText ? { partialText: arrived.partialText } : {};
  const usage = arrived?.usage.tokens ? arrived.usage : judged;
  return { ok: false, error: { ...error, message, ...partial }, usage };
}

/** A server without keys takes any word as one, and a model must be free to say `none` or `12345`. */
function createKeyRedactor(apiKey: string): (text: string) => string {
  const looksLikeKey =
    apiKey.length >= 16 || (apiKey.length >= 8 && /[a-z]/i.test(apiKey) && /[^a-z]/i.test(apiKey));
  return createSecretRedactor(looksLikeKey ? [apiKey] : []);
}

function hasImages({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'user' && typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  );
}

/** The instructions as the beginning of the user's first turn, for models that have no role for them. */
export function withoutSystemRole(request: ModelRequest): ModelRequest {
  const instructions = request.messages.flatMap((each) => (each.role === 'system' ? [each.content] : []));
  if (instructions.length === 0) return request;
  const rest = request.messages.filter(({ role }) => role !== 'system');
  const [first, ...siblings] = rest;
  const added: UserMessage['content'] = [{ type: 'text', text: instructions.join('\n\n') }];
  if (first?.role !== 'user') return { ...request, messages: [{ role: 'user', content: added }, ...rest] };
  const { content } = first;
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return { ...request, messages: [{ role: 'user', content: [...added, ...parts] }, ...siblings] };
}
