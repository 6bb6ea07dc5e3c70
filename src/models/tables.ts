/** The user's tables of prices, quirks and paces, by a model's name or a pattern. They go before known-prices.ts. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { type ServerQuirk, serverQuirks } from '../core/model.ts';
import type { Price, Rates } from '../core/usage.ts';
import { readYaml } from '../core/yaml.ts';
import { bestPattern, matches } from './pattern.ts';

type TableFile = {
  readonly path: string;
  /** A missing one is an empty one. */
  readonly optional: boolean;
};

async function readTable(
  { path, optional }: TableFile,
  unreadable: (why: string) => UserError,
  unfit: (why: string) => UserError,
): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (optional && error.code === 'ENOENT') return '';
    throw unreadable(error.message);
  });
  const read = readYaml(text);
  if (!read.ok) throw unfit(read.why);
  return read.value;
}

const usdPerMillion = z.number().nonnegative();
const rates = {
  input: usdPerMillion,
  /** Where it is left out, what is read from a cache costs what all input costs. */
  cachedInput: usdPerMillion.optional(),
  cacheWrite: usdPerMillion.optional(),
  output: usdPerMillion,
  reasoning: usdPerMillion.optional(),
};
const tier = z.strictObject({ aboveInputTokens: z.number().int().positive(), ...rates });
const pricesSchema = z
  .record(z.string(), z.strictObject({ ...rates, tiers: z.array(tier).optional() }))
  // A file with nothing but comments.
  .nullable();

export type PriceTable = { priceOf(id: string): Price | null };

/** By the whole name of a model, or a pattern such as `ollama/*`. Throws `UserError` where there is no usable table. */
export async function loadPrices(file: TableFile): Promise<PriceTable> {
  const { path } = file;
  const unreadable = (why: string) =>
    new UserError({
      code: 'file-unreadable',
      what: `The prices in ${path} cannot be read.`,
      why: `${why}.`,
      fix: 'Name a YAML file with POLYA_PRICES.',
    });
  return priceTable(await readTable(file, unreadable, (why) => invalidPricesError(path, why)), path);
}

export function priceTable(table: unknown, source: string): PriceTable {
  const parsed = pricesSchema.safeParse(table);
  if (!parsed.success) throw invalidPricesError(source, z.prettifyError(parsed.error));
  const lines = new Map(Object.entries(parsed.data ?? {}));
  return {
    priceOf: (id) => {
      const line = lines.get(lines.has(id) ? id : (bestPattern([...lines.keys()], id) ?? ''));
      return line ? toPrice(line) : null;
    },
  };
}

type PriceLine = NonNullable<z.infer<typeof pricesSchema>>[string];

function toPrice({ tiers = [], ...line }: PriceLine): Price {
  const inOrder = tiers
    .toSorted((a, b) => a.aboveInputTokens - b.aboveInputTokens)
    .map(({ aboveInputTokens, ...each }) => ({ aboveInputTokens, ...toRates(each) }));
  return { ...toRates(line), ...(inOrder.length > 0 ? { tiers: inOrder } : {}) };
}

function toRates({
  input,
  cachedInput = input,
  cacheWrite,
  output,
  reasoning,
}: Omit<PriceLine, 'tiers'>): Rates {
  return {
    inputUsdPerMillion: input,
    cachedInputUsdPerMillion: cachedInput,
    ...(cacheWrite === undefined ? {} : { cacheWriteInputUsdPerMillion: cacheWrite }),
    outputUsdPerMillion: output,
    ...(reasoning === undefined ? {} : { reasoningUsdPerMillion: reasoning }),
  };
}

function invalidPricesError(path: string, why: string): UserError {
  return new UserError({
    code: 'no-table',
    what: `The file ${path} is no usable table of prices.`,
    why: /[.?!:]$/.test(why) ? why : `${why}.`,
    fix: 'Write a line a model, in dollars per million tokens: `openai-compatible/NAME: { input: 0.5, cachedInput: 0.1, output: 2 }`.',
  });
}

export type QuirkTable = { quirksOf(id: string): readonly ServerQuirk[] | null };

const quirksSchema = z.record(z.string(), z.array(z.enum(serverQuirks)));

/** What servers refuse, by the name of a model or a pattern. Throws `UserError` for what is no usable table. */
export function quirkTable(table: unknown, source: string): QuirkTable {
  const parsed = quirksSchema.safeParse(table);
  if (!parsed.success) {
    throw new UserError({
      code: 'no-table',
      what: `The \`quirks\` in ${source} are no usable table.`,
      why: z.prettifyError(parsed.error),
      fix: `Write a list for each model or pattern: \`quirks: { 'openai-compatible/NAME': ['max-completion-tokens'] }\`. There are: ${serverQuirks.join(', ')}.`,
    });
  }
  const lines = new Map(Object.entries(parsed.data));
  return { quirksOf: (id) => lines.get(bestPattern([...lines.keys()], id) ?? '') ?? null };
}

const count = z.number().positive();
const limits = z.strictObject({
  callsAtOnce: count.int().optional(),
  requestsPerMinute: count.optional(),
  tokensPerMinute: count.optional(),
});

/** The models that a name fits share its limits. */
type PaceLine = {
  readonly name: string;
  readonly limits: z.infer<typeof limits>;
  fits(model: string): boolean;
};

/** Throws `UserError` where there is no usable table. */
export async function loadPaces(file: TableFile): Promise<readonly PaceLine[]> {
  const unfit = (why: string) =>
    new UserError({
      code: 'no-table',
      what: `The file ${file.path} is no usable table of paces.`,
      why,
      fix: 'Write a line a model or pattern: `openai/*: { callsAtOnce: 20, requestsPerMinute: 500, tokensPerMinute: 200000 }`.',
    });
  const table = await readTable(file, (why) => unfit(`It cannot be read: ${why}.`), unfit);
  const parsed = z.record(z.string(), limits).nullable().safeParse(table);
  if (!parsed.success) throw unfit(z.prettifyError(parsed.error));
  return Object.entries(parsed.data ?? {}).map(([name, limits]) => ({
    name,
    limits,
    fits: (model) => matches(name, model),
  }));
}
