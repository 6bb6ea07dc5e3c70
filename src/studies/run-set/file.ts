/**
 * A run-set in YAML becomes a plan: defaults, rows that change them, repetitions, and all combinations of a matrix.
 * Whether its problems, agents and models exist is found when the set is prepared.
 */
import { z } from 'zod';
import type { Limits } from '../../core/agent.ts';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { reasoningEfforts } from '../../core/model.ts';
import { readYaml } from '../../core/yaml.ts';
import { mergedSettings, type RowPlan, type SetPlan, stopRules } from './plan.ts';

const count = z.number().int().positive();
const text = z.string().min(1);
const jsonObject = z.record(z.string(), z.json());

const limits = z
  .strictObject({
    toolCalls: count.optional(),
    modelCalls: count.optional(),
    tokens: count.optional(),
    usd: z.number().positive().optional(),
    minutes: z.number().positive().optional(),
  })
  .transform(
    ({ usd, minutes, ...counts }): Limits => ({
      ...counts,
      ...(usd === undefined ? {} : { costUsd: usd }),
      ...(minutes === undefined ? {} : { wallMs: Math.round(minutes * 60_000) }),
    }),
  );

const modelSettings = z.strictObject({
  temperature: z.number().exactOptional(),
  topP: z.number().exactOptional(),
  maxOutputTokens: count.exactOptional(),
  reasoningEffort: z.enum(reasoningEfforts).exactOptional(),
  thinkingBudgetTokens: z.number().int().nonnegative().exactOptional(),
  seed: z.number().int().exactOptional(),
});

/** One for all roles, or one for each. */
const byRole = z.union([
  text.transform((model): Record<string, string> => ({ default: model })),
  z.record(z.string(), text),
]);

const changes = z.strictObject({
  family: z.string().optional(),
  problem: jsonObject.optional(),
  agent: z.string().optional(),
  settings: jsonObject.optional(),
  models: byRole.optional(),
  /** Where they are, in the place of what the environment says. */
  baseUrls: byRole.optional(),
  /** As older configurations say it: a provider, and the bare name of a model for all roles. */
  provider: text.optional(),
  model: text.optional(),
  modelSettings: z.record(z.string(), modelSettings).optional(),
  limits: limits.optional(),
  /** A folder of prompts, as `polya agents --export-prompts` makes one. */
  prompts: text.optional(),
});
type Changes = z.infer<typeof changes>;

const mostRows = 10_000;

const row = changes.extend({
  name: text.optional(),
  seed: z.union([z.string(), z.number()]).optional(),
  repeat: count.max(mostRows).default(1),
});

const fileSchema = z.strictObject({
  name: text,
  concurrency: count.max(1_000).default(1),
  budget: z.strictObject({ usd: z.number().positive().optional(), tokens: count.optional() }).default({}),
  stopWhen: z.enum(stopRules).default('never'),
  stopWithin: z.enum(['problem', 'set']).default('set'),
  defaults: changes.default({}),
  rows: z.array(row).default([]),
  matrix: z
    .partialRecord(
      z.enum(['family', 'problem', 'agent', 'settings', 'models', 'modelSettings', 'limits', 'prompts']),
      z.array(z.json()).min(1),
    )
    .default({}),
});
type File = z.infer<typeof fileSchema>;

export type FileOptions = {
  /** Told to people. */
  readonly file: string;
  /** The name under which a model is found again from any folder; `provider` is that of names without one. */
  readonly modelName: (name: string, provider?: string) => string;
  /** The prompts of a folder, by name. */
  readonly promptsOf: (folder: string) => Readonly<Record<string, string>>;
};

/** Throws `UserError` where the text is no run-set. */
export function parseRunSet(source: string, options: FileOptions): SetPlan {
  const read = readYaml(source);
  if (!read.ok) throw noRunSet(options.file, read.why);
  const parsed = fileSchema.safeParse(read.value);
  if (!parsed.success) throw noRunSet(options.file, z.prettifyError(parsed.error));
  const { name, concurrency, budget, stopWhen, stopWithin } = parsed.data;
  const rows = rowsOf(parsed.data, options);
  if (rows.length > mostRows)
    throw noRunSet(options.file, `It has ${rows.length} rows, more than ${mostRows}.`);
  const { usd, ...tokens } = budget;
  const shared = usd === undefined ? tokens : { costUsd: usd, ...tokens };
  return { name, concurrency, budget: shared, stopWhen, stopWithin, prompts: {}, rows };
}

function rowsOf({ defaults, rows, matrix }: File, options: FileOptions): RowPlan[] {
  const output: File['rows'] = rows.length > 0 ? rows : [{ repeat: 1 }];
  const plans: RowPlan[] = [];
  for (const { name, repeat, seed, ...own } of output) {
    for (const { changes: combined, labels } of expandMatrix(matrix, options)) {
      const merged = merge(merge(merge({}, defaults), own), combined);
      for (let time = 1; time <= repeat; time += 1) {
        const number = plans.length + 1;
        const named = [name ?? `row ${number}`, ...labels].join(', ');
        plans.push({
          name: repeat > 1 ? `${named} (${time})` : named,
          ...planOf(merged, number, options),
          // Repetitions of one seed would all be the same draw.
          seed: seed === undefined || time === 1 ? seed?.toString() : `${seed}-${time}`,
        });
      }
    }
  }
  return plans;
}

/** Every combination of one value of each list, as changes of a row. */
function expandMatrix(matrix: File['matrix'], { file }: FileOptions) {
  let found: JsonObject[] = [{}];
  for (const [key, values] of Object.entries(matrix)) {
    found = found.flatMap((each) => values.map((value) => ({ ...each, [key]: value })));
  }
  return found.map((each) => {
    const parsed = changes.safeParse(each);
    if (!parsed.success) throw noRunSet(file, `Its matrix: ${z.prettifyError(parsed.error)}`);
    const labels = Object.values(each).map((value) => wordsIn(value).join(' '));
    return { changes: parsed.data, labels };
  });
}

/** The plain values in it, as a label for the combination. */
function wordsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(wordsIn);
}

/** Field by field: a row that changes the day keeps the year. */
function merge(under: Changes, over: Changes): Changes {
  const forAll: Record<string, string> = over.model === undefined ? {} : { default: over.model };
  return {
    ...under,
    ...over,
    problem: { ...under.problem, ...over.problem },
    settings: { ...under.settings, ...over.settings },
    models: { ...under.models, ...forAll, ...over.models },
    baseUrls: { ...under.baseUrls, ...over.baseUrls },
    modelSettings: mergedSettings(under.modelSettings ?? {}, over.modelSettings ?? {}),
    limits: { ...under.limits, ...over.limits },
  };
}

function planOf(merged: Changes, number: number, options: FileOptions): Omit<RowPlan, 'name'> {
  const { file, modelName, promptsOf } = options;
  const { prompts: promptsFolder } = merged;
  const { family, agent, problem = {}, settings = {}, provider, baseUrls = {}, limits: own = {} } = merged;
  if (!family) throw noRunSet(file, `Row ${number} names no family.`);
  if (!agent) throw noRunSet(file, `Row ${number} names no agent.`);
  const models = Object.entries(merged.models ?? {});
  return {
    family,
    problem,
    agent,
    settings,
    limits: own,
    modelSettings: merged.modelSettings ?? {},
    models: Object.fromEntries(models.map(([role, name]) => [role, modelName(name, provider)])),
    baseUrls: Object.keys(baseUrls).length > 0 ? baseUrls : undefined,
    ...(promptsFolder === undefined ? {} : { promptsFolder, prompts: promptsOf(promptsFolder) }),
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
