/**
 * A provider of the AI SDK's specification v4 behind our own contract: one call, no retry, nothing thrown.
 * Knows no particular provider; each has a file that makes its `LanguageModelV4` and hands it over.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Json, JsonObject } from '../core/json.ts';
import {
  type AdaptedSettings,
  type AssistantMessage,
  hasImages,
  type Model,
  type ModelCall,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSettings,
  textOf,
} from '../core/model.ts';
import { costOf, type Price, type Usage } from '../core/usage.ts';
import { failureOf } from './ai-sdk-failure.ts';
import { withThoughtMetadata } from './ai-sdk-parts.ts';
import { BrokenReply, type Collected, collectStream, collectWhole } from './ai-sdk-reply.ts';
import { toCallOptions, withoutSystemRole } from './ai-sdk-request.ts';
import { paceOf } from './rate-headers.ts';
import { redact, secretRemover } from './redact.ts';
import { abortedFailure, failure, isJsonObject, parseJsonReply, unknownUsage } from './reply.ts';
import { applyRules, type SettingRule } from './settings-rules.ts';

export type AiSdkModelOptions = {
  readonly id: string;
  readonly languageModel: LanguageModelV4;
  readonly price: Price | null;
  readonly takes: Model['takes'];
  readonly stream: boolean;
  /** What must not leave the model: not in the message of a failure, and not in a reply. */
  readonly secrets: readonly string[];
  /** Which settings it takes; missing: all, as they are. */
  readonly rules?: readonly SettingRule[];
  /** What of its settings this conversation does not allow; the rules have been applied before. */
  readonly refine?: (settings: ModelSettings, messages: ModelRequest['messages']) => AdaptedSettings;
  /** Whether its usage says what a call cost, in dollars: that counts before any table of prices. */
  readonly tellsCost?: boolean;
  /** Of what came with the reply as a whole: what its thoughts keep, to be given back with them. */
  readonly keep?: (metadata: SharedV4ProviderMetadata) => SharedV4ProviderMetadata | undefined;
  /** False: the instructions go into the first turn of the user. */
  readonly hasSystemRole?: boolean;
  /** This provider's own switches. The request has its settings as the model takes them. */
  readonly prepare?: (
    callOptions: LanguageModelV4CallOptions,
    request: ModelRequest,
  ) => LanguageModelV4CallOptions;
};

export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { id, price, takes, rules = [] } = options;
  const adapt = (settings: ModelSettings) => applyRules(rules, settings);
  return {
    id,
    kind: 'live',
    takes,
    price,
    adapt,
    async generate(request, call) {
      const taken = adapt(request.settings ?? {});
      const { settings, notices } = options.refine?.(taken.settings, request.messages) ?? {
        settings: taken.settings,
        notices: [],
      };
      const reply = await generate(options, { ...request, settings }, call);
      const told = [...taken.notices, ...notices, ...((reply.ok && reply.notices) || [])];
      return reply.ok && told.length > 0 ? { ...reply, notices: told } : reply;
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
    const { tokens, toldCostUsd } = collected;
    const told = options.tellsCost ? toldCostUsd : undefined;
    const usage = { tokens, costUsd: told ?? costOf(tokens, options.price) };
    if (!collected.error && isEmpty(collected)) return tell(emptyReply, options, usage);
    if (!collected.error) return success(collected, usage, request);
    if (call.signal.aborted) return abortedFailure(usage);
    return tell(streamFailure(collected, collected.error.thrown), options, usage);
  } catch (error) {
    // The signal is asked, not the error: an abort surfaces under many names.
    if (call.signal.aborted) return abortedFailure(unknownUsage);
    if (APICallError.isInstance(error)) tellPace(error.responseHeaders, call);
    return tell(failureOf(error, Date.now()), options);
  }
}

type Delta = Parameters<NonNullable<ModelCall['onDelta']>>[0];

