/** Replies of model servers as they are in the field, from the public data: what one call of a run makes of each, and how many requests it takes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../src/core/model.ts';
import { sharedFile } from '../support/shared-data.ts';
import { askCase, modelNamed, outcomeOf, wireSchema } from './case-server.ts';

const folder = sharedFile('wires');
/** These are about whole runs, or look at what is given back in later turns. */
const ofRuns = /^(09|10|33|36-|43|44|48|53|54|56)/;
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ofRuns.test(entry.name))
  .map(({ name }) => name);

const answered = { finish: 'stop', text: expect.stringContaining('42'), requests: 1 };
const again = { ...answered, requests: 2 };
const counted = { ...answered, tokens: { input: 100, output: 20 } };
const called = { finish: 'tool-calls', requests: 1 };
const submitted = { ...called, calls: [{ name: 'SubmitAnswer', args: { answer: '6' } }] };
const tooLong = { failure: 'context-overflow', requests: 1 };

/** By the beginning of the case's name; the first one that fits counts. */
const expectations: readonly (readonly [prefix: string, outcome: object])[] = [
  ['02-', submitted],
  ['03-', { ...called, calls: [{ name: 'RunGeneratedCode' }, {}] }],
  ['03b-', called],
  ['04-', submitted],
  ['05b-', counted],
  ['07b-', { ...answered, tokens: { input: 100_000, cached: 90_000 } }],
  ['08', again],
  ['14-', again],
  ['15-', again],
  ['16-', { finish: 'stop', requests: 3 }],
  ['17-', counted],
  ['17b-', { ...answered, tokens: expect.anything() }],
  ['18b-', { ...answered, tokens: null }],
  ['18', counted],
  ['19e-', { finish: 'stop', requests: 1 }],
  ['20-', tooLong],
  ['25-', called],
  ['26-', submitted],
  ['27-finish-content_filter', { finish: 'refusal', requests: 1 }],
  ['27-finish-sensitive', { finish: 'refusal', requests: 1 }],
  ['27-finish-safety', { finish: 'refusal', requests: 1 }],
  ['27-finish-insufficient', { failure: 'overloaded' }],
  ['27-finish-end_turn', { finish: 'stop', requests: 1 }],
  ['27-finish-eos', { finish: 'stop', requests: 1 }],
  ['27-finish-empty', { finish: 'cut', requests: 1 }],
  ['27-', { finish: 'length', requests: 1 }],
  ['36b-', { finish: 'stop', requests: 1 }],
  ['37', again],
  ['38b-', { finish: 'refusal', requests: 1 }],
  ['38-', again],
  ['47-', { finish: 'stop', requests: 1 }],
  ['52-', { finish: 'stop', requests: 1, calls: [] }],
  ['', answered],
];

const tool = (name: string) => ({ name, description: name, parameters: { type: 'object' } });
const schema = { type: 'object', properties: {}, additionalProperties: true };

test.each(names)('%s', async (name) => {
  const wire = wireSchema.parse(JSON.parse(readFileSync(join(folder, name, 'wire.json'), 'utf8')));
  const request: ModelRequest = {
    messages: [{ role: 'user', content: 'What is 6 times 7?' }],
    settings: name.startsWith('14-') ? { maxOutputTokens: 500 } : {},
    ...(/^(02|03|04|25|26)/.test(name) ? { tools: ['RunGeneratedCode', 'SubmitAnswer'].map(tool) } : {}),
    ...(name.startsWith('16-') ? { output: { name: 'answer', schema } } : {}),
  };
  const gemini = name.startsWith('38') ? modelNamed('google/gemini-2.5-pro') : undefined;
  const model = name.startsWith('47') ? modelNamed('openai/gpt-5.1') : gemini;
  const outcome = outcomeOf(await askCase(wire, request, model));
  const [, expectation] = expectations.find(([prefix]) => name.startsWith(prefix)) ?? [];
  expect(outcome).toMatchObject(expectation ?? {});
});
