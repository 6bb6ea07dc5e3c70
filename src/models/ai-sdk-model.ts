/** A `LanguageModelV4` of the AI SDK behind our own contract: one call, no retry, nothing thrown. */
import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { changeStrings } from '../core/json.ts';
import {
  type AdaptedSettings,
  type Model,
  type ModelCall,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSettings,
  textOf,
} from '../core/model.ts';
import { costOf, type Usage } from '../core/usage.ts';
import { failureOf } from './ai-sdk-failure.ts';
import { type Collected, collectStream, collectWhole, withThoughtMetadata } from './ai-sdk-reply.ts';
import { toCallOptions, withoutSystemRole } from './ai-sdk-request.ts';
import type { Connection } from './provider.ts';
import { paceOf } from './rate-headers.ts';
import { redact, secretRemover } from './redact.ts';
import { abortedFailure, failure, parseJsonReply, unknownUsage } from './reply.ts';
import { applyRules, type SettingRule } from './settings-rules.ts';

export type AiSdkModelOptions = Connection & {
  readonly languageModel: LanguageModelV4;
  readonly takes: Model['takes'];
  readonly rules: readonly SettingRule[];
  /** Changes settings that this conversation does not allow, after the rules were applied. */
  readonly refine?: (settings: ModelSettings, messages: ModelRequest['messages']) => AdaptedSettings;
  /** Its usage says what a call cost, in dollars: that goes before any table of prices. */
  readonly tellsCost?: boolean;
  /** Picks, from what came with the reply as a whole, what its thoughts keep, to be given back with them. */
  readonly keep?: (metadata: SharedV4ProviderMetadata) => SharedV4ProviderMetadata | undefined;
  /** False: the instructions go into the first turn of the user. */
  readonly hasSystemRole?: boolean;
  /** Sets this provider's own switches. The request has its settings as the model takes them. */
  readonly prepare: (
    callOptions: LanguageModelV4CallOptions,
    request: ModelRequest,
  ) => LanguageModelV4CallOptions;
};

export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { id, price, takes, rules } = options;
  const adapt = (settings: ModelSettings) => applyRules(rules, settings);
  return {
    id,
    kind: 'live',
    takes,
    price,
    adapt,
    async generate(request, call) {
      const taken = adapt(request.settings ?? {});
      const refined = options.refine?.(taken.settings, request.messages);
      const { settings } = refined ?? taken;
      const reply = await generate(options, { ...request, settings }, call);
      if (!reply.ok) return reply;
      const notices = [...taken.notices, ...(refined?.notices ?? []), ...(reply.notices ?? [])];
      return notices.length > 0 ? { ...reply, notices } : reply;
    },
  };
}

async function generate(
  options: AiSdkModelOptions,
  request: ModelRequest,
  call: ModelCall,
): Promise<ModelReply> {
  if (call.signal.aborted) return abortedFailure(null);
  if (!options.takes.images && hasImages(request)) {
    return failure('bad-request', `The model ${options.id} cannot see, and the request has an image.`, {
      retryable: false,
      usage: null,
    });
  }
  try {
    const collected = await collect(options, request, call);
    const { message, finish, tokens, servedBy, notices } = collected;
    const told = options.tellsCost ? collected.toldCostUsd : undefined;
    const usage = { tokens, costUsd: told ?? costOf(tokens, options.price) };
    if (collected.failure) {
      return call.signal.aborted ? abortedFailure(usage) : tell(collected.failure, options, usage);
    }
    const object = request.output ? parseJsonReply(textOf(message)) : undefined;
    return { ok: true, message, finish, usage, object, servedBy, notices };
  } catch (error) {
    // The signal is asked, not the error: an abort surfaces under many names.
    if (call.signal.aborted) return abortedFailure(unknownUsage);
    if (APICallError.isInstance(error)) tellPace(error.responseHeaders, call);
    return tell(failureOf(error, Date.now()), options);
  }
}

async function collect(
  { languageModel, stream = true, prepare, keep, apiKey, hasSystemRole = true }: AiSdkModelOptions,
  request: ModelRequest,
  call: ModelCall,
): Promise<Collected> {
  const { signal, onDelta } = call;
  const clean = keyRemover(apiKey);
  // A key that is spread over two deltas passes here; deltas are shown and forgotten, the whole text is kept.
  const tellDelta: ModelCall['onDelta'] = onDelta && ((delta) => onDelta(changeStrings(delta, clean)));
  const plain = toCallOptions(hasSystemRole ? request : withoutSystemRole(request));
  const callOptions = { ...prepare(plain, request), abortSignal: signal };
  const reply = stream
    ? await languageModel.doStream(callOptions)
    : await languageModel.doGenerate(callOptions);
  tellPace(reply.response?.headers, call);
  const collected =
    'stream' in reply ? await collectStream(reply.stream, tellDelta) : collectWhole(reply, tellDelta);
  const { servedBy, metadata } = collected;
  const message = withThoughtMetadata(collected.message, metadata && keep?.(metadata));
  return {
    ...collected,
    message: changeStrings(message, clean, { names: true }),
    servedBy: servedBy && clean(servedBy),
  };
}

function tellPace(headers: Readonly<Record<string, string>> = {}, { onPace }: ModelCall): void {
  const pace = onPace && paceOf(headers, Date.now());
  if (pace) onPace(pace);
}

const messageLength = 500;

/** `usage` is what a stream that failed still told. */
function tell(
  { error, usage: judged }: ModelFailure,
  { apiKey }: AiSdkModelOptions,
  usage?: Usage,
): ModelFailure {
  const clean = redact(error.message, [apiKey]);
  const message = clean.length > messageLength ? `${clean.slice(0, messageLength)}…` : clean;
  return { ok: false, error: { ...error, message }, usage: usage?.tokens ? usage : judged };
}

/** A server without keys takes any word as one, and a model must be free to say `none` or `12345`. */
function keyRemover(apiKey: string): (text: string) => string {
  const looksLikeKey =
    apiKey.length >= 16 || (apiKey.length >= 8 && /[a-z]/i.test(apiKey) && /[^a-z]/i.test(apiKey));
  return secretRemover(looksLikeKey ? [apiKey] : []);
}

function hasImages({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'user' && typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  );
}
