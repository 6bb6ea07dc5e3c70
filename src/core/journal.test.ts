import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashText } from '../run/hash.ts';
import type { Event, EventKind } from './event.ts';
import { JournalDecoder } from './journal-decoder.ts';
import { JournalEncoder } from './journal-encoder.ts';
import { inlineCharacters } from './journal-form.ts';
import { toJson } from './json.ts';
import type { AssistantMessage, Message } from './model.ts';
import type { BlobRow } from './store.ts';

const oddKeys = ['$blob', '$json', '$messages', '$message', '$plain', '__proto__', 'constructor', 'parent'];
const key = fc.oneof(fc.constantFrom(...oddKeys), fc.string());
const long = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'x\udc00', '\u0000', '"$blob":"x"'))
  .map((text) => text.padEnd(inlineCharacters, '"$messages":"abc"}'));
const text = fc.oneof(fc.string(), fc.constantFrom('\ud800', '\udfff', '\u0000', '😀'), long);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
}));
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content: text }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.array(fc.record({ type: fc.constant('text'), text }), { maxLength: 3 }),
  }),
) as fc.Arbitrary<Message>;

function eventOf(kind: EventKind, body: unknown, seq = 1): Event {
  return { seq, atMs: seq, branch: '', ordinal: 1, attempt: 0, kind, body } as Event;
}

/** Blobs that were through UTF-8, as a store keeps them. */
class Shelf {
  readonly texts = new Map<string, string>();

  put(blobRows: readonly BlobRow[]): void {
    for (const { hash, text } of blobRows) this.texts.set(hash, Buffer.from(text).toString('utf8'));
  }

  decoder(): JournalDecoder {
    return new JournalDecoder(async (hashes) => {
      const found = hashes.map((hash) => [hash, this.texts.get(hash)] as const);
      return new Map(found.filter((each): each is [string, string] => each[1] !== undefined));
    });
  }
}

async function roundTrip(events: readonly (readonly [Event, (readonly Message[])?])[]): Promise<Event[]> {
  const encoder = new JournalEncoder(hashText);
  const shelf = new Shelf();
  const rows = events.map(([event, conversation]) => {
    const { row, blobs } = encoder.encode(event, conversation ? { conversation } : {});
    shelf.put(blobs);
    return { ...row, body: Buffer.from(row.body).toString('utf8') };
  });
  const { events: decoded, damage } = await shelf.decoder().decode(rows);
  expect(damage).toBeNull();
  return decoded;
}

