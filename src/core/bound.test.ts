import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, estimateInputTokens, inputBound } from './bound.ts';
import type { Message } from './model.ts';

const say = (content: string): Message => ({ role: 'user', content });
const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(50_000) } as const;

describe('the bound of a request', () => {
  test('counts the bytes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(bytesOf(text)).toBe(Buffer.byteLength(text));
      }),
      { seed: 1 },
    );
  });

  // Counted with the encodings o200k and cl100k: a character of these may be a token, or two of them.
  test.each([
    ['a grid of digits', '0 7 0 5 0 3\n'.repeat(100), 1_200],
    ['Chinese', '问题的答案是什么呢'.repeat(50), 450],
    ['Japanese', 'この問題を解いてください。'.repeat(50), 650],
    ['emoji', '🦄🧮'.repeat(50), 300],
    ['an old script', '𒀀𒁀𒂀'.repeat(50), 600],
  ])('holds for %s', (_name, text, tokens) => {
    expect(inputBound({ messages: [say(text)] }, 'openai/gpt-5')).toBeGreaterThanOrEqual(tokens);
  });

  test('holds for images, by what their model charges, and not for the length of their data', () => {
    const message: Message = { role: 'user', content: [image, image] };
    const defaultValue = inputBound({ messages: [message] }, 'google/gemini-2.5-pro');
    expect(defaultValue).toBeGreaterThan(2 * 62 * 258);
    expect(defaultValue).toBeLessThan(40_000);
    expect(inputBound({ messages: [message] }, 'openai/gpt-4o-mini')).toBeGreaterThan(2 * 48_169);
  });

  test('holds what is said besides the messages: tools, schemas, what a tool answered', () => {
    const tools = [{ name: 't', description: 'x'.repeat(300), parameters: {} }];
    const none = inputBound({ messages: [] }, 'm/m');
    expect(inputBound({ messages: [], tools }, 'm/m')).toBeGreaterThan(none + 1_000);
    const output = { name: 'o', schema: { description: 'x'.repeat(300) } };
    expect(inputBound({ messages: [], output }, 'm/m')).toBeGreaterThan(none + 300);
    const tool: Message = { role: 'tool', callId: 'c', name: 't', content: '\n'.repeat(300) };
    expect(inputBound({ messages: [tool] }, 'm/m')).toBeGreaterThan(none + 600);
  });

  test('is at least what an estimate comes to', () => {
    const part = fc.oneof(
      fc.constant(image),
      fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    );
    const messages = fc.array(fc.record({ role: fc.constant('user' as const), content: fc.array(part) }));
    fc.assert(
      fc.property(messages, (asked) => {
        expect(inputBound({ messages: asked }, 'm/m')).toBeGreaterThanOrEqual(
          estimateInputTokens({ messages: asked }),
        );
      }),
      { seed: 1 },
    );
  });
});
