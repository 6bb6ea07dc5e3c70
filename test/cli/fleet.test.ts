/** `polya worker`, `polya run-set run` over a shared store, and `polya worker --list`, as processes and as one command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveModels } from '../support/model-server/serve.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { start } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

async function sharedPlace(): Promise<Place> {
  const place = newPlace();
  return { ...place, env: { ...place.env, POLYA_STORE: await newStoreUrl() } };
}

function setIn({ folder }: Place, model: string): string {
  const file = 'set.yaml';
  const rows = [1, 2, 3].map((n) => `  - problem: {question: "What is ${n}?"}`).join('\n');
  const defaults = `{family: qa, agent: single-call, models: "${model}"}`;
  writeFileSync(join(folder, file), `name: three\ndefaults: ${defaults}\nrows:\n${rows}\n`);
  return file;
}

const scripted = (place: Place): string => {
  const roles = { solver: { '': [{ text: 'It is \\boxed{2}', repeat: true }] } };
  writeFileSync(join(place.folder, 'r.json'), JSON.stringify({ roles }));
  return 'scripted:r.json';
};

const workersIn = async (place: Place) =>
  JSON.parse((await polya(place, ['worker', '--list', '--json'])).out).workers;

test('a worker needs a store that hosts share', async () => {
  const place = newPlace();
  expect(await polya(place, ['worker'])).toMatchObject({ code: 2, err: expect.stringContaining('--store') });
  const none = await polya(place, ['worker', '--list']);
  expect(none).toMatchObject({ code: 0, out: expect.stringContaining('No worker is there') });
});

test('a slip is no worker without work, and no folder of an odd name', async () => {
  const place = await sharedPlace();
  const slip = await polya(place, ['worker', '--only', 'ahc', '--only', 'qaa']);
  expect(slip).toMatchObject({ code: 2, err: expect.stringContaining('There is no family "qaa"') });
  const evaluations = await polya(place, ['worker', '--only', 'ahc-evaluation']);
  expect(evaluations).toMatchObject({ code: 2, err: expect.stringContaining('worker --only ahc`') });
  for (const store of ['', 'mysql://me:canary-1234@h/d', 'service:prod']) {
    const refused = await polya(place, ['runs', 'list', '--store', store]);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('neither a folder nor a Postgres'),
    });
    expect(refused.err).not.toContain('canary');
  }
});

test('without a worker the set is done here; what is of this host stays, and is told before it is given out', async () => {
  const place = await sharedPlace();
  const file = setIn(place, scripted(place));
  const alone = await polya(place, ['run-set', 'run', file, '--json']);
  expect(alone.err).not.toContain('Given out');
  expect(alone.err).toContain('No worker is there: the rows are done by this process.');
  expect(JSON.parse(alone.out)).toMatchObject({ ended: 'done' });
  const worker = start(place, ['worker', '--slots', '3', '--only', 'qa']);
  await until(async () => (await workersIn(place)).length === 1);
  const told = await polya(place, ['worker', '--list']);
  expect(told.out).toMatch(/0 of 3/);
  const pinned = await polya(place, ['run-set', 'run', file, '--json']);
  expect(pinned.err).toContain('stays on this host');
  expect(JSON.parse(pinned.out)).toMatchObject({ ended: 'done' });
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 130, err: expect.stringContaining('3 slots') });
  expect(await workersIn(place)).toEqual([]);
});

test('a set is given out: the key is the worker’s alone, and the giver watches', async () => {
  const place = await sharedPlace();
  const server = await serveModels();
  const key = 'sk-only-the-worker-has-it';
  const env = { ...place.env, OPENAI_API_KEY: key, ...server.env };
  const worker = start({ ...place, env }, ['worker']);
  await until(async () => (await workersIn(place)).length === 1);
  const given = await polya(place, ['run-set', 'run', setIn(place, 'openai/gpt-5'), '--json']);
  expect(given.err).toContain('Given out to 1 worker on 1 host.');
  const result = JSON.parse(given.out);
  expect(result.rows.map(({ state }: { state: string }) => state)).toEqual(['ended', 'ended', 'ended']);
  const all = await polya(place, ['runs', 'export', result.rows[0].run, '--format', 'json']);
  expect(`${all.out}${given.out}${JSON.stringify(await workersIn(place))}`).not.toContain(key);
  worker.child.kill('SIGTERM');
  await worker.ended;
  await server.close();
});
