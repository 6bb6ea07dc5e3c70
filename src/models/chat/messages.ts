/** A conversation as the messages of chat completions. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type {
  AssistantMessage,
  Message,
  ReasoningPart,
  ToolCallPart,
  UserMessage,
} from '../../core/model.ts';
import { detailsOf } from './details.ts';
import { wireKey } from './tool-calls.ts';

export type ChatMessageBody = { readonly role: string; readonly [field: string]: unknown };

/** `keepsDetails`: gives OpenRouter back what its providers sealed. */
export function chatMessages(
  messages: readonly Message[],
  keepsDetails: boolean,
): readonly ChatMessageBody[] {
  return messages.map((message) => chatMessage(message, keepsDetails));
}

function chatMessage(message: Message, keepsDetails: boolean): ChatMessageBody {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: userContent(message.content) };
    case 'assistant':
      return { ...assistantMessage(message), ...(keepsDetails ? detailsOf(message) : {}) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
  }
}

/** Texts alone are one string: many servers know no lists of parts. */
function userContent(content: UserMessage['content']) {
  if (typeof content === 'string') return content;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === content.length) return texts.join('\n\n');
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
  });
}

function assistantMessage({ content }: AssistantMessage): ChatMessageBody {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = content.filter((part) => part.type === 'tool-call').map(toolCall);
  const reasoning = content.filter((part) => part.type === 'reasoning');
  return {
    role: 'assistant',
    content: text,
    ...reasoningField(reasoning),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Under the name by which it came. */
function reasoningField(parts: readonly ReasoningPart[]): JsonObject {
  const text = parts.map((part) => part.text).join('');
  if (text === '') return {};
  const isShort = parts.some((part) => wireFields(part.provider).reasoning_field === 'reasoning');
  return isShort ? { reasoning: text } : { reasoning_content: text };
}

/** Many servers parse old arguments and want an object there, so what was none is shown to the model inside one. */
function toolCall({ id, name, args, raw, provider }: ToolCallPart): JsonObject {
  const extra = wireFields(provider).extra_content ?? geminiSignature(provider);
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args ?? { unparsed: raw ?? '' }) },
    ...(extra ? { extra_content: extra } : {}),
  };
}

/** A call that came over Gemini's own API goes on over its compatible one. */
function geminiSignature(provider: JsonObject | undefined): Json | undefined {
  const google = provider?.google;
  if (!isJsonObject(google) || !google.thoughtSignature) return undefined;
  return { google: { thought_signature: google.thoughtSignature } };
}

function wireFields(provider: JsonObject | undefined): JsonObject {
  const fields = provider?.[wireKey];
  return isJsonObject(fields) ? fields : {};
}
