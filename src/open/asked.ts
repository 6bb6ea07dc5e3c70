/** What the library may be asked for: its options as schemas, for authors whose compiler did not look. */
import { z } from 'zod';
import { outcomeKinds } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import { Budget } from './budget.ts';

const words = z.record(z.string(), z.string());
const bag = z.record(z.string(), z.unknown());
const callback = z.custom(
  (value) => value === undefined || typeof value === 'function',
  'expected a function',
);
const amount = z.number().min(0).optional();
const whole = z.int().min(0).optional();

const watch = {
  onEvent: callback.optional(),
  onText: callback.optional(),
  onNotice: callback.optional(),
  signal: z.instanceof(AbortSignal).optional(),
  budget: z.instanceof(Budget).optional(),
};
const settings = {
  ...watch,
  model: z.string().optional(),
  models: words.optional(),
  baseUrls: words.optional(),
  modelSettings: z.record(z.string(), bag).optional(),
  settings: bag.optional(),
  prompts: words.optional(),
  limits: z
    .strictObject({ toolCalls: whole, modelCalls: whole, tokens: whole, costUsd: amount, wallMs: amount })
    .optional(),
};

const model = z.looseObject({ id: z.string(), kind: z.string(), takes: z.looseObject({}) });

const shapes = {
  openPolya: z.strictObject({
    folder: z.string().optional(),
    env: z.looseObject({}).optional(),
    sandbox: z.union([z.string(), z.looseObject({})]).optional(),
    agents: z.array(z.unknown()).optional(),
    families: z.array(z.unknown()).optional(),
    models: z.record(z.string(), model).optional(),
  }),
  run: z.strictObject({
    ...settings,
    family: z.string(),
    problem: bag,
    agent: z.string(),
    seed: z.string().optional(),
  }),
  resume: z.strictObject(watch),
  fork: z.strictObject({ ...settings, at: z.int().min(1).optional(), hint: z.string().optional() }),
  runs: z.strictObject({
    outcome: z.enum(outcomeKinds).optional(),
    family: z.string().optional(),
    state: z.enum(['running', 'interrupted', 'ended']).optional(),
    problem: z.string().optional(),
    agent: z.string().optional(),
    limit: whole,
  }),
};

export function assertValidOptions(name: keyof typeof shapes, options: unknown): void {
  const { error } = shapes[name].safeParse(options);
  if (!error) return;
  throw new UserError({
    code: 'arguments-invalid',
    what: `\`${name}\` cannot be called with these options: ${z.prettifyError(error)}`,
    fix: 'Correct what is named; docs/api.md has all options.',
  });
}
