/**
 * Model servers as they are: 133 replies written from public issues and documents, 87 of them by somebody who had not seen the code, each
 * with what a reasonable user expects of it. The first score of those was 46; what a case calls `about` says what its server does.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelRequest } from '../../src/core/model.ts';
import { linesOfJson } from '../support/json-lines.ts';
import { askCase, outcomeOf, wireSchema } from './case-server.ts';

const tokens = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number().optional(),
  reasoning: z.number().optional(),
});
const expected = z.strictObject({
  text: z.string().optional(),
  finish: z.string().optional(),
  failure: z.string().optional(),
  tokens: tokens.nullable().optional(),
  calls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })).optional(),
  requests: z.number(),
});
const caseSchema = wireSchema.extend({
  name: z.string(),
  about: z.string(),
  expect: expected,
  sends: z
    .object({
      maxOutputTokens: z.number().optional(),
      temperature: z.number().optional(),
      output: z.boolean().optional(),
      reasoningEffort: z.literal('low').optional(),
      systemAndTwoUsers: z.boolean().optional(),
    })
    .default({}),
});
type Case = z.infer<typeof caseSchema>;

const cases = linesOfJson(join(import.meta.dirname, '../data/wires.jsonl')).map((line) =>
  caseSchema.parse(line),
);

const strings = { type: 'array', items: { type: 'string' } };
const tools = [
  {
    name: 'RunGeneratedCode',
    description: 'Runs a program.',
    parameters: { type: 'object', properties: { code: { type: 'string' }, inputs: strings } },
  },
  {
    name: 'SubmitAnswer',
    description: 'Hands an answer in.',
    parameters: { type: 'object', properties: { answer: { type: 'string' } } },
  },
];
const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};

function requestOf({ sends, expect: { calls } }: Case): ModelRequest {
  const { output, systemAndTwoUsers, ...settings } = sends;
  const question = { role: 'user', content: 'What is 6 times 7?' } as const;
  const before = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello.' },
  ] as const;
  return {
    messages: systemAndTwoUsers ? [...before, question] : [question],
    ...(calls ? { tools } : {}),
    ...(output ? { output: { name: 'answer', schema } } : {}),
    settings,
  };
}

/** A refused reply may be a reply that says so, or a failure of that kind: a run takes both alike. */
function asRefusal(outcome: object): object {
  return 'failure' in outcome && outcome.failure === 'refusal' ? { ...outcome, finish: 'refusal' } : outcome;
}

test.each(cases)('$name: $about', async (of) => {
  const { text, failure, ...rest } = of.expect;
  const outcome = outcomeOf(await askCase(of, requestOf(of)));
  if (failure === 'refusal') expect(asRefusal(outcome)).toMatchObject({ finish: 'refusal' });
  else if (failure !== undefined) expect(outcome).toEqual({ failure, requests: rest.requests });
  else if (rest.finish === 'refusal') expect(asRefusal(outcome)).toMatchObject({ finish: 'refusal' });
  else expect(outcome).toMatchObject(text === undefined ? rest : { ...rest, text: text.trim() });
});
