/** A `LanguageModelV4` of the AI SDK behind our own contract: one call, no retry, nothing thrown. */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Message,
  type LanguageModelV4ToolCallPart,
  type SharedV4ProviderMetadata,
  type SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { changeStrings, isJsonObject, type JsonObject } from '../core/json.ts';
import {
  type AdaptedSettings,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelCall,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelSettings,
  type ServerQuirk,
  type ToolCallPart,
  type ToolMessage,
  textOf,
  type UserMessage,
} from '../core/model.ts';
import { costOfTier } from '../core/service-tiers.ts';
import type { Usage } from '../core/usage.ts';
import { jsonInReply } from '../text/model-json.ts';
import { failureOf } from './ai-sdk-failure.ts';
import { type Collected, collectStream, collectWhole, withThoughtMetadata } from './ai-sdk-reply.ts';
import type { Connection } from './provider.ts';
import { paceOf } from './rate-headers.ts';
import { redact, secretRemover } from './redact.ts';
import { withQuirk } from './refused-field.ts';
import { abortedFailure, failure, unknownUsage } from './reply.ts';
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
  /** What its server refuses, where the error says so: only for a wire that knows what to send instead. */
  readonly quirkOf?: (error: APICallError) => ServerQuirk | undefined;
  /** Sets this provider's own switches. The request has its settings as the model takes them. */
  readonly prepare: (
    callOptions: LanguageModelV4CallOptions,
    request: ModelRequest,
    call: ModelCall,
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
    const { message, finish, tokens, servedBy, serviceTier, notices } = collected;
    const told = options.tellsCost ? collected.toldCostUsd : undefined;
    const served = { spec: options.id, tier: serviceTier };
    const usage = { tokens, costUsd: told ?? costOfTier(tokens, options.price, served) };
    if (collected.failure) {
      // A failure has no tier: where that makes the cost unknown, nothing of its usage is told.
      const known = serviceTier === undefined || usage.costUsd !== null ? usage : unknownUsage;
      return call.signal.aborted ? abortedFailure(known) : tell(collected.failure, options, known);
    }
    const object = request.output ? jsonInReply(textOf(message)) : undefined;
    return { ok: true, message, finish, usage, object, servedBy, serviceTier, notices };
  } catch (error) {
    // The signal is asked, not the error: an abort surfaces under many names.
    if (call.signal.aborted) return abortedFailure(unknownUsage);
    const judged = failureOf(error, Date.now());
    if (!APICallError.isInstance(error)) return tell(judged, options);
    tellPace(error.responseHeaders, call);
    return tell(withQuirk(judged, options.quirkOf?.(error)), options);
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
  const callOptions = { ...prepare(plain, request, call), abortSignal: signal };
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

export function toCallOptions(request: ModelRequest): LanguageModelV4CallOptions {
  const { messages, tools, output, settings = {} } = request;
  const { reasoningEffort, thinkingBudgetTokens: _, ...plain } = settings;
  return {
    prompt: withResultsTogether(messages.map(toPromptMessage)),
    ...plain,
    ...(reasoningEffort ? { reasoning: reasoningEffort } : {}),
    ...(tools?.length ? { tools: tools.map(toFunctionTool) } : {}),
    ...(output ? { responseFormat: { type: 'json', name: output.name, schema: output.schema } } : {}),
  };
}

/** The results of one turn's calls are one message: Gemini wants as many results in it as there were calls. */
function withResultsTogether(prompt: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const together: LanguageModelV4Message[] = [];
  for (const message of prompt) {
    const last = together.at(-1);
    if (message.role === 'tool' && last?.role === 'tool') {
      together[together.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else together.push(message);
  }
  return together;
}

/** The instructions as the beginning of the user's first turn, for models that have no role for them. */
export function withoutSystemRole(request: ModelRequest): ModelRequest {
  const instructions = request.messages.flatMap((each) => (each.role === 'system' ? [each.content] : []));
  if (instructions.length === 0) return request;
  const rest = request.messages.filter(({ role }) => role !== 'system');
  const [first, ...others] = rest;
  const told: UserMessage['content'] = [{ type: 'text', text: instructions.join('\n\n') }];
  if (first?.role !== 'user') return { ...request, messages: [{ role: 'user', content: told }, ...rest] };
  const { content } = first;
  const said = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return { ...request, messages: [{ role: 'user', content: [...told, ...said] }, ...others] };
}

function toFunctionTool({ name, description, parameters }: NonNullable<ModelRequest['tools']>[number]) {
  return { type: 'function' as const, name, description, inputSchema: parameters };
}

function toPromptMessage(message: Message): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: userParts(message.content) };
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message) };
    case 'tool':
      return { role: 'tool', content: [toToolResult(message)] };
  }
}

function userParts(content: UserMessage['content']) {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'text' as const, text: part.text };
    const data = { type: 'data' as const, data: part.data };
    return { type: 'file' as const, mediaType: part.mediaType, data };
  });
}

function assistantParts({ content }: AssistantMessage) {
  return content.map((part) => {
    if (part.type === 'text') {
      return { type: 'text' as const, text: part.text, ...providerOptions(part.provider) };
    }
    if (part.type === 'tool-call') return toToolCall(part);
    return { type: 'reasoning' as const, text: part.text, ...providerOptions(part.provider) };
  });
}

/** Many servers parse old arguments and want an object there, so what was none is shown to the model inside one. */
function toToolCall(part: ToolCallPart): LanguageModelV4ToolCallPart {
  return {
    type: 'tool-call',
    toolCallId: part.id,
    toolName: part.name,
    input: part.args ?? { unparsed: part.raw ?? '' },
    ...providerOptions(part.provider),
  };
}

function toToolResult({ callId, name, content, isError }: ToolMessage) {
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value: content };
  return { type: 'tool-result' as const, toolCallId: callId, toolName: name, output };
}

/** The specification keys what belongs to a provider by its name; anything else never came from one. */
function providerOptions(provider: JsonObject | undefined): { providerOptions?: SharedV4ProviderOptions } {
  if (!provider) return {};
  const options: SharedV4ProviderOptions = {};
  for (const [name, value] of Object.entries(provider)) {
    if (isJsonObject(value)) options[name] = value;
  }
  return { providerOptions: options };
}
