/**
 * A journal event through the real writer, encoder and store, each awaited as an effect awaits it, against a prepared
 * insert of the same bytes into the same table. What is written is made before the clock starts, on both sides.
 */
import { join } from 'node:path';
import { JournalEncoder } from '../src/core/journal-encoder.ts';
import type { EventRow } from '../src/core/store.ts';
import { systemClock } from '../src/io/clock.ts';
import { hashText } from '../src/run/hash.ts';
import { JournalWriter, type NewEvent } from '../src/run/writer.ts';
import { thisProcess } from '../src/store/owner.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { type Aim, type Bench, contest, counter, type Row, timedEach } from './measure.ts';
import { openRaw } from './raw.ts';
import { chanceFrom, proseOf } from './speech.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Case = {
  readonly what: string;
  readonly durable: boolean;
  /** How many events one turn of the loop brings. */
  readonly together: number;
  readonly aim: Aim | null;
  readonly make: (number: number) => NewEvent;
};

const batchSize = 10;

const aim = { of: 'ratio', atMost: 2 } as const;
const one = { durable: false, together: 1, aim };

const cases: readonly Case[] = [
  { ...one, what: 'event of 200 B, NORMAL', make: shortEvent },
  { ...one, what: 'model reply of 1 KB, NORMAL', make: replyOf(1_000) },
  // Without an aim: most of the difference is the compression, which the raw insert does without.
  { ...one, what: 'model reply of 4 KB, compressed, NORMAL', make: replyOf(4_000), aim: null },
  { ...one, what: 'event of 200 B, FULL', make: shortEvent, durable: true },
  { ...one, what: `${batchSize} events in a batch, NORMAL`, make: shortEvent, together: batchSize },
];

export const append: Bench = {
  name: 'append',
  async run() {
    const rows: Row[] = [];
    for (const each of cases) rows.push(await measure(each));
    return rows;
  },
};

async function measure({ what, durable, together, aim, make }: Case): Promise<Row> {
  using folder = temporaryFolder();
  await using ours = await openWriter(join(folder.path, 'ours.db'));
  using raw = openRaw(join(folder.path, 'raw.db'), durable ? 'FULL' : 'NORMAL');
  const turns = (durable ? 100 : 400) / together;
  const numbers = counter();
  const nextTurns = (): NewEvent[][] =>
    Array.from({ length: turns }, () => Array.from({ length: together }, () => make(numbers())));
  const result = await contest({
    rounds: 25,
    ours: () => {
      const made = nextTurns();
      return timedEach(turns * together, async () => {
        for (const news of made) await ours.writer.add(news, { durable }).written;
      });
    },
    floor: () => {
      const made = nextTurns().map((news) => news.map((next) => toRow(next, numbers())));
      return timedEach(turns * together, () => {
        for (const rows of made) raw.insertTogether(rows);
      });
    },
  });
  const against = together === 1 ? 'one raw insert of the same bytes' : 'raw inserts in one transaction';
  return { what, unit: 'µs', against, ...result, aim };
}

async function openWriter(file: string): Promise<{ writer: JournalWriter } & AsyncDisposable> {
  const store = openSqliteStore({ file, now: Date.now });
  const run = { id: 'run', createdAtMs: Date.now(), parent: null, summary: {}, owner: thisProcess() };
  const ownership = await store.create(run, { events: [], blobs: [], durable: false });
  const writer = new JournalWriter({
    store,
    ownership,
    encoder: new JournalEncoder(hashText),
    clock: systemClock,
    lastSeq: 0,
    preface: null,
    onWritten: () => undefined,
  });
  return { writer, [Symbol.asyncDispose]: () => store.close() };
}

export function shortEvent(ordinal: number): NewEvent {
  const args = { year: 2031, day: 7, part: 1, answer: `${ordinal * 7919}` };
  const text = 'That is not the right answer; it is too low. Wait a minute before you try again.';
  const result = { text, isError: true, data: { verdict: 'too-low', args } };
  return { kind: 'tool-result', branch: 'solve/a', ordinal, body: { status: 'ok', result } };
}

export function replyOf(length: number): (ordinal: number) => NewEvent {
  const tokens = { input: 1200, cachedInput: 1000, output: length / 4, reasoning: 0 };
  return (ordinal) => {
    const content = [{ type: 'text', text: proseOf(length, chanceFrom(ordinal)) }] as const;
    const result = { message: { role: 'assistant', content }, finish: 'stop' } as const;
    const body = { status: 'ok', result, usage: { tokens, costUsd: 0.0123 } } as const;
    return { kind: 'model-response', branch: 'solve/a', ordinal, body };
  };
}

export function toRow(next: NewEvent, seq: number): EventRow {
  const { kind, branch = '', ordinal = null, attempt = 0, body } = next;
  return { seq, atMs: Date.now(), branch, ordinal, attempt, kind, body: JSON.stringify(body) };
}
