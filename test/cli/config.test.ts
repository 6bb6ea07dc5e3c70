/** `polya config`: what a user sets for all folders, what goes before it, and what is refused. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, type Place, polya } from './shell.ts';

const fileOf = (place: Place) => join(place.env.HOME ?? '', '.config', 'polya', 'config.json');
const config = (place: Place, ...argv: string[]) => polya(place, ['config', ...argv]);
const listOf = async (place: Place) => {
  const { out } = await config(place, '--json');
  const { settings }: { settings: { key: string; value: string | null; from: string; where: string }[] } =
    JSON.parse(out);
  return Object.fromEntries(settings.map(({ key, value, from }) => [key, [value, from]]));
};
const asks = ['ask', 'What is 6 times 7?'];
const dry = async (place: Place, argv: readonly string[] = asks) =>
  JSON.parse((await polya(place, [...argv, '--dry-run', '--json'])).out);
const modelsOf = async (place: Place, argv?: readonly string[]) => {
  const { models }: { models: { role: string; model: string }[] } = await dry(place, argv);
  return Object.fromEntries(models.map(({ role, model }) => [role, model]));
};

test('a setting is written whole, for its user alone, and holds in every folder', async () => {
  const place = newPlace();
  expect(await config(place, 'model', 'openai/gpt-5')).toMatchObject({ code: 0, err: '' });
  expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(fileOf(place), '..'))).toEqual(['config.json']);
  expect(await config(place, 'model')).toMatchObject({
    out: 'openai/gpt-5\n',
    err: `from: ${fileOf(place)}\n`,
  });
  expect(await modelsOf(place)).toEqual({ default: 'openai/gpt-5' });
  expect(await config(place, 'model', '--unset')).toMatchObject({ code: 0, out: 'model: —\n' });
  expect(readFileSync(fileOf(place), 'utf8')).toBe('{}\n');
});

test('what is stronger goes first: environment, project, user, default; a file .env is none of them', async () => {
  const place = newPlace();
  expect(await listOf(place)).toEqual({
    model: [null, 'default'],
    store: [join(place.folder, '.polya'), 'default'],
    budget: [null, 'default'],
    sandbox: ['bubblewrap, else docker', 'default'],
  });
  for (const [key, value] of [
    ['model', 'openai/gpt-5'],
    ['model.grader', 'openai/gpt-4'],
    ['store', 'runs'],
    ['budget', '5'],
    ['sandbox', 'none'],
  ] as const)
    expect(await config(place, key, value)).toMatchObject({ code: 0 });
  expect(await listOf(place)).toEqual({
    model: ['openai/gpt-5', 'user'],
    'model.grader': ['openai/gpt-4', 'user'],
    store: [join(place.folder, 'runs'), 'user'],
    budget: ['5', 'user'],
    sandbox: ['none', 'user'],
  });
  writeFileSync(join(place.folder, 'polya.config.ts'), "export default { model: 'openai/of-project' };\n");
  expect(await listOf(place)).toMatchObject({
    model: ['openai/of-project', 'project'],
    'model.grader': ['openai/of-project', 'project'],
    store: [join(place.folder, '.polya'), 'project'],
  });
  writeFileSync(join(place.folder, '.env'), 'POLYA_MODEL=openai/of-env-file\nPOLYA_BUDGET=6\n');
  const env = { ...place.env, POLYA_BUDGET: '7' };
  expect(await listOf({ ...place, env })).toMatchObject({
    model: ['openai/of-project', 'project'],
    budget: ['7', 'environment'],
  });
  const { out, err } = await config(place, 'model', 'openai/gpt-5.1');
  expect(out).toBe('model: openai/gpt-5.1\n');
  expect(err).toContain('sets POLYA_BUDGET, POLYA_MODEL, which is not used: only the environment may');
  expect(err).toContain('openai/of-project, from the project');
  expect(await modelsOf(place, [...asks, '--model', 'openai/gpt-4.1'])).toEqual({
    default: 'openai/gpt-4.1',
  });
});

test('models by role serve the agents that have the role; a stronger model of all roles goes before them', async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, 'problem.md'), 'Show that 1 + 1 = 2.\n');
  await config(place, 'model', 'openai/gpt-5');
  await config(place, 'model.reviewer', 'openai/gpt-4');
  const specs = (...argv: string[]) => modelsOf(place, ['proof', 'solve', 'problem.md', ...argv]);
  expect(await modelsOf(place)).toEqual({ default: 'openai/gpt-5' });
  expect(await specs()).toEqual({ default: 'openai/gpt-5', reviewer: 'openai/gpt-4' });
  expect(await specs('--model', 'openai/a')).toEqual({ default: 'openai/a' });
  expect(await specs('--model', 'reviewer=openai/b')).toEqual({
    default: 'openai/gpt-5',
    reviewer: 'openai/b',
  });
});

test('a budget holds for runs and run-sets that name none', async () => {
  const place = newPlace();
  await config(place, 'model', 'openai/gpt-5');
  await config(place, 'budget', '0.5');
  expect((await dry(place)).limits).toMatchObject({ costUsd: 0.5 });
  expect((await dry(place, [...asks, '--budget', '2'])).limits).toMatchObject({ costUsd: 2 });
  writeFileSync(join(place.folder, 'q.jsonl'), '{"question":"1+1?","answer":"2"}\n');
  const set = await dry(place, ['qa', 'run', 'q.jsonl']);
  expect(set.plan).toMatchObject({ budget: { costUsd: 0.5 } });
  const odd = await polya({ ...place, env: { ...place.env, POLYA_BUDGET: 'much' } }, asks);
  expect(odd).toMatchObject({ code: 2, err: expect.stringContaining('no value for budget') });
});

test('a store holds where no folder around has one', async () => {
  const place = newPlace();
  const script = join(place.folder, 'r.json');
  writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: '42' }] } } }));
  const store = join(place.folder, 'elsewhere');
  await config(place, 'store', store);
  expect(await polya(place, [...asks, '--model', `scripted:${script}`])).toMatchObject({ code: 0 });
  expect(existsSync(join(store, 'polya.db'))).toBe(true);
  mkdirSync(join(place.folder, '.polya'));
  expect((await polya(place, ['runs', 'list'])).out).toContain('No runs yet');
});

test.each([
  [['modle', 'x'], 'Did you mean model?'],
  [['POLYA_MODEL', 'x'], 'Did you mean model?'],
  [['colour', 'x'], 'The settings are model, model.ROLE'],
  [['sandbox', 'dokcer'], 'Did you mean docker?'],
  [['budget', '-1'], 'a number of dollars above 0'],
  [['budget', 'NaN'], 'a number of dollars above 0'],
  [['model', 'gpt-5'], 'a model as --model takes it'],
  [['store', ' '], 'a folder'],
])('config %j is refused', async (argv, said) => {
  const place = newPlace();
  const { code, err } = await config(place, '--', ...argv);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(said) });
  expect(existsSync(fileOf(place))).toBe(false);
});

test('the key of a provider is refused, is not repeated, and is said where it belongs', async () => {
  const place = newPlace();
  for (const key of ['OPENAI_API_KEY', 'openai_api_key', 'api-token', 'model.'])
    for (const argv of [
      [key, 'sk-secret-0123456789'],
      ['model', 'sk-secret-0123456789'],
    ] as const) {
      const { code, out, err } = await config(place, ...argv);
      expect(code).toBe(2);
      expect(out + err).not.toContain('sk-secret');
    }
  const { err } = await config(place, 'OPENAI_API_KEY', 'sk-x');
  expect(err).toContain('in the environment or in a file `.env`');
});

test('a file that cannot be read is named by every command, and is not written over', async () => {
  const place = newPlace();
  mkdirSync(join(fileOf(place), '..'), { recursive: true });
  for (const text of ['{', '[1]', '{"modle":"x"}', '{"budget":"-1"}', 'null']) {
    writeFileSync(fileOf(place), text);
    const answers = [await config(place, 'budget', '1'), await polya(place, ['runs', 'list'])];
    for (const { code, err } of answers)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fileOf(place)) });
    expect(readFileSync(fileOf(place), 'utf8')).toBe(text);
  }
});

test('a file that is a link stays one', async () => {
  const place = newPlace();
  mkdirSync(join(fileOf(place), '..'), { recursive: true });
  const real = join(place.folder, 'dotfiles.json');
  writeFileSync(real, '{}');
  symlinkSync(real, fileOf(place));
  await config(place, 'budget', '1');
  expect(readFileSync(real, 'utf8')).toBe('{\n  "budget": "1"\n}\n');
});
