/**
 * A store with 10,000 runs in it: listing them, adding up what they cost, what the page asks first, and opening a short and a long one. Against the raw queries that this
 * cannot do without. `watch` in watch.ts follows one that grows.
 */
import { DatabaseSync } from 'node:sqlite';
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import { storeNamed } from '../src/open/store.ts';
import { readJournal } from '../src/run/load.ts';
import { readSpending } from '../src/run/spending.ts';
import { api } from '../src/server/api.ts';
import { callingAgent, instantModel } from './calling.ts';
import { type Bench, contest, processorTimer, type Row, timed } from './measure.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { type BenchWorld, openWorld, runToEnd } from './world.ts';

const runs = 10_000;
const turns = 200;
const rounds = 15;

export const manyRuns: Bench = {
  name: 'many-runs',
  async run() {
    await using short = openWorld({ agent: callingAgent, model: instantModel });
    for (let run = 1; run <= runs; run += 1) await runToEnd(short, `run-${run}`, { steps: 1 });
    await using long = openWorld({ agent: toolLoop, model: talkingModel, tools: talkTools(turns) });
    await runToEnd(long, 'talk');
    return [
      await list(short),
      await timedRow(`add up what ${runs} runs cost`, () => readSpending(short.store, undefined, ignore)),
      await timedRow('what the page of `polya view` asks first', () => askPage(short)),
      await open(short, 'run-500', 'open a run of one step'),
      await open(long, 'talk', `open a conversation of ${turns} turns`),
    ];
  },
};

const ignore = (): void => undefined;

async function timedRow(what: string, work: () => Promise<unknown>): Promise<Row> {
  const taken = processorTimer();
  await work();
  const aim = { of: 'measured', atMost: 2_000 } as const;
  const unit = 'ms of the processor';
  return { what, unit, against: '', measured: taken(), floor: null, ratio: null, aim };
}

async function askPage(world: BenchWorld): Promise<void> {
  const place = storeNamed('.', '.', {});
  const polya = { world, home: '', place, code: null, cache: '', close: async () => undefined };
  const { status } = await api({ polya, isReadOnly: true, closing: new AbortController().signal }).request(
    '/runs',
  );
  if (status !== 200) throw new Error(`The page was answered with ${status}.`);
}

function list(world: BenchWorld): Promise<Row> {
  return compare(world, `list ${runs} runs`, {
    ours: () => world.store.list(),
    sql: 'SELECT *, (SELECT max(seq) FROM events WHERE run_key = key) FROM runs WHERE id <> ? ORDER BY key DESC',
    id: '',
  });
}

function open(world: BenchWorld, id: string, what: string): Promise<Row> {
  return compare(world, what, { ours: () => readJournal(world.store, id), sql: rowsAndBlobs, id });
}

const rowsAndBlobs = `SELECT seq, at, branch, ordinal, attempt, kind, body FROM events
  WHERE run_key = (SELECT key FROM runs WHERE id = ?1)
  UNION ALL SELECT 0, 0, '', 0, 0, hash, data FROM run_blobs JOIN blobs ON blobs.key = blob_key
  WHERE run_key = (SELECT key FROM runs WHERE id = ?1)`;

async function compare(
  world: BenchWorld,
  what: string,
  { ours, sql, id }: { ours: () => Promise<unknown>; sql: string; id: string },
): Promise<Row> {
  using database = new DatabaseSync(world.file);
  const query = database.prepare(sql);
  const result = await contest({ rounds, ours: () => timed(ours), floor: () => timed(() => query.all(id)) });
  return { what, unit: 'ms', against: 'the raw query', ...result, aim: { of: 'measured', atMost: 1_000 } };
}
