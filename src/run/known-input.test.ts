import { describe, expect, test } from 'vitest';
import { inputBound } from '../core/bound.ts';
import { keepMessages } from '../core/conversation.ts';
import type { AssistantMessage, Message, ModelRequest } from '../core/model.ts';
import { KnownInput } from './known-input.ts';

const asked: Message = { role: 'user', content: 'word '.repeat(2_000) };
const answer: AssistantMessage = { role: 'assistant', content: [{ type: 'text', text: 'yes' }] };
const more: Message = { role: 'user', content: 'and?' };
const tools = [{ name: 't', description: '', parameters: {} }];
const first: ModelRequest = { messages: keepMessages([asked]), tools };
const tokens = { input: 2_100, cachedInput: 0, output: 5, reasoning: 0 };

function learnt(): KnownInput {
  const known = new KnownInput();
  known.record('m/m', first, answer, tokens);
  return known;
}

describe('what was counted bounds what is said again', () => {
  test('closer than its bytes do', () => {
    const request = { messages: keepMessages([asked, answer, more]), tools };
    const bound = learnt().bound('m/m', request);
    expect(bound).toBeGreaterThan(2_105);
    expect(bound).toBeLessThan(2_200);
    expect(inputBound(request, 'm/m')).toBeGreaterThan(10_000);
  });

  test.each<[string, string, ModelRequest]>([
    ['another model', 'm/n', { messages: keepMessages([asked, answer, more]), tools }],
    ['another beginning', 'm/m', { messages: keepMessages([{ ...asked }, answer, more]), tools }],
    ['a shorter beginning', 'm/m', { messages: keepMessages([answer, more]), tools }],
    ['nothing that was answered', 'm/m', first],
  ])('but not for %s', (_name, spec, request) => {
    expect(learnt().bound(spec, request)).toBe(inputBound(request, spec));
  });

  test('with other tools beside it, which are counted again', () => {
    const siblings = [{ name: 'other', description: 'x'.repeat(1_000), parameters: {} }];
    const request = { messages: keepMessages([asked, answer, more]), tools: siblings };
    expect(learnt().bound('m/m', request)).toBeGreaterThan(2_105 + 1_000);
  });

  test('and nothing is learnt where nobody counted', () => {
    const known = new KnownInput();
    known.record('m/m', first, answer, null);
    const request = { messages: keepMessages([asked, answer, more]), tools };
    expect(known.bound('m/m', request)).toBe(inputBound(request, 'm/m'));
  });
});
