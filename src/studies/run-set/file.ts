/**
 * A run-set as its user writes it, in YAML: defaults, rows that change them, repetitions, and a matrix of changes of
 * which every combination is made. A text goes in, a plan comes out. Whether its problems, agents and models exist is
 * found when the set is prepared.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { reasoningEfforts } from '../../core/model.ts';
import { readYaml } from '../../core/yaml.ts';
import { type RowPlan, type SetPlan, stopRules } from './plan.ts';

const count = z.number().int().positive();
const jsonObject = z.record(z.string(), z.json());

const limits = z.strictObject({
  toolCalls: count.optional(),
  modelCalls: count.optional(),
  tokens: count.optional(),
  usd: z.number().positive().optional(),
  minutes: z.number().positive().optional(),
});

const modelSettings = z.strictObject({
  temperature: z.number().exactOptional(),
  topP: z.number().exactOptional(),
  maxOutputTokens: count.exactOptional(),
  reasoningEffort: z.enum(reasoningEfforts).exactOptional(),
  thinkingBudgetTokens: z.number().int().nonnegative().exactOptional(),
  seed: z.number().int().exactOptional(),
});

const models = z.union([
  z
    .string()
    .min(1)
    .transform((model): Record<string, string> => ({ default: model })),
  z.record(z.string(), z.string().min(1)),
]);

const rowShape = {
  family: z.string().optional(),
  problem: jsonObject.optional(),
  agent: z.string().optional(),
  settings: jsonObject.optional(),
  models: models.optional(),
  /** Where they are, in the place of what the environment says. */
  baseUrls: models.optional(),
  /** As older configurations say it: a provider, and the bare name of a model for all roles. */
  provider: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  modelSettings: z.record(z.string(), modelSettings).optional(),
  limits: limits.optional(),
};

const mostRows = 10_000;

const fileSchema = z.strictObject({
  name: z.string().min(1),
  concurrency: count.max(1_000).default(1),
  budget: z.strictObject({ usd: z.number().positive().optional(), tokens: count.optional() }).default({}),
  stopWhen: z.enum(stopRules).default('never'),
  stopWithin: z.enum(['problem', 'set']).default('set'),
  defaults: z.strictObject(rowShape).default({}),
  rows: z
    .array(
      z.strictObject({
        name: z.string().min(1).optional(),
        seed: z.union([z.string(), z.number()]).optional(),
        repeat: count.max(mostRows).default(1),
        ...rowShape,
      }),
    )
    .default([]),
  matrix: z
    .partialRecord(
      z.enum(['family', 'problem', 'agent', 'settings', 'models', 'modelSettings', 'limits']),
      z.array(z.json()).min(1),
    )
    .optional(),
});
type File = z.infer<typeof fileSchema>;
type Changes = { [Key in keyof typeof rowShape]?: z.infer<(typeof rowShape)[Key]> | undefined };

export type FileOptions = {
  /** Told to people. */
  readonly file: string;
  /** The name under which a model is found again from any folder; `provider` is that of names without one. */
  readonly modelName: (name: string, provider?: string) => string;
};

/** Throws `UserError` where the text is no run-set. */
export function parseRunSet(text: string, options: FileOptions): SetPlan {
  const read = readYaml(text);
  if (!read.ok) throw noRunSet(options.file, read.why);
  const parsed = fileSchema.safeParse(read.value);
  if (!parsed.success) throw noRunSet(options.file, z.prettifyError(parsed.error));
  const { name, concurrency, budget, stopWhen, stopWithin } = parsed.data;
  const rows = rowsOf(parsed.data, options);
  if (rows.length > mostRows)
    throw noRunSet(options.file, `It has ${rows.length} rows, more than ${mostRows}.`);
  return {
    name,
    concurrency,
    budget: {
      ...(budget.usd === undefined ? {} : { costUsd: budget.usd }),
      ...(budget.tokens === undefined ? {} : { tokens: budget.tokens }),
    },
    stopWhen,
    stopWithin,
    prompts: {},
    rows,
  };
}

