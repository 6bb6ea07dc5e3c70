/** The most tokens that a request can have: one a byte of UTF-8, and for an image what providers charge for the largest. */
import type { ImagePart, Message, ModelRequest } from './model.ts';

/** What a chat template puts around a request and each message. */
const tokensAround = 64;
const tokensAroundMessage = 16;
/** Some providers add instructions about how tools are called. */
const tokensAroundTools = 700;

/** 62 tiles of 258 tokens: an image of twenty times its height in a provider that counts tiles. */
const usualImageTokens = 16_000;
/** By models that multiply the tiles of others: 2,833 and 5,667 for each of eight tiles. */
const dearImageTokens = 48_200;
const dearImages = /gpt-4o-mini/;

/** What messages come to, whatever model they are for. */
export type MessageSize = { readonly messages: number; readonly text: number; readonly images: number };

export const noMessages: MessageSize = { messages: 0, text: 0, images: 0 };

/** `spec` is the model's name. */
export function inputBound(request: ModelRequest, spec: string): number {
  return requestBound(request, request.messages.reduce(withMessage, noMessages), spec);
}

/** The same where the messages are measured already. */
export function requestBound(request: ModelRequest, messageSize: MessageSize, spec: string): number {
  return tokensAround + definitionsBound(request) + messagesBound(messageSize, spec);
}

export function messagesBound({ messages, text, images }: MessageSize, spec: string): number {
  const imageTokens = dearImages.test(spec) ? dearImageTokens : usualImageTokens;
  return tokensAroundMessage * messages + text + images * imageTokens;
}

/** What a request says besides its messages. */
export function definitionsBound({ tools = [], output }: ModelRequest): number {
  const defined = tools.length > 0 ? tokensAroundTools + bytesOf(JSON.stringify(tools)) : 0;
  return defined + (output ? bytesOf(JSON.stringify(output)) : 0);
}

/** What providers make of it on average, for estimates: four bytes a token, and a thousand tokens an image. */
export function estimateInputTokens(
  request: ModelRequest,
  messageSize = request.messages.reduce(withMessage, noMessages),
): number {
  const { messages, text, images } = messageSize;
  return Math.ceil((definitionsBound(request) + text + images * 4_000) / 4) + 8 * messages;
}

export function withMessage(before: MessageSize, message: Message): MessageSize {
  const { text, images } = measureMessage(message);
  return { messages: before.messages + 1, text: before.text + text, images: before.images + images };
}

function measureMessage(message: Message): { text: number; images: number } {
  if (message.role === 'tool') return { text: bytesOf(JSON.stringify(message)), images: 0 };
  if (typeof message.content === 'string') return { text: bytesOf(message.content), images: 0 };
  const images = message.content.filter(isImage).length;
  const texts = message.content.filter((part) => !isImage(part));
  return { text: texts.reduce((sum, part) => sum + bytesOf(JSON.stringify(part)), 0), images };
}

function isImage(part: { readonly type: string }): part is ImagePart {
  return part.type === 'image';
}

/** The length in UTF-8, without making it. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  // Many times as fast as the loop.
  if (!/[^\0-\x7f]/.test(text)) return bytes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair is one unit, and both together are four bytes.
    if (code >= 0x800) bytes += code >= 0xd800 && code <= 0xdfff ? 1 : 2;
    else if (code >= 0x80) bytes += 1;
  }
  return bytes;
}
