/**
 * What a conversation of 200 turns through the real tool loop takes in the store, against what was said in it: each
 * message once, as JSON; and against its bare words. The bytes of rows and references are SQLite's own count, those of
 * blobs are counted before compression. Then the file, compressed and with the air in its pages.
 */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import { readJournal } from '../src/run/load.ts';
import type { Bench, Row } from './measure.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { type BenchWorld, openWorld, runToEnd } from './world.ts';

const turns = 200;

export const size: Bench = {
  name: 'size',
  async run() {
    await using world = openWorld({ agent: toolLoop, model: talkingModel, tools: talkTools(turns) });
    await runToEnd(world, 'run');
    const messages = await messagesSaid(world, 'run');
    const said = messages.reduce<number>(
      (sum, message) => sum + Buffer.byteLength(JSON.stringify(message)),
      0,
    );
    const words = messages.reduce<number>((sum, message) => sum + wordBytes(message), 0);
    world.checkpoint();
    const { rows, blobs, references } = await bytesStored(world);
    const sized = (what: string, bytes: number, atMost?: number): Row =>
      rowOf({ what, bytes, against: `the messages of ${turns} turns`, floorBytes: said, atMost });
    return [
      sized('stored, before compression', rows + blobs + references, 1.35),
      sized('  of which rows of events', rows),
      sized('  of which blobs', blobs),
      sized('  of which references', references),
      rowOf({
        what: 'stored, before compression',
        bytes: rows + blobs + references,
        against: 'the bare words of the messages',
        floorBytes: words,
      }),
      sized('the database file', statSync(world.file).size),
    ];
  },
};

function rowOf(parts: {
  what: string;
  bytes: number;
  against: string;
  floorBytes: number;
  atMost?: number | undefined;
}): Row {
  const { what, bytes, against, floorBytes, atMost } = parts;
  return {
    what,
    unit: 'KB',
    against,
    measured: bytes / 1000,
    floor: floorBytes / 1000,
    ratio: bytes / floorBytes,
    aim: atMost === undefined ? null : { of: 'ratio', atMost },
  };
}

/** The last request holds everything but the last reply and what came after it. */
async function messagesSaid(world: BenchWorld, id: string): Promise<readonly unknown[]> {
  const { events } = await readJournal(world.store, id);
  const asked = events.findLast((event) => event.kind === 'model-request')?.body.messages;
  const answered = events.findLast((event) => event.kind === 'model-response')?.body;
  const reply = answered?.status === 'ok' ? (answered.result as { message: unknown }).message : null;
  return [...(Array.isArray(asked) ? asked : []), reply];
}

/** Text, names and arguments of calls, without keys, quotes and brackets. */
function wordBytes(message: unknown): number {
  if (typeof message === 'string') return Buffer.byteLength(message);
  if (typeof message === 'number') return String(message).length;
  if (typeof message !== 'object' || message === null) return 0;
  return Object.values(message).reduce<number>((sum, inner) => sum + wordBytes(inner), 0);
}

async function bytesStored({ file, store }: BenchWorld) {
  using database = new DatabaseSync(file);
  const hashes = database.prepare('SELECT hash FROM blobs').all();
  const texts = await store.blobs(hashes.map(({ hash }) => String(hash)));
  const payload = database.prepare('SELECT sum(payload) AS bytes FROM dbstat WHERE name = ?');
  const payloadOf = (name: string): number => Number(payload.get(name)?.bytes);
  return {
    rows: payloadOf('events'),
    blobs: [...texts].reduce((sum, [hash, text]) => sum + hash.length + Buffer.byteLength(text), 0),
    references: payloadOf('run_blobs') + payloadOf('sqlite_autoindex_blobs_1'),
  };
}
