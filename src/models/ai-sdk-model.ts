/** A `LanguageModelV4` of the AI SDK behind our own contract: one call, no retry. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type {
  AssistantMessage,
  Message,
  Model,
  ModelRequest,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from '../core/model.ts';
import { collectComplete, collectStream } from './ai-sdk-reply.ts';
import { skippedEventsOf } from './http.ts';
import { type LiveModelOptions, liveModel, reportPace, withoutSystemRole } from './live-model.ts';

export type AiSdkModelOptions = LiveModelOptions & {
  readonly languageModel: LanguageModelV4;
  /** False: the instructions go into the first turn of the user. */
  readonly hasSystemRole?: boolean;
  /** Sets this provider's own switches. The request has its settings as the model takes them. */
  readonly prepare: (
    callOptions: LanguageModelV4CallOptions,
    request: ModelRequest,
  ) => LanguageModelV4CallOptions;
};

export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { languageModel, stream = true, prepare, hasSystemRole = true } = options;
  return liveModel(options, async (request, call) => {
    const { onDelta } = call;
    // One of its own, by which what its reply skipped is counted.
    const signal = AbortSignal.any([call.signal]);
    const plain = toCallOptions(hasSystemRole ? request : withoutSystemRole(request));
    const callOptions = { ...prepare(plain, request), abortSignal: signal };
    const reply = stream
      ? await languageModel.doStream(callOptions)
      : await languageModel.doGenerate(callOptions);
    reportPace(reply.response?.headers, call);
    if (!('stream' in reply)) return collectComplete(reply, onDelta);
    const collected = await collectStream(reply.stream, onDelta);
    return { ...collected, skippedEvents: skippedEventsOf(signal) };
  });
}

function toCallOptions(request: ModelRequest): LanguageModelV4CallOptions {
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