function rowsOf({ defaults, rows, matrix }: File, options: FileOptions): RowPlan[] {
  const written = rows.length > 0 ? rows : [{ repeat: 1 } as File['rows'][number]];
  const planned: RowPlan[] = [];
  for (const row of written) {
    for (const changes of combinations(matrix ?? {}, options)) {
      for (let time = 1; time <= row.repeat; time += 1) {
        const merged = merge(merge(merge({}, defaults), row), changes);
        const number = planned.length + 1;
        const named = [row.name ?? `row ${number}`, ...labelsOf(matrix ?? {}, changes)];
        const name = [named.join(', '), row.repeat > 1 ? ` (${time})` : ''].join('');
        planned.push(planRow({ name, number, merged, seed: seedOf(row.seed, time) }, options));
      }
    }
  }
  return planned;
}

/** Repetitions of one seed would all be the same draw. */
function seedOf(seed: string | number | undefined, time: number): string | undefined {
  if (seed === undefined) return undefined;
  return time === 1 ? `${seed}` : `${seed}-${time}`;
}

type Matrix = NonNullable<File['matrix']>;

/** Every combination of one value of each list, as changes of a row. */
function combinations(matrix: Matrix, { file }: FileOptions): Changes[] {
  let found: JsonObject[] = [{}];
  for (const [key, values] of Object.entries(matrix)) {
    found = found.flatMap((each) => values.map((value) => ({ ...each, [key]: value })));
  }
  return found.map((each) => {
    const parsed = z.strictObject(rowShape).safeParse(each);
    if (!parsed.success) throw noRunSet(file, `Its matrix: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  });
}

function labelsOf(matrix: Matrix, changes: Changes): string[] {
  return Object.keys(matrix).map((key) => {
    const value = changes[key as keyof Changes];
    return typeof value === 'string' ? value : wordsIn(value ?? {}).join(' ');
  });
}

/** The plain values in it: what tells one combination from another. */
function wordsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(wordsIn);
}

/** Field by field: a row that names another day keeps the year. */
function merge(under: Changes, over: Changes): Changes {
  return {
    family: over.family ?? under.family,
    problem: { ...under.problem, ...over.problem },
    agent: over.agent ?? under.agent,
    settings: { ...under.settings, ...over.settings },
    models: { ...under.models, ...modelsIn(over) },
    baseUrls: { ...under.baseUrls, ...over.baseUrls },
    provider: over.provider ?? under.provider,
    modelSettings: mergeSettings(under.modelSettings, over.modelSettings),
    limits: { ...under.limits, ...over.limits },
  };
}

function modelsIn({ models: named, model }: Changes): Changes['models'] {
  return { ...(model === undefined ? {} : { default: model }), ...named };
}

function mergeSettings(
  under: Changes['modelSettings'] = {},
  over: Changes['modelSettings'] = {},
): Changes['modelSettings'] {
  const roles = [...Object.keys(under), ...Object.keys(over)];
  return Object.fromEntries(roles.map((role) => [role, { ...under[role], ...over[role] }]));
}

function planRow(
  row: { name: string; number: number; merged: Changes; seed: string | undefined },
  { file, modelName }: FileOptions,
): RowPlan {
  const {
    family,
    agent,
    problem = {},
    settings = {},
    models: named = {},
    provider,
    modelSettings: own = {},
    baseUrls = {},
  } = row.merged;
  if (!family) throw noRunSet(file, `Row ${row.number} names no family.`);
  if (!agent) throw noRunSet(file, `Row ${row.number} names no agent.`);
  const { usd, minutes, toolCalls, modelCalls, tokens } = row.merged.limits ?? {};
  return {
    name: row.name,
    family,
    problem,
    agent,
    settings,
    models: Object.fromEntries(
      Object.entries(named).map(([role, name]) => [role, modelName(name, provider)]),
    ),
    ...(Object.keys(baseUrls).length > 0 ? { baseUrls } : {}),
    modelSettings: own,
    limits: {
      ...(toolCalls === undefined ? {} : { toolCalls }),
      ...(modelCalls === undefined ? {} : { modelCalls }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(usd === undefined ? {} : { costUsd: usd }),
      ...(minutes === undefined ? {} : { wallMs: Math.round(minutes * 60_000) }),
    },
    ...(row.seed === undefined ? {} : { seed: row.seed }),
  };
}

function noRunSet(file: string, why: string): UserError {
  return new UserError({
    code: 'no-run-set',
    what: `The file ${file} is no usable run-set.`,
    why: /[.?!:]$/.test(why) ? why : `${why}.`,
    fix: 'docs/run-sets.md describes its form.',
  });
}