async function collect(
  { languageModel, stream, prepare, keep, secrets, hasSystemRole = true }: AiSdkModelOptions,
  request: ModelRequest,
  call: ModelCall,
): Promise<Collected> {
  const { signal, onDelta } = call;
  const clean = replyCleaner(secrets);
  // A key that is spread over two deltas passes here; deltas are shown and forgotten, the whole text is kept.
  const tellDelta = onDelta && ((delta: Delta) => onDelta({ ...delta, text: clean(delta.text) }));
  const plain = toCallOptions(hasSystemRole ? request : withoutSystemRole(request));
  const callOptions = { ...(prepare?.(plain, request) ?? plain), abortSignal: signal };
  const reply = stream
    ? await languageModel.doStream(callOptions)
    : await languageModel.doGenerate(callOptions);
  tellPace(reply.response?.headers, call);
  const collected =
    'stream' in reply ? await collectStream(reply.stream, tellDelta) : collectWhole(reply, tellDelta);
  const { servedBy, metadata } = collected;
  const message = withThoughtMetadata(collected.message, metadata && keep?.(metadata));
  return { ...collected, message: cleanMessage(message, clean), servedBy: servedBy && clean(servedBy) };
}

function tellPace(headers: Readonly<Record<string, string>> = {}, { onPace }: ModelCall): void {
  const pace = onPace && paceOf(headers, Date.now());
  if (pace) onPace(pace);
}

/** Neither a word nor a call, and no reason for it: thoughts alone answer nothing. */
function isEmpty({ message: { content }, finish }: Collected): boolean {
  const isSilent = content.every((part) => part.type === 'reasoning' || (part.type === 'text' && !part.text));
  return isSilent && (finish === 'stop' || finish === 'other');
}

const emptyReply = failure('malformed', 'The reply is empty: the model said nothing.', {
  retryable: true,
  usage: unknownUsage,
});

function success(collected: Collected, usage: Usage, request: ModelRequest): ModelReply {
  const { message, finish, servedBy, warnings } = collected;
  const object = request.output ? parseJsonReply(textOf(message)) : undefined;
  return {
    ok: true,
    message,
    finish,
    usage,
    ...(object === undefined ? {} : { object }),
    ...(servedBy === undefined ? {} : { servedBy }),
    ...(warnings.length > 0 ? { notices: warnings } : {}),
  };
}

function streamFailure(collected: Collected, error: unknown): ModelFailure {
  if (error instanceof BrokenReply) {
    return failure('malformed', error.message, { retryable: true, usage: unknownUsage });
  }
  if (!collected.endedEarly) return failureOf(error, Date.now());
  return collected.heard
    ? failure('network', 'The reply was cut off: its stream ended early.', {
        retryable: true,
        usage: unknownUsage,
      })
    : failure('malformed', 'The reply is empty: no event arrived.', { retryable: true, usage: unknownUsage });
}

const messageLength = 500;

/** `usage` is what a stream that failed still told. */
function tell(
  { error, usage: judged }: ModelFailure,
  options: AiSdkModelOptions,
  usage?: Usage,
): ModelFailure {
  const clean = redact(error.message, options.secrets);
  const message = clean.length > messageLength ? `${clean.slice(0, messageLength)}…` : clean;
  return { ok: false, error: { ...error, message }, usage: usage?.tokens ? usage : judged };
}

type Clean = (text: string) => string;

/**
 * For what a model says only the secrets themselves are replaced, and only those that look like keys: a server without
 * keys takes any word, and a model must be free to say `none` or `12345`.
 */
export function replyCleaner(secrets: readonly string[]): Clean {
  return secretRemover(secrets.filter(looksLikeKey));
}

export function cleanMessage({ role, content }: AssistantMessage, clean: Clean): AssistantMessage {
  return { role, content: content.map((part) => cleanPart(part, clean)) };
}

function looksLikeKey(secret: string): boolean {
  return secret.length >= 16 || (secret.length >= 8 && /[a-z]/i.test(secret) && /[^a-z]/i.test(secret));
}

function cleanPart(part: AssistantMessage['content'][number], clean: Clean) {
  if (part.type === 'text') return { ...part, text: clean(part.text) };
  const provider = part.provider ? { provider: cleanObject(part.provider, clean) } : {};
  if (part.type === 'reasoning') return { ...part, text: clean(part.text), ...provider };
  return {
    ...part,
    id: clean(part.id),
    name: clean(part.name),
    args: part.args && cleanObject(part.args, clean),
    ...(part.raw === undefined ? {} : { raw: clean(part.raw) }),
    ...provider,
  };
}

function cleanObject(object: JsonObject, clean: Clean): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [clean(name), cleanJson(value, clean)]),
  );
}

function cleanJson<T extends Json | undefined>(value: T, clean: Clean): Json | T {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((each: Json) => cleanJson(each, clean));
  return isJsonObject(value) ? cleanObject(value, clean) : value;
}
