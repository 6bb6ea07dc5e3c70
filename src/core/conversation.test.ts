import { describe, expect, test } from 'vitest';
import { Conversation, keepMessages } from './conversation.ts';
import type { Event } from './event.ts';
import { JournalEncoder } from './journal-encoder.ts';
import type { Message } from './model.ts';

const say = (content: string): Message => ({ role: 'user', content });

/** Each message and all before it, in words; `work` counts the calls. */
function joined() {
  const conversation = new Conversation<string>();
  const count = { work: 0 };
  const read = (messages: readonly Message[]): string =>
    conversation.last(keepMessages(messages), (message, before = '') => {
      count.work += 1;
      return `${before}${String(message.content)}`;
    }) ?? '';
  return { read, count };
}

describe('a conversation', () => {
  test('is worked out once for each message, however long it gets', () => {
    const { read, count } = joined();
    const messages: Message[] = [];
    for (let turn = 0; turn < 2_000; turn += 1) {
      messages.push(say('a'), say('b'));
      expect(read(messages).length).toBe(messages.length);
    }
    expect(count.work).toBe(4_000);
  });

  test('that goes on in two branches in turn is worked out once in each', () => {
    const { read, count } = joined();
    const common = Array.from({ length: 100 }, () => say('c'));
    const [a, b] = [[...common], [...common]];
    for (let turn = 0; turn < 500; turn += 1) {
      a.push(say('a'));
      b.push(say('b'));
      expect(read(a)).toBe(`${'c'.repeat(100)}${'a'.repeat(turn + 1)}`);
      expect(read(b)).toBe(`${'c'.repeat(100)}${'b'.repeat(turn + 1)}`);
    }
    expect(count.work).toBeLessThan(1_200);
  });

  test('with a last message that is another one each time costs that message alone', () => {
    const { read, count } = joined();
    const messages: Message[] = [];
    for (let turn = 0; turn < 500; turn += 1) {
      messages.push(say('m'));
      expect(read([...messages, say('now')])).toBe(`${'m'.repeat(turn + 1)}now`);
    }
    expect(count.work).toBe(1_000);
  });

  test('whose beginning was changed or cut is worked out anew from there', () => {
    const { read } = joined();
    const messages = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(say);
    expect(read(messages)).toBe('abcdefgh');
    expect(read(messages.with(2, say('X')))).toBe('abXdefgh');
    expect(read(messages)).toBe('abcdefgh');
    expect(read(messages.slice(3))).toBe('defgh');
    expect(read(messages.slice(0, 3))).toBe('abc');
    expect(read([])).toBe('');
    expect(read(messages.toReversed())).toBe('hgfedcba');
  });
});

test('a journal hashes what was said, and not the square of it', () => {
  const hashed = { bytes: 0 };
  const encoder = new JournalEncoder((text) => {
    hashed.bytes += text.length;
    return `${hashed.bytes}-${text.length}`;
  });
  const messages: Message[] = [];
  const turns = 1_000;
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push(say(`${turn} ${'x'.repeat(100)}`));
    const body = { role: 'solver', messages: keepMessages(messages) };
    const place = { seq: turn + 1, atMs: 0, branch: '', ordinal: turn + 1, attempt: 0 };
    encoder.encode({ ...place, kind: 'model-request', body } as unknown as Event);
  }
  expect(hashed.bytes).toBeLessThan(turns * 250);
});
