/**
 * Estimated tokens of a scripted reply. Not a tokenizer: one token for four bytes of UTF-8, 256 for an image, so that
 * accounting and limits can be tried without a provider. Equal texts have equal counts on every machine.
 */
import type { AssistantMessage, Message, ModelRequest } from '../core/model.ts';
import type { Tokens } from '../core/usage.ts';

const imageTokens = 256;

export function estimateTokens(request: ModelRequest, message: AssistantMessage): Tokens {
  let input = request.messages.reduce((sum, each) => sum + messageTokens(each), 0);
  if (request.tools?.length) input += textTokens(JSON.stringify(request.tools));
  if (request.output) input += textTokens(JSON.stringify(request.output));
  const thoughts = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  return { input, cachedInput: 0, output: messageTokens(message), reasoning: textTokens(thoughts) };
}

function messageTokens(message: Message): number {
  if (typeof message.content === 'string') return textTokens(message.content);
  let tokens = 0;
  for (const part of message.content) {
    if (part.type === 'image') tokens += imageTokens;
    else if (part.type === 'tool-call')
      tokens += textTokens(part.name + (part.raw ?? JSON.stringify(part.args)));
    else tokens += textTokens(part.text);
  }
  return tokens;
}

function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
