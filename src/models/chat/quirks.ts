/** What a server refuses, taken out of a request or said in other words before it is sent. Pure. */
import { isJsonObject } from '../../core/json.ts';
import type {
  AssistantMessage,
  Message,
  ModelRequest,
  ServerQuirk,
  ToolMessage,
  UserMessage,
} from '../../core/model.ts';
import { withoutSystemRole } from '../live-model.ts';

/** The conversation as the server takes it. */
export function adaptRequest(request: ModelRequest, quirks: ReadonlySet<ServerQuirk>): ModelRequest {
  let modelRequest = request;
  if (quirks.has('json-object') || quirks.has('json-in-prompt'))
    modelRequest = withSchemaInPrompt(modelRequest);
  if (quirks.has('no-system-role')) modelRequest = withoutSystemRole(modelRequest);
  if (quirks.has('no-reasoning-history'))
    modelRequest = { ...modelRequest, messages: modelRequest.messages.map(withoutReasoning) };
  if (quirks.has('alternate-roles'))
    modelRequest = { ...modelRequest, messages: toAlternatingRoles(modelRequest.messages) };
  return modelRequest;
}

function withSchemaInPrompt(request: ModelRequest): ModelRequest {
  const { output, messages } = request;
  if (!output) return request;
  const words = `Reply with one JSON value and nothing else: no text around it, no code fence. It must fit this JSON Schema:\n${JSON.stringify(output.schema)}`;
  const [first, ...siblings] = messages;
  if (first?.role !== 'system')
    return { ...request, messages: [{ role: 'system', content: words }, ...messages] };
  return { ...request, messages: [{ role: 'system', content: `${first.content}\n\n${words}` }, ...siblings] };
}

function withoutReasoning(message: Message): Message {
  if (message.role !== 'assistant') return message;
  return { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') };
}

/** One system message at most, first; then no role follows itself, but the results of several calls. */
function toAlternatingRoles(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const isLeading = joined.every(({ role }) => role === 'system');
    const next: Message =
      message.role === 'system' && !isLeading ? { role: 'user', content: message.content } : message;
    const last = joined.at(-1);
    const merged = last && merge(last, next);
    if (merged) joined[joined.length - 1] = merged;
    else joined.push(next);
  }
  return joined;
}

/** Null where the two may stay as they are. */
function merge(last: Message, next: Message): Message | null {
  if (last.role === 'system' && next.role === 'system')
    return { role: 'system', content: `${last.content}\n\n${next.content}` };
  if (last.role === 'user' && next.role === 'user') return mergeUsers(last, next);
  if (last.role === 'assistant' && next.role === 'assistant') return mergeAssistants(last, next);
  if (last.role === 'tool' && next.role === 'user') return mergeIntoResult(last, next);
  return null;
}

function mergeUsers(last: UserMessage, next: UserMessage): UserMessage {
  if (typeof last.content === 'string' && typeof next.content === 'string')
    return { role: 'user', content: `${last.content}\n\n${next.content}` };
  return { role: 'user', content: [...partsOf(last), ...partsOf(next)] };
}

function partsOf({ content }: UserMessage) {
  return typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
}

function mergeAssistants(last: AssistantMessage, next: AssistantMessage): AssistantMessage {
  const separator = { type: 'text' as const, text: '\n\n' };
  const hasText = [last, next].every(({ content }) => content.some(({ type }) => type === 'text'));
  return { role: 'assistant', content: [...last.content, ...(hasText ? [separator] : []), ...next.content] };
}

/** A result holds no pictures: a message with some stays a message. */
function mergeIntoResult(last: ToolMessage, next: UserMessage): ToolMessage | null {
  const texts = partsOf(next).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length < partsOf(next).length) return null;
  return { ...last, content: [last.content, ...texts].join('\n\n') };
}

type Body = Readonly<Record<string, unknown>>;

const removedFields: Readonly<Partial<Record<ServerQuirk, string>>> = {
  'json-in-prompt': 'response_format',
  'no-output-limit': 'max_tokens',
  'no-stream-options': 'stream_options',
  'no-stream': 'stream_options',
  'no-temperature': 'temperature',
  'no-top-p': 'top_p',
  'no-seed': 'seed',
  'no-reasoning-effort': 'reasoning_effort',
  'no-parallel-tool-calls': 'parallel_tool_calls',
};

/** The fields of the body as the server takes them. */
export function adaptBody(body: Body, quirks: ReadonlySet<ServerQuirk>): Body {
  const removed = new Set([...quirks].flatMap((quirk) => removedFields[quirk] ?? []));
  const entries = Object.entries(body).filter(([name, value]) => value !== undefined && !removed.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (name === 'max_tokens' && quirks.has('max-completion-tokens'))
        return ['max_completion_tokens', value];
      if (name === 'response_format' && quirks.has('json-object')) return [name, { type: 'json_object' }];
      if (name === 'stream' && quirks.has('no-stream')) return [name, false];
      if (name === 'messages' && quirks.has('null-content')) return [name, withNullContent(value)];
      return [name, value];
    }),
  );
}

function withNullContent(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: unknown) =>
    isJsonObject(message) && message.tool_calls && message.content === ''
      ? { ...message, content: null }
      : message,
  );
}
