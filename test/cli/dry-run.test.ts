/** `--dry-run` of what goes on: runs, forks and run-sets show what would be asked next, and nothing happens. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { faults } from '../support/model-server/conduct.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { type ModelServer, startModelServer } from '../support/model-server/server.ts';
import { newPlace, type Place, polya } from './shell.ts';

let server: ModelServer;
let asked = 0;
beforeEach(async () => {
  asked = 0;
  server = await startModelServer({
    model: echoModel,
    conduct: () => faults.auth ?? {},
    onExchange: () => {
      asked += 1;
    },
  });
  return () => server.close();
});

/** Its key is refused: what it asks ends in an error that a resume can go on from. */
function refusedPlace(): Place {
  const place = newPlace();
  return {
    ...place,
    env: { ...place.env, VLLM_BASE_URL: `${server.url}/v1`, VLLM_API_KEY: 'sk-refused-key' },
  };
}

async function journals(place: Place): Promise<string> {
  const [list, show] = [
    await polya(place, ['runs', 'list', '--json']),
    await polya(place, ['runs', 'show', 'last']),
  ];
  return `${list.out}\n${show.out}`;
}

test('a person in the place of the model need not be there', async () => {
  const place = newPlace();
  for (const model of ['manual', 'manual:http']) {
    const argv = ['aoc', 'run', '--site', 'practice', '--year', '2000', '--day', '1', '--lang', 'python'];
    const { code, out, err } = await polya(place, [...argv, '--model', model, '--dry-run']);
    expect([code, err]).toEqual([0, expect.not.stringContaining('Answer at')]);
    expect(out).toContain('Dry run: nothing was called');
  }
  const set = ['qa', 'run', 'one.jsonl', '--model', 'manual', '--dry-run'];
  writeFileSync(join(place.folder, 'one.jsonl'), JSON.stringify({ question: '1 + 1?', answer: '2' }));
  expect(await polya(place, set)).toMatchObject({ code: 0 });
});

test('a run that would be resumed', async () => {
  const place = refusedPlace();
  expect(await polya(place, ['ask', 'Why is it so?', '--model', 'vllm/m'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/The key is the one in VLLM_API_KEY.* runs resume /s),
  });
  const before = await journals(place);
  const { code, out } = await polya(place, ['runs', 'resume', 'last', '--dry-run', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    dryRun: true,
    firstRequest: { role: 'solver', messages: [{ content: [{ text: 'Why is it so?' }] }] },
  });
  expect(await journals(place)).toBe(before);
  expect(asked).toBe(1);
});

test('a fork, with its hint', async () => {
  const place = newPlace();
  const argv = ['aoc', 'run', '--site', 'practice', '--year', '2000', '--day', '1', '--lang', 'python'];
  const run = await polya(place, [...argv, '--model', 'scripted/aoc-practice-day1', '--max-tool-calls', '1']);
  expect(run.code).toBe(1);
  const before = await journals(place);
  const fork = ['runs', 'fork', 'last', '--at', '1', '--hint', 'Count the stubs.', '--dry-run'];
  const { code, out, err } = await polya(place, fork);
  expect(code, err).toBe(0);
  expect(out).toContain('Dry run: nothing was called, nothing is kept.');
  expect(out).toContain('Count the stubs.');
  expect(await journals(place)).toBe(before);
});

test('a run-set', async () => {
  const place = refusedPlace();
  const set = { name: 's', defaults: { family: 'plain', agent: 'single-call', models: 'vllm/m' } };
  const rows = [{ problem: { text: 'one?' } }, { problem: { text: 'two?' } }];
  writeFileSync(join(place.folder, 'set.yaml'), JSON.stringify({ ...set, rows }));
  expect((await polya(place, ['run-set', 'run', 'set.yaml'])).code).toBe(3);
  const before = await journals(place);
  const { code, out } = await polya(place, ['run-set', 'resume', 'last', '--dry-run']);
  expect(code).toBe(0);
  expect(out).toMatch(/2 rows, 1 at once.*row 1 +interrupted.*row 2 +interrupted.*text: one\?/s);
  expect(await journals(place)).toBe(before);
  expect(asked).toBe(2);
});

test('every role is told with its model, whoever has none of its own', async () => {
  const place = refusedPlace();
  const argv = ['qa', 'ask', '2+2?', '--model', 'vllm/m', '--model', 'summariser=vllm/other', '--dry-run'];
  const { out, err } = await polya(place, argv);
  expect(out, err).toContain('model default     vllm/m, for planner, solver, reviewer\n');
  expect(out).toContain('model summariser  vllm/other\n');
  const { roles } = JSON.parse((await polya(place, [...argv, '--json'])).out);
  expect(roles).toEqual([
    { role: 'planner', model: 'vllm/m' },
    { role: 'solver', model: 'vllm/m' },
    { role: 'reviewer', model: 'vllm/m' },
    { role: 'summariser', model: 'vllm/other' },
  ]);
  expect(asked).toBe(0);
});

test('nobody is told where to answer what is not asked', async () => {
  const { code, out, err } = await polya(newPlace(), ['ask', '2+2?', '--model', 'manual:http', '--dry-run']);
  expect(code, err).toBe(0);
  expect(out).toContain('2+2?');
  expect(err).not.toContain('Answer at');
});

test('needs no key, since nothing is asked', async () => {
  const place = newPlace();
  const model = 'anthropic/claude-sonnet-4-5';
  const { code, out } = await polya(place, ['ask', 'Why?', '--model', model, '--dry-run', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ dryRun: true, models: [{ model }] });
  writeFileSync(
    join(place.folder, 'set.yaml'),
    JSON.stringify({
      name: 'one',
      defaults: { family: 'plain', agent: 'single-call', models: model },
      rows: [{ problem: { text: 'Why?' } }],
    }),
  );
  expect(await polya(place, ['run-set', 'run', 'set.yaml', '--dry-run'])).toMatchObject({ code: 0 });
  expect(await polya(place, ['run-set', 'run', 'set.yaml'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('ANTHROPIC_API_KEY'),
  });
});
