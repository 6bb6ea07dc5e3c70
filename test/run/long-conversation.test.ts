/**
 * What long conversations cost, counted and not timed: what of the messages is looked at again, what is written, what is
 * read from the store. `bench/` has the times.
 */
import { expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import { requireReply } from '../../src/core/cut-off.ts';
import type { Message } from '../../src/core/model.ts';
import type { Store } from '../../src/core/store.ts';
import { loadHistory, readJournal } from '../../src/run/load.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, modelOf, oddRun, oddWorld } from '../support/odd.ts';

type Count = { words: number; places: number; rows: number; blobs: number; bytes: number; newBlobs: number };

/** An agent that says so much in each turn, and what it costs: words of messages and places of lists that were read, and the store's work. */
function conversation({
  turns,
  onTurn = () => {},
  watched = [],
}: {
  turns: number;
  onTurn?: (turn: number) => void;
  watched?: readonly number[];
}) {
  const count: Count = { words: 0, places: 0, rows: 0, blobs: 0, bytes: 0, newBlobs: 0 };
  const user = (content: string): Message => ({
    role: 'user',
    get content() {
      count.words += 1;
      return content;
    },
  });
  const list = (messages: readonly Message[]): readonly Message[] =>
    new Proxy(messages, {
      get(target, key, receiver) {
        if (typeof key === 'string' && Number.isInteger(Number(key))) count.places += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const solve = async (run: Run) => {
    const messages: Message[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      messages.push(user(`${turn} ${'what was asked. '.repeat(10)}`));
      const request = { messages: watched.includes(turn) ? list(messages) : messages };
      messages.push(requireReply(await run.generate('solver', request)).message);
      onTurn(turn);
    }
    return answered('done');
  };
  return { count, solve, wrapStore: (store: Store) => counted(store, count) };
}

function counted(store: Store, count: Count): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'events')
        return async (...asked: Parameters<Store['events']>) => {
          const rows = await target.events(...asked);
          count.rows += rows.length;
          return rows;
        };
      if (name === 'blobs')
        return async (hashes: readonly string[]) => {
          count.blobs += hashes.length;
          return target.blobs(hashes);
        };
      if (name === 'append')
        return async (...[ownership, batch]: Parameters<Store['append']>) => {
          count.newBlobs += batch.blobs.length;
          for (const { text } of batch.blobs) count.bytes += text.length;
          for (const { body } of batch.events) count.bytes += body.length;
          return target.append(ownership, batch);
        };
      return Reflect.get(target, name)?.bind(target);
    },
  });
}

/** Late replies are as long as early ones. */
const replying = modelOf((_request, { index }) => `${index} `.padEnd(300, 'what was answered. '));

test('a step at turn 2,000 of a conversation costs what it costs at turn 100, but for one copy of its list', async () => {
  const [early, late] = [100, 2_000];
  const costs = new Map<number, Count>();
  let before: Count | null = null;
  const { count, ...parts } = conversation({
    turns: late,
    watched: [early, late],
    onTurn: (turn) => {
      if (before && (turn === early || turn === late)) costs.set(turn, since(before, count));
      before = { ...count };
    },
  });
  const world = oddWorld({ ...parts, model: replying });
  await (await startRun(world, oddRun())).done;
  const [atEarly, atLate] = [costs.get(early), costs.get(late)];
  if (!atEarly || !atLate) throw new Error('Nothing was counted.');
  expect(atLate.words).toBe(atEarly.words);
  expect(atLate.newBlobs).toBe(atEarly.newBlobs);
  // Numbers have some more digits.
  expect(atLate.bytes - atEarly.bytes).toBeLessThan(30);
  expect(atEarly.places).toBe(2 * early - 1);
  expect(atLate.places).toBe(2 * late - 1);
  expect([atLate.rows, atLate.blobs]).toEqual([0, 0]);
  await world.store.close();
});

test('a long conversation is resumed by reading each row and each blob once, and writing what is new', async () => {
  const turns = 200;
  const asked = Promise.withResolvers<void>();
  let isOver = false;
  const { count, ...parts } = conversation({ turns: turns + 1 });
  const model = modelOf((request, call) => {
    if (call.index < turns) return replying.generate(request, call);
    if (isOver) return 'the last';
    asked.resolve();
    return new Promise((_resolve, reject) => call.signal.addEventListener('abort', reject));
  });
  const world = oddWorld({ ...parts, model });
  const handle = await startRun(world, oddRun());
  await asked.promise;
  handle.stop();
  await handle.done;
  isOver = true;

  const before = { ...count };
  const { lastSeq } = (await world.store.get('run')) ?? { lastSeq: 0 };
  await (await resumeRun(world, 'run')).done;
  const resumed = since(before, count);
  expect(resumed.rows).toBe(lastSeq);
  // The link of each reply; those of the agent's words are compared by their hashes.
  expect(resumed.blobs).toBe(turns);
  expect(resumed.newBlobs).toBeLessThan(5);
  // Each is checked, put down and measured once.
  expect(resumed.words).toBeLessThan(10 * turns);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  await world.store.close();
});

test('a long conversation is read with each message decoded once, whichever requests repeat it', async () => {
  const turns = 100;
  const { count, ...parts } = conversation({ turns });
  const world = oddWorld({ ...parts, model: replying });
  await (await startRun(world, oddRun())).done;
  const before = { ...count };
  const { events } = await readJournal(world.store, 'run');
  expect(since(before, count).blobs).toBe(2 * turns);
  const lists = events.flatMap(({ kind, body }) => (kind === 'model-request' ? [body.messages] : []));
  const messages = lists.map((list) => (Array.isArray(list) ? list : []));
  expect(messages.map(({ length }) => length)).toEqual(messages.map((_, index) => 2 * index + 1));
  expect(new Set(messages.flat()).size).toBe(2 * turns - 1);
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  await world.store.close();
});

function since(before: Count, now: Count): Count {
  const { words, places, rows, blobs, bytes, newBlobs } = now;
  return {
    words: words - before.words,
    places: places - before.places,
    rows: rows - before.rows,
    blobs: blobs - before.blobs,
    bytes: bytes - before.bytes,
    newBlobs: newBlobs - before.newBlobs,
  };
}

test('other work goes on between long replies of one page: 60 of 8 MB kept a process for 2 s', async () => {
  const [turns, characters] = [8, 3_000_000];
  const long = modelOf((_request, { index }) => `${index}`.padEnd(characters, 'long '));
  let portion = 0;
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        if (name !== 'blobs') return Reflect.get(target, name)?.bind(target);
        return async (hashes: readonly string[]) => {
          const found = await target.blobs(hashes);
          const texts = [...found.values()].map(({ length }) => length);
          portion = Math.max(portion, texts.length < 2 ? 0 : texts.reduce((sum, each) => sum + each, 0));
          return found;
        };
      },
    });
  const { solve } = conversation({ turns });
  const world = oddWorld({ solve, model: long, wrapStore });
  await (await startRun(world, oddRun())).done;
  for (const read of [() => readJournal(world.store, 'run'), () => loadHistory(world.store, 'run')]) {
    const looks = looking();
    await read();
    expect(looks.end()).toBeGreaterThan(turns / 2);
  }
  expect(portion).toBeLessThan(3 * characters);
  await world.store.close();
});

/** How often others had a turn. */
function looking() {
  const state = { count: 0, isOver: false };
  const look = (): void => {
    state.count += 1;
    if (!state.isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    end: () => {
      state.isOver = true;
      return state.count;
    },
  };
}
