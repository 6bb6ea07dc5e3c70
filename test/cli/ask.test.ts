/** `polya ask`: one journaled call, over real HTTP where the model is a server's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelName, say, startChatServer } from '../models/chat-server.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { typed } from '../support/typed.ts';
import { newPlace, type Place, polya } from './shell.ts';

const picture = Buffer.from('89504e470d0a1a0a0000', 'hex');

function scripted(place: Place, reply = 'Forty-two.'): string {
  writeFileSync(join(place.folder, 'one.yaml'), JSON.stringify({ roles: { solver: [reply] } }));
  return 'scripted:one.yaml';
}

test('the answer alone stands on standard output', async () => {
  const place = newPlace();
  const { code, out, err } = await polya(place, ['ask', 'What is 6 times 7?', '--model', scripted(place)]);
  expect({ code, out }).toEqual({ code: 0, out: 'Forty-two.\n' });
  expect(err).toContain('answered · scripted:');
  expect(err).toContain('script: replies written ahead');
  const shown = await polya(place, ['runs', 'show', 'last']);
  expect(shown.out).toMatch(/^Run \S+: answered\n/);
  expect((await polya(place, ['runs', 'replay', 'last'])).code).toBe(0);
});

test('a server under a base URL, with instructions and a picture, and a price that is not known', async () => {
  await using server = await startChatServer((exchange) => say(exchange, { content: 'A cat.' }));
  const place = newPlace();
  writeFileSync(join(place.folder, 'cat.png'), picture);
  const { code, out } = await polya(
    { ...place, env: { ...place.env, OPENAI_COMPATIBLE_API_KEY: 'none' } },
    typed`
    ask ${'What is this?'} --image cat.png --system ${'Be brief.'} --json --model
    openai-compatible/${modelName} --base-url ${server.baseUrl}`,
  );
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ outcome: 'answered', answer: 'A cat.', agent: 'single-call' });
  const sent = JSON.stringify(server.exchanges[0]?.body);
  expect(sent).toContain('Be brief.');
  expect(sent).toContain(`data:image/png;base64,${picture.toString('base64')}`);
});

test('a base URL holds for the provider that is asked, whichever it is', async () => {
  const server = await startModelServer({ model: echoModel });
  const place = newPlace();
  const env = {
    OPENAI_API_KEY: 'sk-test',
    ANTHROPIC_API_KEY: 'sk-test',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  for (const model of ['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'vllm/any']) {
    const argv = ['ask', 'hello', '--model', model, '--base-url', `${server.url}/v1`];
    const { code, out } = await polya({ ...place, env: { ...place.env, ...env } }, argv);
    expect({ code, out }).toEqual({ code: 0, out: 'You said: hello\n' });
  }
  const { code, err } = await polya(place, typed`ask x --model ${scripted(place)} --base-url ${server.url}`);
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('has no address: --base-url means nothing'),
  });
  await server.close();
});

test('a base URL is remembered: a resume, a fork and a dry run need no variable', async () => {
  let isDown = true;
  await using server = await startChatServer((exchange) => {
    if (!isDown) return say(exchange, { content: 'Late.' });
    exchange.response.writeHead(401).end('{}');
  });
  const place = newPlace();
  const there = { ...place, env: { ...place.env, OPENAI_COMPATIBLE_API_KEY: 'none' } };
  const model = `openai-compatible/${modelName}`;
  const asked = await polya(there, ['ask', 'Late?', '--model', model, '--base-url', server.baseUrl]);
  expect(asked.code).toBe(3);
  isDown = false;
  const shown = await polya(there, ['runs', 'resume', 'last', '--dry-run']);
  expect(shown.out).toContain(`${model} at ${server.baseUrl}`);
  const resumed = await polya(there, ['runs', 'resume', 'last', '--json']);
  expect(resumed.code, resumed.err).toBe(0);
  expect(JSON.parse(resumed.out).models).toMatchObject([{ model, baseUrl: server.baseUrl }]);
  const forked = await polya(there, typed`runs fork last --at 1 --setting temperature=1 --json`);
  expect(forked.code, forked.err).toBe(0);
  expect(server.exchanges.at(-1)?.body.temperature).toBe(1);
  const elsewhere = await polya(there, ['runs', 'fork', 'last', '--at', '1', '--model', model]);
  expect(elsewhere, 'another model is where the environment says').toMatchObject({
    code: 2,
    err: expect.stringContaining('OPENAI_COMPATIBLE_BASE_URL'),
  });
});

test.each([
  ['a password', 'http://me:secret@localhost:1/v1', /is no usable address.*holds no password/s],
  ['a password and no scheme', 'me:secret@localhost:1/v1', /is no usable address/],
  ['a query, which may hold a key', 'http://localhost:1/v1?key=secret', /is no usable address/],
  ['what is no URL', 'localhost:8080', /is no usable address.*http:\/\//s],
  ['a role that the agent does not have', 'grader=http://localhost:1/v1', /has no role grader/],
])('a base URL with %s is refused, and not told', async (_name, baseUrl, message) => {
  const place = newPlace();
  const env = {
    ...place.env,
    OPENAI_COMPATIBLE_API_KEY: 'none',
    OPENAI_COMPATIBLE_BASE_URL: 'http://localhost:1',
  };
  const argv = ['ask', 'x', '--model', 'openai-compatible/x', '--base-url', baseUrl];
  const { code, err } = await polya({ ...place, env }, argv);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err).not.toContain('secret');
  expect(JSON.parse((await polya(place, ['runs', 'list', '--json'])).out).runs).toEqual([]);
});

test('--dry-run shows the request and calls nothing', async () => {
  const place = newPlace();
  const { out } = await polya(place, ['ask', 'Why?', '--model', scripted(place), '--dry-run', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    dryRun: true,
    estimate: { turns: 1 },
    firstRequest: { role: 'solver' },
  });
  expect(JSON.parse((await polya(place, ['runs', 'list', '--json'])).out).runs).toEqual([]);
});

test('an empty reply is no answer', async () => {
  const place = newPlace();
  expect(await polya(place, ['ask', 'Why?', '--model', scripted(place, ' ')])).toMatchObject({
    code: 1,
    out: '',
  });
});

test.each([
  ['an empty question', ['ask', ' '], 'The question is empty.'],
  ['no picture', ['ask', 'x', '--image', 'one.yaml'], 'cannot be shown to a model'],
  ['a file that is not there', ['ask', 'x', '--image', 'none.png'], 'cannot be read'],
  ['two addresses for one role', ['ask', 'x', '--base-url', 'http://a/', '--base-url', 'http://b/'], 'twice'],
  ['a prompt that it does not have', ['ask', 'x', '--prompts', 'prompts'], 'prompts'],
])('%s: one message, and nothing is begun', async (_name, argv, why) => {
  const place = newPlace();
  const { code, err } = await polya(place, [...argv, '--model', scripted(place)]);
  expect(code).toBe(2);
  expect(err).toContain(why);
  expect(JSON.parse((await polya(place, ['runs', 'list', '--json'])).out).runs).toEqual([]);
});
