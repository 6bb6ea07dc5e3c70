/** `polya ahc batch` beside `polya worker`, as processes: rows go to workers with what they need of their workspace. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import type { Store } from '../../src/core/store.ts';
import { readJournal } from '../../src/run/load.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { practiceWorkspace, solutionFile } from '../ahc/practice-workspace.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { call, start } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

const canary = 'canary-of-the-workspace';

const batch = `
name: three
repeat: 3
base: { evolution.max_generations: 1, evolution.population_size: 2, heldOutCases: 0 }
cases: 0-2
`;

const openOf = (log: string): string => `${log}.open`;

/**
 * The same file on each host: programs by the names of their calls, each call a line outside. After some calls it hangs until
 * there is a file that lets it go on: no row ends before it is stopped.
 */
const codeOf = (log: string) => `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { scriptedModel } from 'polya';

const [weak, good] = ${JSON.stringify(['weak', 'good'].map(solutionFile))}.map((file) => readFileSync(file, 'utf8'));
const script = ({ role, branch, index }) => {
  appendFileSync(${JSON.stringify(log)}, role + ' ' + branch + '#' + index + '\\n');
  const program = (index % 2 ? good : weak) + '// ' + branch + '#' + index + '\\n';
  const text = role === 'solver' ? 'IDEA: another\\n\\n\`\`\`cpp\\n' + program + '\`\`\`\\n' : 'No.';
  const isHeld = !existsSync(${JSON.stringify(openOf(log))}) && readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n').length > 4;
  return { text, delayMs: isHeld ? 3_600_000 : 300 };
};
export default { models: { canned: scriptedModel({ id: 'canned', script }) } };
`;

type Host = Place & { readonly log: string };

function newHost(log: string, env: Record<string, string>): Host {
  const place = newPlace();
  writeFileSync(join(place.folder, 'polya.config.ts'), codeOf(log));
  return { folder: place.folder, env: { ...place.env, ...env }, log };
}

/** A host that has the workspace and the file of the batch. */
function newAsker(log: string, env: Record<string, string> = {}): Host {
  const place = newHost(log, env);
  const folder = practiceWorkspace(place.folder, { inputs: 4 });
  writeFileSync(join(folder, 'problem/problem.md'), 'Deliver parcels.\n');
  writeFileSync(join(folder, 'polya.config.ts'), codeOf(log));
  writeFileSync(join(folder, 'b.yaml'), batch);
  for (const name of ['.env', 'notes.md']) writeFileSync(join(folder, name), `TOKEN=${canary}\n`);
  return { ...place, folder };
}

const linesOf = ({ log }: Host): string[] =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];

const bestOf = ({ folder }: Place) => {
  const { entries } = JSON.parse(readFileSync(join(folder, '.ahc/best.json'), 'utf8'));
  return Object.fromEntries(entries.map((each: { name: string }) => [each.name, each]));
};

function resultOf({ folder }: Place, out: string) {
  const { sessions } = JSON.parse(out);
  return sessions.map(({ session, outcome, score, generations, cases }: Record<string, unknown>) => ({
    session,
    outcome,
    score,
    generations,
    cases,
    // Which of equals is first is the order in which replies came.
    program: readFileSync(join(folder, String(session), 'best_solution.cpp'), 'utf8').replace(
      /\/\/ \S+#\d+\n$/,
      '',
    ),
    status: JSON.parse(readFileSync(join(folder, String(session), 'session.json'), 'utf8')).status,
  }));
}

async function journalsIn(store: Store): Promise<{ id: string; events: readonly Event[] }[]> {
  const rows = (await store.list({ limit: 100 })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Promise.all(rows.map(async ({ id }) => ({ id, ...(await readJournal(store, id)) })));
}

const placeOf = ({ branch, ordinal, attempt }: Event): string => `${branch}#${ordinal}/${attempt}`;

const askedIn = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.kind === 'model-request' ? [placeOf(event)] : []));

const paidIn = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.kind === 'model-response' && event.body.status === 'ok' ? [placeOf(event)] : [],
  );

/** Calls that were in flight when a life of the run ended: each may have been made twice. */
function inFlight(events: readonly Event[]): number {
  return events.reduce((sum, { kind }, at) => {
    if (kind !== 'run-resume') return sum;
    const paid = new Set(paidIn(events.slice(0, at)));
    return sum + askedIn(events.slice(0, at)).filter((place) => !paid.has(place)).length;
  }, 0);
}

