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

/** `spec` is the model's name. */
export function inputBound(request: ModelRequest, spec: string): number {
  const messages = request.messages.reduce((sum, message) => sum + messageBound(message, spec), 0);
  return tokensAround + definitionsBound(request) + messages;
}

/** What a request says besides its messages. */
export function definitionsBound({ tools = [], output }: ModelRequest): number {
  const defined = tools.length > 0 ? tokensAroundTools + bytesOf(JSON.stringify(tools)) : 0;
  return defined + (output ? bytesOf(JSON.stringify(output)) : 0);
}

/** What providers make of it on average, for estimates: four bytes a token, and a thousand tokens an image. */
export function likelyInput(request: ModelRequest): number {
  const bytes = request.messages.reduce((sum, message) => {
    const { text, images } = measure(message);
    return sum + text + images * 4_000;
  }, definitionsBound(request));
  return Math.ceil(bytes / 4) + 8 * request.messages.length;
}

/** A conversation is bounded again at every call, a message only once. */
const bounded = new WeakMap<Message, { readonly text: number; readonly images: number }>();

export function messageBound(message: Message, spec: string): number {
  let bound = bounded.get(message);
  if (!bound) {
    bound = measure(message);
    bounded.set(message, bound);
  }
  return tokensAroundMessage + bound.text + bound.images * imageTokensOf(spec);
}

function measure(message: Message): { text: number; images: number } {
  if (message.role === 'tool') return { text: bytesOf(JSON.stringify(message)), images: 0 };
  if (typeof message.content === 'string') return { text: bytesOf(message.content), images: 0 };
  const images = message.content.filter(isImage).length;
  const texts = message.content.filter((part) => !isImage(part));
  return { text: texts.reduce((sum, part) => sum + bytesOf(JSON.stringify(part)), 0), images };
}

function isImage(part: { readonly type: string }): part is ImagePart {
  return part.type === 'image';
}

function imageTokensOf(spec: string): number {
  return dearImages.test(spec) ? dearImageTokens : usualImageTokens;
}

/** The length in UTF-8, without making it. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair is one unit, and both together are four bytes.
    if (code >= 0x800) bytes += code >= 0xd800 && code <= 0xdfff ? 1 : 2;
    else if (code >= 0x80) bytes += 1;
  }
  return bytes;
}
