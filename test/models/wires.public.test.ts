/** Every public case of an odd reply over the real wire. Cases that a run or the command line decides are named, and not checked here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFile } from '../support/shared-data.ts';
import { wireSchema } from './case-server.ts';
import { checkCase, type Expectation } from './wire-cases.ts';

const tokens = { input: 100, output: 20 };
const answer: Expectation = { text: 'The answer is 42.', finish: 'stop', tokens };
const short: Expectation = { text: '42', finish: 'stop', tokens };
const submit: Expectation = {
  finish: 'tool-calls',
  tokens,
  calls: [{ name: 'SubmitAnswer', args: { answer: '6' } }],
};
const program = {
  name: 'RunGeneratedCode',
  args: { code: "print(sum(int(x) for x in open(0).read().split(',')))", inputs: ['puzzle'] },
};
const begun = 'The answer is 4';

const table: Readonly<Record<string, Expectation>> = {
  '01-mistral-content-array': answer,
  '02-gemini-tool-no-index': submit,
  '03-two-calls-one-index': { ...submit, calls: [program, ...(submit.calls ?? [])] },
  '03b-two-calls-one-index-no-id': { ...submit, calls: [program] },
  '04-stop-with-tool-calls': submit,
  '05-choices-null': answer,
  '05b-usage-choices-null': answer,
  '06-data-null': answer,
  '07b-deepseek-cache-hit': { text: '42', tokens: { input: 100_000, output: 10, cached: 90_000 } },
  '08-openrouter-error-empty-choices': { ...short, failure: 'overloaded', retried: true },
  '08b-error-in-choice': { ...short, failure: 'overloaded', retried: true },
  '08c-error-and-choice': { ...short, failure: 'overloaded', retried: true },
  '09-deepseek-thoughts-back': { finish: 'tool-calls', tokens, calls: [program] },
  '10-vllm-reasoning-back': { finish: 'tool-calls', tokens, calls: [program] },
  '17-usage-in-choice': short,
  '17b-usage-input-output-tokens': { ...short, tokens: { input: 11, output: 5 } },
  '18-usage-each-chunk': short,
  '18b-usage-zeros': { finish: 'stop', tokens: null },
  '18c-usage-zeros-first': short,
  '19a-sse-crlf': answer,
  '19b-sse-cr': answer,
  '19c-sse-bom-nospace': answer,
  '19d-sse-event-names': short,
  '19e-utf8-split': { finish: 'stop', tokens },
  '19f-no-done': short,
  '19h-text-plain': short,
  '19i-not-streamed': short,
  '25-nulls-and-empties': submit,
  '26-whole-args-again': submit,
  '27-finish-content_filter': { text: begun, finish: 'refusal', tokens },
  '27-finish-empty': { text: begun, finish: 'cut', tokens },
  '27-finish-end_turn': { text: begun, finish: 'stop', tokens },
  '27-finish-eos': { text: begun, finish: 'stop', tokens },
  '27-finish-insufficient_system_resource': {
    text: begun,
    failure: 'overloaded',
    retried: true,
    requests: 3,
    tokens,
  },
  '27-finish-length': { text: begun, finish: 'length', tokens },
  '27-finish-max_tokens': { text: begun, finish: 'length', tokens },
  '27-finish-model_length': { text: begun, finish: 'length', tokens },
  '27-finish-safety': { text: begun, finish: 'refusal', tokens },
  '27-finish-sensitive': { text: begun, finish: 'refusal', tokens },
  '36b-reply-lone-surrogate': { finish: 'stop', tokens },
  '38-gemini-malformed-call': {
    model: 'google/gemini-2.5-pro',
    text: '42',
    finish: 'stop',
    failure: 'malformed',
    retried: true,
    tokens: { input: 100, output: 2 },
  },
  '38b-gemini-blocked': { model: 'google/gemini-2.5-pro', finish: 'refusal' },
  '56-budget-failed-calls': answer,
};

/** What decides these is a refusal that is learned from, a wait, a run, an app or another wire. */
const decidedElsewhere = /^(11|11b|14|15|16|20|33|36|37[a-e]?|43|44|47|48|52|53|54)-/;

test.each(Object.entries(table))('%s', (name, expected) => checkCase(wireOf(name), expected));

test('every case has its line here, or is decided elsewhere', () => {
  const folders = readdirSync(sharedFile('wires'), { withFileTypes: true });
  const names = folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const missing = names.filter((name) => !(name in table) && !decidedElsewhere.test(name));
  expect(missing).toEqual([]);
});

function wireOf(name: string) {
  return wireSchema.parse(JSON.parse(readFileSync(join(sharedFile('wires'), name, 'wire.json'), 'utf8')));
}