test('a batch is stopped, gone on with, and loses a worker: it comes to the same as on one host, and nothing is paid twice', async () => {
  const alone = newAsker(join(newPlace().folder, 'calls.log'));
  writeFileSync(openOf(alone.log), '');
  const words = ['ahc', 'batch', 'b.yaml', '--model', 'canned', '--json'];
  const here = await call(alone, words);
  expect(here.code, here.err).toBe(0);
  const expected = resultOf(alone, here.out);
  expect(expected).toHaveLength(3);

  const url = await newStoreUrl();
  const log = join(newPlace().folder, 'calls.log');
  const asker = newAsker(log, { POLYA_STORE: url });
  const store = await openPostgresStore({ url, leaseMs: 8_000 });
  const fleet = await store.fleet?.();
  const startWorker = (host: string) =>
    start(newHost(log, { POLYA_STORE: url, POLYA_HOST: host }), ['worker', '--slots', '1']);
  const workers = ['a', 'b'].map(startWorker);
  await until(async () => (await fleet?.workers())?.length === 2);

  const stopped = start(asker, words);
  await until(() => linesOf(asker).length >= 2);
  const asked = await until(async () => (await store.list({})).find(({ owner, ended }) => owner && !ended));
  const name = `three-c1-r${asked.id.split('-').at(-1)}`;
  // Its folder comes when this host sees that a worker has begun it.
  await until(async () => {
    const { out } = await polya(asker, ['ahc', 'status', name, '--json']);
    return JSON.parse(out).status === 'running';
  });
  expect(await polya(asker, ['ahc', 'stop', name])).toMatchObject({ code: 0 });
  await until(async () => (await store.get(asked.id))?.ended);
  stopped.child.kill('SIGINT');
  const { code, err } = await stopped.ended;
  expect([code, err]).toEqual([130, expect.stringMatching(/Given out to [12] workers? on [12] hosts?\./)]);
  expect(await bySql(url, 'SELECT * FROM offers')).toEqual([]);
  await until(async () => (await store.list({})).every(({ owner }) => owner === null));

  writeFileSync(openOf(log), '');
  const goesOn = start(asker, ['ahc', 'batch', '--resume', 'last', '--json']);
  const before = new Map((await journalsIn(store)).map(({ id, events }) => [id, events.length]));
  const atWork = await until(async () => {
    for (const { id, events } of await journalsIn(store)) {
      const row = await store.get(id);
      const paid = paidIn(events.slice(before.get(id) ?? 0));
      if (row?.owner && !row.ended && paid.length > 0) return row.owner;
    }
    return null;
  });
  process.kill(atWork.pid, 'SIGKILL');
  const ended = await goesOn.ended;
  expect(ended.code, ended.err).toBe(0);
  expect(resultOf(asker, ended.out)).toEqual(expected);

  const journals = await journalsIn(store);
  const hosts = journals.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'run-resume' ? [event.body.host] : [])),
  );
  expect(new Set(hosts)).toEqual(new Set(['a', 'b']));
  const sum = (of: (events: readonly Event[]) => number): number =>
    journals.reduce((all, { events }) => all + of(events), 0);
  for (const { events } of journals) expect(new Set(paidIn(events)).size).toBe(paidIn(events).length);
  expect(linesOf(asker).length).toBeLessThanOrEqual(sum((events) => paidIn(events).length) + sum(inFlight));

  expect(bestOf(asker)).toEqual(bestOf(alone));

  // Nothing of the workspace is sent that the search does not read.
  const hashes = (await bySql(url, 'SELECT hash FROM blobs')) as readonly { hash: string }[];
  const texts = [...(await store.blobs(hashes.map(({ hash }) => hash))).values()];
  const sent = texts
    .filter((text) => text.startsWith('H4sI'))
    .map((text) => gunzipSync(Buffer.from(text, 'base64')).toString());
  // Once more when it goes on: the sessions have learned something meanwhile.
  expect(sent.length).toBeGreaterThanOrEqual(1);
  for (const archive of sent) expect(archive).toContain('problem/contest.json');
  for (const text of [...texts, ...sent]) expect(text.includes(canary)).toBe(false);
  for (const archive of sent) expect(archive.includes('.env')).toBe(false);

  for (const worker of workers) worker.child.kill('SIGTERM');
  await Promise.all(workers.map((worker) => worker.ended));
  await store.close();
}, 1_800_000);
