/** A process of the bench `fleet`: `node fleet-child.ts MODE PLACE NAME SLOTS`, the place as JSON. It says `ready`, then works until it is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { thisProcess } from '../src/store/owner.ts';
import { addressOf } from '../src/store/postgres/address.ts';
import { openPostgresStore } from '../src/store/postgres/store.ts';
import { work } from '../src/studies/fleet/worker.ts';
import { factsOf, hostWorld } from '../test/studies/fleet-world.ts';
import { shortEvent, toRow } from './append.ts';

const [mode = '', place = '{}', name = '', count = '1'] = process.argv.slice(2);
const { url, callMs, bullmq, ...rest } = JSON.parse(place);
const slots = Number(count);
const modes: Record<string, () => Promise<unknown>> = {
  async append() {
    const store = await openPostgresStore({ url });
    const run = { id: name, createdAtMs: Date.now(), parent: null, summary: {}, owner: thisProcess() };
    const ownership = await store.create(run, { events: [], blobs: [], durable: false });
    await once('go');
    const end = performance.now() + 5_000;
    let seq = 0;
    while (performance.now() < end) {
      seq += 1;
      await store.append(ownership, { events: [toRow(shortEvent(seq), seq)], blobs: [], durable: false });
    }
    say(`${seq}`);
  },
  async polya() {
    const world = await hostWorld({ url, callMs, ...rest }, name);
    const { signal } = new AbortController();
    say('ready');
    await work(world, { fleet: world.fleet, facts: factsOf(name, { slots }), signal, tell: () => undefined });
  },
  async 'skip-locked'() {
    const pool = new Pool({ connectionString: addressOf(url).connectionString, max: slots });
    await once('ready');
    await Promise.all(Array.from({ length: slots }, () => takeJobs(pool)));
  },
  async bullmq() {
    const { withBackend, createPostgresBackend } = (await import(bullmq)).default;
    const { Worker } = withBackend(createPostgresBackend);
    const connection = { connectionString: url, schema: 'bullmq' };
    const worker = new Worker('rows', () => sleep(callMs), { connection, concurrency: slots });
    await worker.waitUntilReady();
    say('ready');
  },
};
await modes[mode]?.();

async function takeJobs(pool: Pool): Promise<void> {
  for (;;) {
    const client = await pool.connect();
    await client.query('BEGIN');
    const text = 'SELECT id FROM jobs WHERE NOT done ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED';
    const [job] = (await client.query(text)).rows;
    if (job) await sleep(callMs);
    if (job) await client.query('UPDATE jobs SET done = true WHERE id = $1', [job.id]);
    await client.query('COMMIT');
    client.release();
    if (!job) await sleep(50);
  }
}

function say(word: string): void {
  process.stdout.write(`${word}\n`);
}

/** Says that it is there, and goes on when it is told to. */
async function once(word: string): Promise<void> {
  say('ready');
  if (word === 'go') await new Promise((resolve) => process.stdin.once('data', resolve));
}
