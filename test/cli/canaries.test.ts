/** Secrets of the environment: whatever a command tells, whatever a model repeats of them, and wherever it is written. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import { commandsWithoutCanary } from '../hostile/canary.ts';
import { newPlace, type Place, polya } from './shell.ts';

const names = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'AOC_SESSION',
  'ATCODER_SESSION',
  'GITHUB_TOKEN',
  'MY_PASSWORD',
  'AWS_SECRET_ACCESS_KEY',
];
const canaries = Object.fromEntries(names.map((name, at) => [name, `canary-${at}-0123456789abcdef`]));
const canary = /canary-\d-0123456789abcdef/;
/** A user's own file may hold what it wants. */
const script = 'replies.json';

function place(): Place {
  const { folder, env } = newPlace();
  return { folder, env: { ...env, ...canaries } };
}

function leaks({ folder }: Place): readonly string[] {
  const root = dirname(folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const whole = join(root, path);
    return (
      statSync(whole, { throwIfNoEntry: false })?.isFile() &&
      !path.endsWith(script) &&
      canary.test(readFileSync(whole, 'latin1'))
    );
  });
}

/** They serve until they are ended, or change the machine. */
const apart = /^(?:aoc practice|view|setup|doctor|demo|ahc docker|ahc practice|test)\b/;

const commands = polyaProgram(apps)
  .commands.map(({ path }) => path)
  .filter((path) => !apart.test(path));

test('no command tells a secret of its environment, however it is called', async () => {
  const here = place();
  for (const path of commands) {
    for (const more of [['--help'], ['--no-such-option'], [], ['nothing-there', '--json']]) {
      const { out, err } = await polya(here, [...path.split(' '), ...more]);
      expect(`${out}${err}`, path).not.toMatch(canary);
    }
  }
  expect(leaks(here)).toEqual([]);
});

test('every command has a run among canaries: a new one is put into test/fixtures/cli/calls.json or test/hostile/canary.ts', () => {
  expect(commandsWithoutCanary()).toEqual([]);
});

test('what a model repeats of a secret stands in no output, journal, export or script', async () => {
  const here = place();
  const said = Object.values(canaries).join(' and ');
  const replies = [{ text: `The answer is ${said}.` }, { text: said }, { text: said }];
  writeFileSync(join(here.folder, script), JSON.stringify({ roles: { solver: { '': replies } } }));
  const told: string[] = [];
  const call = async (argv: readonly string[]) => {
    const { out, err } = await polya(here, argv);
    told.push(out, err);
    return out;
  };
  const asked = await call(['ask', 'What is it?', '--model', `scripted:${script}`, '--json']);
  const id = /"(?:id|run)": "([^"]+)"/.exec(asked)?.[1] ?? '';
  expect(id, told.join('\n')).not.toBe('');
  for (const argv of [
    ['show', id],
    ['show', id, '--json'],
    ['show', id, '--full'],
    ['list', '--json'],
    ['replay', id],
    ['export', id, '--out', 'x'],
    ['export', id, '--format', 'script', '--out', 'c.json'],
    ['watch', id, '--json'],
  ])
    await call(['runs', ...argv]);
  await call(['cost', '--json']);
  expect(told.filter((text) => canary.test(text))).toEqual([]);
  expect(leaks(here)).toEqual([]);
});

test.each([401, 400, 302])(
  'a provider that echoes the key in a reply of status %d, its body and its headers, tells nobody',
  async (status) => {
    const server = createServer((request, response) => {
      const said = `${request.headers.authorization} ${Object.values(canaries).join(' ')}`;
      const headers = { 'content-type': 'application/json', 'x-request-id': said, location: `/${said}` };
      response.writeHead(status, said, { ...headers, 'retry-after': '0' });
      response.end(JSON.stringify({ error: { message: said, type: said, code: said, [said]: said } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { folder, env } = place();
    const more = {
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_COMPATIBLE_API_KEY: 'canary-8-0123456789abcdef',
    };
    const here = { folder, env: { ...env, ...more } };
    const model = ['--model', 'openai-compatible/any'];
    for (const argv of [
      ['ask', 'What is it?', ...model],
      ['ask', 'What is it?', ...model, '--json'],
      ['runs', 'show', 'last', '--full'],
      ['runs', 'show', 'last', '--json'],
      ['runs', 'export', 'last', '--out', 'x'],
      ['cost', '--json'],
    ]) {
      const { out, err } = await polya(here, argv);
      expect(`${out}${err}`, argv.join(' ')).not.toMatch(canary);
    }
    expect(leaks(here)).toEqual([]);
    server.closeAllConnections();
    server.close();
  },
);
