/** The evaluation of a contest by workers over a real store, with the real sandbox and tools: what comes back, what travels. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { EffectContext } from '../../src/core/problem.ts';
import { type CaseOutcome, programEvaluationIn } from '../../src/core/program.ts';
import type { StoredSlice } from '../../src/core/slices.ts';
import { ahcFamily } from '../../src/families/ahc/family.ts';
import { layout } from '../../src/families/ahc/layout.ts';
import { createIo } from '../../src/io/files.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { ahcParts } from '../../src/open/families/ahc/parts.ts';
import { chosenSandbox } from '../../src/sandbox/choose.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { FleetElsewhere } from '../../src/studies/fleet/elsewhere.ts';
import { toolchainsIn } from '../../src/studies/fleet/fits.ts';
import { platformIn } from '../../src/studies/fleet/host.ts';
import { work } from '../../src/studies/fleet/worker.ts';
import { newPlace } from '../cli/shell.ts';
import { factsOf } from '../studies/fleet-world.ts';
import { setWorld } from '../studies/sets.ts';
import { modelOf } from '../support/odd.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { practiceWorkspace, solutionFile } from './practice-workspace.ts';

const place = newPlace();
const path = practiceWorkspace(place.folder, { inputs: 4 });
writeFileSync(join(path, layout.statement), '# Parcels\n');
const canary = 'sk-canary-of-the-workspace';
for (const name of ['.env', 'notes.md']) writeFileSync(join(path, name), `OPENAI_API_KEY=${canary}\n`);
const parts = ahcParts(localFiles(place.folder), { ...place.env, OPENAI_API_KEY: canary });
const sandbox = chosenSandbox();
const io = createIo({ sandbox, filesFolder: place.folder, identity: { tool: 'polya', version: '0' } });
const { signal } = new AbortController();
const url = await newStoreUrl();
const open = () => openPostgresStore({ url, leaseMs: 300_000 });
const endings: (() => Promise<unknown>)[] = [];
afterAll(async () => void (await Promise.all(endings.map((end) => end()))));

async function worker(host: string): Promise<string[]> {
  const store = await open();
  const fleet = await store.fleet?.();
  if (!fleet) throw new Error('The store gives nothing out.');
  const ending = new AbortController();
  const info = await sandbox.info();
  const toolchains = [...toolchainsIn(info), platformIn(info)];
  const facts = factsOf(host, { isolation: info.isolation, toolchains, only: ['ahc-evaluation'], slots: 1 });
  const world = setWorld(
    modelOf(() => ''),
    { io, families: [ahcFamily(parts)], wrapStore: () => store },
  );
  const finished: string[] = [];
  const slices: typeof fleet.slices = {
    ...fleet.slices,
    finish: (name, end) => {
      finished.push('result' in end ? 'done' : end.failure);
      return fleet.slices.finish(name, end);
    },
  };
  const options = { fleet: { ...fleet, slices }, facts, signal: ending.signal, tell: () => undefined };
  const done = work(world, options);
  endings.push(async () => {
    ending.abort();
    await done;
    await store.close();
  });
  await until(async () => (await fleet.workers()).some(({ id }) => id === facts.id));
  return finished;
}

/** Times and memory differ from run to run. */
const steady = ({ cpuMs: _, wallMs: __, memoryBytes: ___, ...rest }: CaseOutcome) => rest;

test('two workers find what this host finds, in its order; nothing of the workspace reaches the store but what is named', async () => {
  const family = ahcFamily(parts);
  const spec = await family.load({ workspace: path } as JsonObject, io, signal);
  const task = family.open(spec).program;
  if (!task) throw new Error('It offers no program.');
  const evaluated = async (source: string, elsewhere?: FleetElsewhere) => {
    const context: EffectContext = { io: { ...io, elsewhere }, runId: 'r', stage: '', past: [], signal };
    const { score, data } = await task.evaluate(source, ['0002', '0000', '0003', '0001'], context);
    const { cases, ...rest } = programEvaluationIn({ data });
    return { score, ...rest, cases: cases.map(steady) };
  };
  const source = readFileSync(solutionFile('weak'), 'utf8');
  const here = await evaluated(source);

  const store = await open();
  endings.push(() => store.close());
  const fleet = await store.fleet?.();
  if (!fleet) throw new Error('The store gives nothing out.');
  const offered: StoredSlice[] = [];
  const slices: typeof fleet.slices = {
    ...fleet.slices,
    offer: (some, workers) => {
      offered.push(...some);
      return fleet.slices.offer(some, workers);
    },
  };
  const told: string[] = [];
  const elsewhere = new FleetElsewhere({
    ...{ store: { fleet: async () => ({ ...fleet, slices }) }, sandbox, codeVersion: 'test', processor: 'x' },
    ...{ tell: (line: string) => told.push(line), patienceMs: 600_000 },
  });
  expect(await evaluated(source, elsewhere), 'nobody is there').toEqual(here);
  expect(offered).toEqual([]);
  const [one, two] = await Promise.all([worker('one'), worker('two')]);
  expect(await evaluated(source, elsewhere)).toEqual(here);
  expect(told).toEqual([]);
  expect([...one, ...two]).toEqual(['done', 'done', 'done', 'done']);
  expect(await evaluated('int main() { return x; }', elsewhere)).toMatchObject({
    compiled: false,
    cases: [],
  });

  const kinds = (file: string) => file.replace(/\d+/, 'N');
  expect(new Set(offered.flatMap(({ files }) => Object.keys(files).map(kinds)))).toEqual(
    new Set(['source', 'tool', 'in/N']),
  );
  expect(await bySql(url, 'SELECT * FROM slice_files')).toHaveLength(2 + 4);
  const tables = await bySql(url, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
  expect(tables.length).toBeGreaterThan(10);
  const hex = Buffer.from(canary).toString('hex');
  for (const { tablename } of tables as { tablename: string }[]) {
    const text = JSON.stringify(await bySql(url, `SELECT to_jsonb(t)::text AS row FROM ${tablename} t`));
    expect(text.includes(canary) || text.includes(hex), tablename).toBe(false);
  }
  expect(JSON.stringify(offered)).not.toContain(path);
});
