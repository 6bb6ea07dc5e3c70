/** What users found wrong in their first ten minutes, each under its name. */
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveSet } from '../../src/cli/drive-set.ts';
import { LiveView } from '../../src/cli/live-view.ts';
import { openJournals } from '../../src/open/journals.ts';
import { noPaint } from '../../src/text/paint.ts';
import { root } from './process.ts';
import { newPlace, polya } from './shell.ts';

const exit = (): never => {
  throw new Error('It would end here.');
};

test('a full disk was told in 16 identical lines', async () => {
  const place = newPlace();
  let told = '';
  const err = {
    write: (text: string) => {
      told += text;
    },
    isTerminal: false,
    columns: 80,
    paint: noPaint,
    isClosed: false,
  };
  const rows = Array.from({ length: 16 }, (_, at) => ({
    name: `row ${at}`,
    family: 'qa',
    problem: {},
    agent: 'single-call',
    settings: {},
    models: {},
    modelSettings: {},
    limits: {},
  }));
  const rules = { name: 'set', concurrency: 4, budget: {}, stopWhen: 'never', prompts: {} } as const;
  const polyaThere = openJournals({ ...place, create: true });
  const view = { apps: [], env: {}, err, onInterrupt: () => () => undefined, exit };
  await liveSet(view, polyaThere, {
    set: { id: 'set', createdAtMs: 0, plan: { ...rules, rows } },
    start: async (observer) => {
      for (const at of rows.keys())
        observer.onFailure?.(at, new Error(`The disk is full; go on with set-${at + 1}.`));
      observer.onFailure?.(0, new Error('Another reason.'));
      return { done: Promise.resolve('done'), stop: () => undefined };
    },
  });
  await polyaThere.close();
  expect(told.match(/disk is full/g)).toHaveLength(1);
  expect(told).toContain('15 other rows could not go on for the same reason');
  expect(told).toContain('Another reason');
  expect(told).not.toMatch(/\bID\b/);
});

test('examples that the documents tell to run are in the package', () => {
  const { files }: { files: readonly string[] } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const packed = new Set(
    files
      .filter((pattern) => !pattern.startsWith('!'))
      .flatMap((pattern) => globSync([pattern, `${pattern}/**`], { cwd: root })),
  );
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const missing = docs.flatMap((name) => {
    const text = readFileSync(join(root, 'docs', name), 'utf8');
    const named = [...text.matchAll(/(?<![\w/])examples\/[\w./-]+\.(?:tsx?|md|yaml|json|jsonl|cpp)/g)];
    return named
      .map(([path]) => path)
      .filter((path) => !packed.has(path) && !path.includes('NAME'))
      .map((path) => `${name}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test.each([
  ['ask hi --model manual --image nosuch.png', 'nosuch.png'],
  ['aoc run --site practice --year 2000 --day 1 --lang pythn --model manual', 'pythn'],
  ['ask hi --model manual --prompts prompts', 'no prompt named other'],
  ['qa ask hi --model manual --agent nosuch', 'no agent nosuch'],
  ['qa ask hi --model manual --agent-setting nosuch=1', 'no setting nosuch'],
])('`--model manual` in a pipe hid what is wrong beside it: %s', async (call, said) => {
  const place = newPlace();
  mkdirSync(join(place.folder, 'prompts'));
  writeFileSync(join(place.folder, 'prompts', 'other.md'), 'words');
  const { code, err } = await polya(place, call.split(' '));
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(said) });
});

test('a default of several was told as JSON', async () => {
  const { out } = await polya(newPlace(), ['qa', 'run', '--help']);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('(default: ensemble)');
});

test('a canned script offered itself for somebody’s own proof, and criticised another one', async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, 'p.md'), '# Mine\n\nShow that $1 + 1 = 2$.\n');
  writeFileSync(join(place.folder, 'proof.md'), 'It is so by definition.\n');
  const told = async (...argv: string[]) => {
    const { code, err } = await polya(place, argv);
    return `${code} ${err}`;
  };
  for (const verb of [
    ['verify', 'p.md', 'proof.md'],
    ['solve', 'p.md'],
  ] as const) {
    const advice = await told('proof', ...verb);
    expect(advice).toMatch(/^2 polya: No model is named/);
    expect(advice).toContain('--model manual');
    expect(advice.replaceAll(/Models are written.*/g, '')).not.toContain('scripted/');
    for (const name of ['proof-check', 'proof-odd-squares'])
      expect(await told('proof', ...verb, '--model', `scripted/${name}`)).toMatch(
        /^2 polya: scripted\/proof-\S+ was written ahead for another problem/,
      );
  }
  const question = ['qa', 'ask', 'What is mine?', '--model', 'scripted/qa-rope'];
  expect(await told(...question)).toMatch(/^2 polya: scripted\/qa-rope was written ahead/);
  expect((await polya(place, ['runs', 'list'])).out).toContain('No runs yet');
});

test('a budget that is too small for a call was told without what to do', async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, 'prices.yaml'), 'openai/gpt-5: { input: 1000, output: 1000 }\n');
  const env = {
    ...place.env,
    OPENAI_API_KEY: 'sk-none-0123456789',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  const argv = ['ask', 'hi', '--budget', '0.0001', '--model', 'openai/gpt-5'];
  const { err } = await polya({ ...place, env: { ...env, POLYA_PRICES: 'prices.yaml' } }, argv);
  expect(err).toContain('--setting max_output_tokens=200');
});

test('constants of a search were cut off by a narrow terminal', () => {
  let told = '';
  const write = (text: string): void => {
    told += text;
  };
  const size = { isTerminal: true, columns: 80, rows: 24, isClosed: false };
  const view = new LiveView({ write, ...size, paint: noPaint });
  view.begin([]);
  const names = Array.from({ length: 8 }, (_, at) => `A_LONG_CONSTANT_${at}`);
  const place = { seq: 2, atMs: 0, branch: '', ordinal: null, attempt: 0 };
  const body = { kind: 'constants', data: { names: names.join(' ') }, index: 0 };
  view.show({ ...place, kind: 'note', body });
  view.close();
  for (const name of names) expect(told).toContain(name);
  const lines = told
    .replaceAll('\x1b[2K', '')
    .split(/[\r\n]/)
    .filter((line) => line.includes('CONSTANT'));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
});
