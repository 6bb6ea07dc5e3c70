/** What a worker does with a reply that was paid for while its Postgres was gone: it waits, keeps it, settles or tells it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { createJournal } from '../../src/run/start.ts';
import { needsOf } from '../../src/studies/fleet/fits.ts';
import { work } from '../../src/studies/fleet/worker.ts';
import { prepareRows } from '../../src/studies/run-set/execute.ts';
import { lineTo } from '../support/line.ts';
import {
  newStoreUrl,
  sharedCluster,
  startCluster,
  startServer,
  stopServer,
  urlIn,
} from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { eventsOf, normalise } from '../support/world.ts';
import { factsOf, hostWorld, type Place, replyTo, setOfFleet, spoolOf } from './fleet-world.ts';

const calls = 3;
const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Counts the calls, and answers each when it is told to. */
async function newProvider() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response: ServerResponse) => {
    let text = '';
    for await (const data of request) text += data;
    asked.push(text);
    waiting.push(() => response.end(replyTo(text.slice(text.indexOf(' ') + 1))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  /** When the numbered call has come, answers it. */
  const answer = async (number: number): Promise<void> => {
    await until(() => waiting[number]);
    waiting[number]?.();
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    answer,
    came: (number: number) => until(() => waiting[number]),
  };
}

/** A worker in this process, which takes it for a host of its own. */
async function startWorker(place: Place, name: string) {
  const told: string[] = [];
  const world = await hostWorld(place, name);
  const stopping = new AbortController();
  const tell = (line: string) => void told.push(line);
  const spool = spoolOf(place, name, tell);
  const working = work(world, {
    fleet: world.fleet,
    facts: factsOf(name),
    signal: stopping.signal,
    tell,
    spool,
  });
  const end = async (): Promise<void> => {
    stopping.abort();
    await working;
    await world.store.close();
  };
  endings.push(end);
  return { told, end };
}

/** One row with three calls. */
async function offerRow(place: Place) {
  const world = await hostWorld(place, 'giver');
  endings.push(() => world.store.close());
  const prepared = (await prepareRows(world, setOfFleet(1, calls))).get(0);
  if (!prepared) throw new Error('There is no row.');
  await world.store.release((await createJournal(world, prepared.header, null)).ownership);
  const needs = needsOf(prepared.header);
  await world.fleet.enqueue({ runId: 'set-1', setId: 'set', fromSeq: 1, needs });
  return world;
}

const hasEnded = (world: Awaited<ReturnType<typeof hostWorld>>) =>
  until(async () => (await world.store.get('set-1'))?.ended === true);

const lateFiles = ({ folder }: Place, host: string, ending: string): string[] => {
  const late = join(folder, 'late', host);
  return (existsSync(late) ? readdirSync(late) : [])
    .filter((name) => name.endsWith(ending))
    .map((name) => join(late, name));
};

test('a Postgres that is back within the lease: the reply is settled; after it, it is settled from the spool', async () => {
  const cluster = temporaryFolder('pg');
  startCluster(cluster, process.pid);
  endings.push(() => stopServer(cluster, 'fast'));
  const journals: string[][] = [];
  for (const [schema, leaseMs] of [
    ['within', 600_000],
    ['after', 8_000],
  ] as const) {
    const provider = await newProvider();
    const url = urlIn({ folder: cluster, socket: cluster }, schema);
    const place = { folder: temporaryFolder(), url, provider: provider.url, leaseMs };
    const world = await offerRow(place);
    const { told, end } = await startWorker(place, 'a');
    await provider.answer(0);
    await provider.came(1);
    stopServer(cluster, 'fast');
    await provider.answer(1);
    if (schema === 'after') {
      const [file = ''] = await until(() => {
        const files = lateFiles(place, 'a', '.late.json');
        return files.length > 0 ? files : null;
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
      expect(told.join('\n')).toContain('cannot be journaled now');
    }
    startServer(cluster);
    await provider.answer(2);
    await hasEnded(world);
    const events = await eventsOf(world, 'set-1');
    expect(provider.asked.length, 'no call is made twice').toBe(calls);
    expect(foldRun(events)).toMatchObject({ possiblyBilled: 0, totals: { modelCalls: calls } });
    expect(lateFiles(place, 'a', 'json')).toEqual([]);
    expect(told.some((line) => line.includes('is in its journal now'))).toBe(schema === 'after');
    journals.push(normalise(events));
    await end();
  }
  expect(journals[1]).toEqual(journals[0]);
});

test('back when another has gone on with the run: the reply is told and kept, its call is possibly billed', async () => {
  const provider = await newProvider();
  const url = await newStoreUrl();
  const place = { folder: temporaryFolder(), url, provider: provider.url, leaseMs: 8_000 };
  const line = await lineTo(join((await sharedCluster()).socket, '.s.PGSQL.5432'));
  endings.push(() => line.close());
  const schema = new URLSearchParams(url.slice(url.indexOf('?'))).get('schema');
  const world = await offerRow(place);
  const throughLine = { ...place, url: `postgres://polya@127.0.0.1:${line.port}/polya?schema=${schema}` };
  const cut = await startWorker(throughLine, 'cut');
  await provider.answer(0);
  await provider.came(1);
  line.cut();
  await provider.answer(1);
  await until(() => lateFiles(place, 'cut', '.late.json').length > 0);
  await startWorker(place, 'other');
  await provider.answer(2);
  await provider.answer(3);
  await hasEnded(world);
  expect(foldRun(await eventsOf(world, 'set-1'))).toMatchObject({
    possiblyBilled: 1,
    totals: { modelCalls: calls },
  });
  expect(provider.asked.length).toBe(calls + 1);
  line.mend();
  const [kept = ''] = await until(() => {
    const files = lateFiles(place, 'cut', '.told.json');
    return files.length > 0 ? files : null;
  });
  expect(readFileSync(kept, 'utf8')).toContain('said ');
  expect(cut.told.join('\n')).toMatch(/came too late: .* possibly billed\. It used 310 tokens/);
  expect(lateFiles(place, 'cut', '.late.json')).toEqual([]);
});
