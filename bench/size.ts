/**
 * What a conversation of 200 turns through the real tool loop takes in the store, against the bytes that were said in
 * it: the text of each message once, without JSON around it. First before compression, row by row; then the file.
 */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { toolLoop } from '../src/agents/tool-loop.ts';
import type { Agent } from '../src/core/agent.ts';
import type { Message } from '../src/core/model.ts';
import { readJournal } from '../src/run/load.ts';
import type { Bench, Row } from './measure.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { type BenchWorld, openWorld, runToEnd } from './world.ts';

const turns = 200;

export const size: Bench = {
  name: 'size',
  async run() {
    await using world = openWorld({ agent: toolLoop as Agent, model: talkingModel, tools: talkTools(turns) });
    await runToEnd(world, 'run');
    const said = await bytesSaid(world, 'run');
    const { rows, blobs, references } = await bytesStored(world, 'run');
    const stored = rows + blobs + references;
    world.checkpoint();
    const file = statSync(world.file).size;
    return [
      sized('stored, before compression', stored, said, 1.35),
      sized('  of which rows of events', rows, said),
      sized('  of which blobs', blobs, said),
      sized('  of which references', references, said),
      sized('the database file', file, said),
    ];
  },
};

function sized(what: string, bytes: number, said: number, atMost?: number): Row {
  return {
    what,
    unit: 'KB',
    against: `what was said in ${turns} turns`,
    measured: bytes / 1000,
    floor: said / 1000,
    ratio: bytes / said,
    aim: atMost === undefined ? null : { of: 'ratio', atMost },
  };
}

async function bytesSaid(world: BenchWorld, id: string): Promise<number> {
  const { events } = await readJournal(world.store, id);
  const requests = events.filter((event) => event.kind === 'model-request');
  const responses = events.filter((event) => event.kind === 'model-response');
  const asked = requests.at(-1)?.body.messages as unknown as readonly Message[];
  const answered = responses.at(-1)?.body;
  const last = answered?.status === 'ok' ? (answered.result as { message: Message }).message : null;
  return [...asked, ...(last ? [last] : [])].reduce((sum, message) => sum + textBytes(message), 0);
}

/** The words of a message: text, names and arguments of calls, without keys, quotes and brackets. */
function textBytes(message: unknown): number {
  if (typeof message === 'string') return Buffer.byteLength(message);
  if (typeof message === 'number') return String(message).length;
  if (typeof message !== 'object' || message === null) return 0;
  return Object.values(message).reduce<number>((sum, inner) => sum + textBytes(inner), 0);
}

async function bytesStored(world: BenchWorld, id: string) {
  const rows = await world.store.events(id);
  using database = new DatabaseSync(world.file);
  const hashes = database
    .prepare('SELECT hash FROM blobs')
    .all()
    .map(({ hash }) => String(hash));
  const texts = await world.store.blobs(hashes);
  return {
    // Five numbers of up to eight bytes stand beside the text of a row.
    rows: rows.reduce((sum, row) => sum + Buffer.byteLength(row.body + row.branch + row.kind) + 5 * 8, 0),
    blobs: [...texts].reduce((sum, [hash, text]) => sum + hash.length + Buffer.byteLength(text), 0),
    // A key and a key; and the hash once more, in the index of blobs.
    references: hashes.reduce((sum, hash) => sum + 2 * 8 + hash.length, 0),
  };
}
