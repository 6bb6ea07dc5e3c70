/** What a server refuses: found out by `polya models --probe`, and configured beforehand. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say, sendJson, startChatServer } from '../models/chat-server.ts';
import { until } from '../support/until.ts';
import { lastJournal, start } from './process.ts';
import { newPlace, polya } from './shell.ts';

const name = 'openai-compatible/some';
const refused = ['max_tokens', 'reasoning_effort'];

const startStrictServer = () =>
  startChatServer((exchange) => {
    const field = refused.find((each) => exchange.body[each] !== undefined);
    if (field === undefined) return say(exchange, { content: '{"n": 1}' });
    return sendJson(exchange.response, 400, { error: { message: `Unsupported parameter: '${field}'` } });
  });

test('a probe tells what a server refuses, and a run that has it configured is refused nothing', async () => {
  await using server = await startStrictServer();
  const place = newPlace();
  const at = ['--base-url', server.baseUrl];
  const probed = await polya(place, ['models', name, '--probe', ...at]);
  expect(probed).toMatchObject({ code: 0, err: expect.stringMatching(/^5 small calls .* 16 tokens.* cost/) });
  expect(probed.out).toMatch(/reasoning effort +taken with no-reasoning-effort/);
  expect(server.exchanges).toHaveLength(5 + 2);
  const { config, quirks } = JSON.parse(
    (await polya(place, ['models', name, '--probe', '--json', ...at])).out,
  );
  expect(quirks).toEqual(['max-completion-tokens', 'no-reasoning-effort']);
  writeFileSync(join(place.folder, 'polya.config.ts'), `export default {\n  ${config}\n};\n`);
  const before = server.exchanges.length;
  const asked = ['ask', 'What is 6 times 7?', '--model', name, '--setting', 'max_output_tokens=50', ...at];
  const env = { ...place.env, POLYA_CONFIG: join(place.folder, 'polya.config.ts') };
  expect(await polya({ ...place, env }, asked)).toMatchObject({ code: 0 });
  expect(server.exchanges.slice(before).map(({ body }) => body.max_completion_tokens)).toEqual([50]);
});

test.each([
  ['the refused request', 1, 2],
  ['the first request without the field', 2, 1],
  ['a later request', 3, 1],
])(
  'after a SIGKILL during %s the run asks with the refused field no more often than it must',
  async (_during, hangingRequest, refusals) => {
    const run = { name: 'RunGeneratedCode', arguments: '{"code": "print(6)"}' };
    const submit = { name: 'SubmitAnswer', arguments: '{"answer": "6"}' };
    let [requests, hasAnswered] = [0, false];
    await using server = await startChatServer((exchange) => {
      requests += 1;
      if (requests === hangingRequest) return;
      const field = exchange.body.max_tokens === undefined ? null : 'max_tokens';
      if (field)
        return sendJson(exchange.response, 400, { error: { message: `Unsupported parameter: '${field}'` } });
      say(exchange, { toolCalls: [{ id: 'c', ...(hasAnswered ? submit : run) }] });
      hasAnswered = true;
    });
    const place = newPlace();
    writeFileSync(join(place.folder, 's.md'), 'Count.');
    writeFileSync(join(place.folder, 'i.txt'), '1\n');
    const files = ['--site', 'files', '--statement', 's.md', '--input', 'i.txt', '--answer1', '6'];
    const limited = ['--setting', 'max_output_tokens=500', '--model', name, '--base-url', server.baseUrl];
    const running = start(place, ['aoc', 'run', '--lang', 'py', ...files, ...limited]);
    await until(() => requests === hangingRequest);
    running.child.kill('SIGKILL');
    await running.ended;
    const { code, err } = await polya(place, ['runs', 'resume', 'last']);
    expect(code, err).toBe(0);
    const refused = server.exchanges.filter(({ body }) => body.max_tokens !== undefined);
    expect([refused.length, requests]).toEqual([refusals, 4]);
    const journal = await lastJournal(place);
    const quirks = journal?.events.flatMap(({ kind, body }) =>
      kind === 'model-request' ? String(body.quirks ?? '') : [],
    );
    expect(quirks).toEqual(['', 'max-completion-tokens', 'max-completion-tokens']);
  },
);

test.each([
  ['manual', /"manual" is no model of a provider/],
  ['scripted:x.yaml', /is no model of a provider/],
])('a probe of %s is refused', async (model, message) => {
  const { code, err } = await polya(newPlace(), ['models', model, '--probe']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
});

test.each([
  [`{ '${name}': ['no-temprature'] }`, /quirks.*no usable table.*There are: json-object/s],
  [`['no-seed']`, /quirks.*no usable table/s],
])('quirks that are none (%s) are refused', async (quirks, message) => {
  const place = newPlace();
  const file = join(place.folder, 'polya.config.ts');
  writeFileSync(file, `export default { quirks: ${quirks} };\n`);
  const env = { ...place.env, POLYA_CONFIG: file, OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' };
  const { code, err } = await polya({ ...place, env }, ['ask', 'x', '--model', name]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
});
