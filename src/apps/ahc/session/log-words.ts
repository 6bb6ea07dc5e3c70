/** Prompts and replies as they stand in a log: who says what, in full; of pictures that there was one. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';

/** Every message of a request. */
export function conversationOf({ messages, tools }: JsonObject): string {
  const list = Array.isArray(messages) ? messages : [];
  const offered = Array.isArray(tools) && tools.length > 0 ? `\n(${tools.length} tools are offered)` : '';
  return `${list.map(messageText).join('\n')}${offered}`;
}

/** What a model said: thoughts, words and calls. */
export function saidIn(result: Json): string {
  const message = isJsonObject(result) ? result.message : null;
  return isJsonObject(message) ? contentText(message.content) : '';
}

function messageText(message: Json): string {
  if (!isJsonObject(message)) return '';
  return `--- ${message.role}\n${contentText(message.content)}`;
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : '';
}

function partText(part: Json): string {
  if (!isJsonObject(part)) return '';
  switch (part.type) {
    case 'text':
      return String(part.text);
    case 'reasoning':
      return `(thinks) ${part.text}`;
    case 'image':
      return `(an image, ${part.mediaType})`;
    default:
      return `(calls ${part.name} ${JSON.stringify(part.args ?? part.raw ?? null)})`;
  }
}
