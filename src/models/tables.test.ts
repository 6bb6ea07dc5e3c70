import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coded } from '../../test/support/coded.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { loadPaces } from './tables.ts';

function file(text: string): string {
  const path = join(temporaryFolder('pace'), 'pace.yaml');
  writeFileSync(path, text);
  return path;
}

test('a table of paces: a line a model or pattern', async () => {
  const path = file(
    'openai/*: { callsAtOnce: 2, tokensPerMinute: 1000 }\nollama/x: { requestsPerMinute: 0.5 }\n',
  );
  const [openai, paceLine] = await loadPaces({ path, optional: false });
  expect(openai).toMatchObject({ name: 'openai/*', limits: { callsAtOnce: 2, tokensPerMinute: 1000 } });
  expect([openai?.fits('openai/gpt-5'), openai?.fits('ollama/x')]).toEqual([true, false]);
  expect(paceLine?.limits.requestsPerMinute).toBe(0.5);
});

test('none is an empty one, unless its user named it', async () => {
  expect(await loadPaces({ path: '/nowhere/pace.yaml', optional: true })).toEqual([]);
  expect(await loadPaces({ path: file('# later\n'), optional: false })).toEqual([]);
  await expect(loadPaces({ path: '/nowhere/pace.yaml', optional: false })).rejects.toThrow(coded('no-table'));
});

test.each([
  ['a misspelled limit', 'm: { callsAtonce: 1 }', /callsAtonce/],
  ['half a call', 'm: { callsAtOnce: 0.5 }', /callsAtOnce/],
  ['nothing a minute', 'm: { requestsPerMinute: 0 }', /requestsPerMinute/],
  ['what is no YAML', '{ a: ', /pace\.yaml is no usable/],
])('%s is refused', async (_name, text, message) => {
  await expect(loadPaces({ path: file(text), optional: false })).rejects.toThrow(message);
});