describe('an event', () => {
  test('comes back from the journal as it was', async () => {
    await fc.assert(
      fc.asyncProperty(json.object, async (body) => {
        for (const kind of ['note', 'tool-call', 'tool-result'] as const) {
          const event = eventOf(kind, body);
          expect(toJson(await roundTrip([[event]]))).toEqual(toJson([event]));
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test('of a model comes back with its conversation', async () => {
    const tools = [{ name: 'x'.repeat(600), description: '\ud800', parameters: { $blob: 1 } }];
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 5 }),
        message,
        json.value,
        async (messages, reply, object) => {
          const request = eventOf('model-request', { role: 'solver', messages: messages, tools });
          const result = { message: reply, finish: 'stop', object };
          const response = eventOf('model-response', { status: 'ok', result }, 2);
          const again = eventOf(
            'model-request',
            { role: 'solver', messages: [...messages, reply], tools },
            3,
          );
          const failed = eventOf('model-response', { status: 'error', error: { name: 'x' } }, 4);
          const events = [[request], [response, messages], [again], [failed]] as const;
          expect(toJson(await roundTrip(events))).toEqual(toJson(events.map(([event]) => event)));
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });

  test('has the fingerprint that its row has, before and after it is written', () => {
    fc.assert(
      fc.property(json.object, fc.array(message, { maxLength: 4 }), (more, messages) => {
        const body = { ...more, messages };
        const encoder = new JournalEncoder(hashText);
        const before = encoder.fingerprint('model-request', body);
        const { row } = encoder.encode(eventOf('model-request', body));
        expect(row.body).toBe(before);
        expect(new JournalEncoder(hashText).fingerprint('model-request', structuredClone(body))).toBe(before);
      }),
      { seed: 1 },
    );
  });

  test('that cannot be written takes no blob with it', () => {
    const encoder = new JournalEncoder(hashText);
    const lengthy = 'x'.repeat(inlineCharacters);
    expect(() => encoder.encode(eventOf('note', { lengthy, big: 1n }))).toThrow(TypeError);
    expect(encoder.encode(eventOf('note', { lengthy })).blobs).toHaveLength(1);
  });
});

describe('a conversation', () => {
  const user = (content: string): Message => ({ role: 'user', content });
  const assistant = (text: string): AssistantMessage => ({
    role: 'assistant',
    content: [{ type: 'text', text: text }],
  });

  test('shares what was said between requests, and a response continues it', () => {
    const encoder = new JournalEncoder(hashText);
    const first = [user('a'), user('b')];
    expect(encoder.encode(eventOf('model-request', { messages: first })).blobs).toHaveLength(2);
    const reply = assistant('c');
    const response = eventOf('model-response', { status: 'ok', result: { message: reply } });
    expect(encoder.encode(response, { conversation: first }).blobs).toHaveLength(1);
    const next = eventOf('model-request', { messages: [...first, reply, user('d')] });
    expect(encoder.encode(next).blobs).toHaveLength(1);
    const other = eventOf('model-request', { messages: [user('b'), ...first] });
    expect(encoder.encode(other).blobs, 'the same words at another place').toHaveLength(3);
  });

  test('that was only compared is given out whole when it goes on', () => {
    const encoder = new JournalEncoder(hashText);
    const compared = [user('a'), user('b')];
    encoder.fingerprint('model-request', { messages: compared });
    const next = eventOf('model-request', { messages: [...compared, user('c')] });
    expect(encoder.encode(next).blobs).toHaveLength(3);
    const messages = [...compared, user('d')];
    expect(() => encoder.encode(eventOf('model-request', { messages, big: 1n }))).toThrow(TypeError);
    const event = eventOf('model-request', { messages });
    expect(encoder.encode(event).blobs, 'what was not written is given again').toHaveLength(1);
  });

  test('is frozen when it is written, however deep', () => {
    const part = { type: 'text', text: 'a' } as { type: 'text'; text: string };
    const message = Object.freeze({ role: 'user', content: [part] }) as Message;
    new JournalEncoder(hashText).fingerprint('model-request', { messages: [message] });
    expect(() => {
      part.text = 'b';
    }).toThrow(TypeError);
  });

  test('of 200 turns takes the room of what was said in it', () => {
    const encoder = new JournalEncoder(hashText);
    const messages: Message[] = [];
    let count = 0;
    let written = 0;
    for (let turn = 0; turn < 200; turn += 1) {
      const [question, reply] = [
        user(`${turn} ${'why '.repeat(250)}`),
        assistant(`${turn} ${'so '.repeat(330)}`),
      ];
      messages.push(question);
      const requests = [...messages];
      messages.push(reply);
      count += JSON.stringify(question).length + JSON.stringify(reply).length;
      for (const { row, blobs } of [
        encoder.encode(eventOf('model-request', { role: 'solver', messages: requests })),
        encoder.encode(eventOf('model-response', { status: 'ok', result: { message: reply } }), {
          conversation: requests,
        }),
      ]) {
        written += row.body.length + blobs.reduce((sum, blob) => sum + blob.text.length, 0);
      }
    }
    expect(written / count).toBeLessThan(1.35);
  });
});

describe('damage', () => {
  test('is told with its place and reason, and what stands before it is read', async () => {
    const encoder = new JournalEncoder(hashText);
    const shelf = new Shelf();
    const encoded = [{ a: 1 }, { b: 'x'.repeat(600) }, { c: 3 }].map((body, index) =>
      encoder.encode(eventOf('note', body, index + 1)),
    );
    const rows = encoded.map(({ row }) => row);
    const missing = await shelf.decoder().decode(rows);
    expect(missing.events.map(({ seq }) => seq)).toEqual([1]);
    expect(missing.damage?.seq).toBe(2);
    expect(missing.damage?.reason).toContain('is missing');
    for (const { blobs } of encoded) shelf.put(blobs);
    const eventRows = rows.map((row) => (row.seq === 3 ? { ...row, body: row.body.slice(0, 4) } : row));
    expect((await shelf.decoder().decode(eventRows)).damage?.seq).toBe(3);
  });

  test('in the middle of a conversation is no endless search', async () => {
    const encoder = new JournalEncoder(hashText);
    const shelf = new Shelf();
    const messages: Message[] = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ];
    const { row, blobs } = encoder.encode(eventOf('model-request', { messages }));
    shelf.put(blobs.slice(1));
    expect((await shelf.decoder().decode([row])).damage?.reason).toContain('is missing');
  });
});

test('a journal that is read row by row says the same as one that is read at once', async () => {
  const encoder = new JournalEncoder(hashText);
  const shelf = new Shelf();
  const question: Message = { role: 'user', content: 'why '.repeat(300) };
  const reply: Message = { role: 'assistant', content: [{ type: 'text', text: 'so '.repeat(300) }] };
  const message: Message = { role: 'user', content: 'ah' };
  const rows = [
    encoder.encode(eventOf('model-response', { status: 'ok', result: { message: reply } }, 1), {
      conversation: [question],
    }),
    encoder.encode(eventOf('model-request', { messages: [question, reply, message] }, 2)),
    encoder.encode(eventOf('model-request', { messages: [question] }, 3)),
  ].map(({ row, blobs }) => {
    shelf.put(blobs);
    return row;
  });
  const { events } = await shelf.decoder().decode(rows);
  const decoder = shelf.decoder();
  const decoded: Event[] = [];
  for (const row of rows) decoded.push(...(await decoder.decode([row])).events);
  expect(decoded).toHaveLength(3);
  expect(decoded).toEqual(events);
});
