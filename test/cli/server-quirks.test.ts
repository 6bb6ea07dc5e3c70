/** What a server refuses: found out by `polya models --probe`, and configured beforehand. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say, sendJson, startChatServer } from '../models/chat-server.ts';
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
