/** What goes with a row to another host: code of the user by its hash, and files that its problem names. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { start } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

/** Hosts in one process: each has folders of its own. */
async function newHosts(count: number): Promise<Place[]> {
  const url = await newStoreUrl();
  return Array.from({ length: count }, () => {
    const place = newPlace();
    return { ...place, env: { ...place.env, POLYA_STORE: url } };
  });
}

function write({ folder }: Place, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A command that goes on for long, as a process: loading code is Node's business. `says` fails where it ends before. */
function begun(place: Place, argv: readonly string[]) {
  const { child, ended } = start(place, argv);
  let err = '';
  let isOver = false;
  child.stderr?.on('data', (text: string) => {
    err += text;
  });
  void ended.then(() => {
    isOver = true;
  });
  const says = async (words: string): Promise<string> => {
    await until(() => isOver || err.includes(words));
    expect(err).toContain(words);
    return err;
  };
  return { child, ended, says };
}

async function startWorker(place: Place, ...argv: readonly string[]) {
  const before = (await workersIn(place)).length;
  const { child, ended, says } = begun(place, ['worker', ...argv]);
  const told = await says('Ctrl-C stops it');
  await until(async () => (await workersIn(place)).length > before);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { told, stop };
}

async function workersIn(place: Place) {
  return JSON.parse((await polya(place, ['worker', '--list', '--json'])).out).workers;
}

/** An agent, its model and a family; `solve` is the body of a function. */
const agentCode = (name: string, solve: string, needs = '') => `
import { defineAgent, defineFamily, scriptedModel } from 'polya';
import { z } from 'zod';

const agent = defineAgent({
  name: '${name}',
  settings: z.object({}),
  needs: [${needs}],
  async solve(_problem, run) {
    ${solve}
  },
});

const family = defineFamily({
  name: 'own',
  reference: z.object({ question: z.string() }),
  detail: z.object({}),
  travels: true,
  load: async ({ question }) => ({ id: 'own/1', title: question, statement: question, detail: {} }),
  open: () => ({}),
});

const models = { canned: scriptedModel({ id: 'canned', script: () => 'No.' }) };
export default { agents: [agent], families: [family], models };
`;

const agentSaying = (words: string) =>
  agentCode('mine', `return { end: 'answered', answer: { type: 'text', text: ${words} } };`);

const itsPlace = agentSaying('import.meta.filename');

const reader = agentCode(
  'reader',
  `await run.tool('DownloadInput', {});
    const { text } = await run.tool('SubmitAnswer', { answer: '7' });
    return { end: 'answered', answer: { type: 'text', text } };`,
  "'tools'",
);

test('code goes by its hash, and files of a puzzle with their row: a worker that has all takes it, and others say why not', async () => {
  const [giver, edited, same] = (await newHosts(3)) as [Place, Place, Place];
  const { POLYA_STORE: url = '' } = giver.env;
  const agents = [write(giver, 'agents/mine.ts', itsPlace), write(giver, 'agents/reader.ts', reader)];
  write(giver, 'day.md', '--- Day 0: Sums ---\n\nAdd the numbers.\n\n--- Part Two ---\n\nMultiply them.\n');
  const input = write(giver, 'input.txt', '3\n4\n');
  const puzzle = { site: 'files', statement: 'day.md', input: 'input.txt', answer1: '7', lang: 'python' };
  const rows = [
    { family: 'own', problem: { question: 'Where?' }, agent: 'mine', models: 'canned' },
    { family: 'aoc', problem: puzzle, agent: 'reader', models: 'canned' },
  ];
  write(giver, 'set.json', JSON.stringify({ name: 'travel', rows }));

  const lateCopy = write(edited, 'mine.ts', `${itsPlace}// Edited.\n`);
  const wrong = await startWorker(edited, '--agent', lateCopy);
  // It is what it has loaded, whatever becomes of the file.
  write(edited, 'mine.ts', itsPlace);
  const brought = agents.flatMap((file) => ['--agent', file]);
  const set = begun(giver, ['run-set', 'run', 'set.json', '--json', ...brought]);
  const told = await set.says('reader.ts (hash');
  expect(told).toMatch(
    /it lacks your code agents\/mine\.ts \(hash [\w-]{8}\); the mine\.ts that it has loaded is another \(hash [\w-]{8}\)/,
  );
  await until(async () => (await bySql(url, 'SELECT 1 FROM offers')).length === 2);
  // What is under this path on the other host is not meant.
  write(giver, 'input.txt', 'of another puzzle\n');

  // Two files with an agent of one name: the hash tells which is meant.
  const own = write(same, 'copies/right.ts', itsPlace);
  const files = [write(same, 'copies/wrong.ts', agentSaying('"wrong"')), own, write(same, 'read.ts', reader)];
  const right = await startWorker(same, ...files.flatMap((file) => ['--agent', file]));
  expect(right.told).toContain('your code in copies/wrong.ts, copies/right.ts, read.ts');
  const { code, out } = await set.ended;
  const [mine, read] = JSON.parse(out).rows;
  expect([code, mine.state, read.state]).toEqual([1, 'ended', 'ended']);
  // Its own copy, although the file that the journal names is on this machine.
  expect(await exported(giver, mine.run)).toContain(`"text": "${own}"`);
  const journal = await exported(giver, read.run);
  expect(journal).toContain('"bytes": 4');
  expect(journal).toContain('Part 1 was solved, part 2 was not.');
  const cache = join(same.env.HOME ?? '', '.cache/polya/sent');
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  const kept = readdirSync(cache).map((name) => join(cache, name));
  expect(kept.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(kept.map((file) => readFileSync(file, 'utf8'))).toContain('3\n4\n');
  expect(readFileSync(input, 'utf8')).toContain('another');
  await Promise.all([wrong.stop(), right.stop()]);
});

test('a worker whose file does not load does not begin', async () => {
  const [place] = (await newHosts(1)) as [Place];
  const argv = ['worker', '--agent', write(place, 'mine.ts', 'export const a = ;\n')];
  const broken = await begun(place, argv).ended;
  expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('mine.ts') });
  expect(await polya(place, ['worker', '--family', 'gone.ts'])).toMatchObject({ code: 2 });
  expect(await workersIn(place)).toEqual([]);
});

async function exported(place: Place, run: string): Promise<string> {
  return (await polya(place, ['runs', 'export', run, '--format', 'json'])).out;
}
