/**
 * The user's own price table: what a model costs, by the name that a user writes, in dollars per million tokens. It goes
 * before what is known of providers (known-prices.ts). Knows nothing of where the file lies, nor of runs.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { Price, Rates } from '../core/usage.ts';
import { readYaml } from '../core/yaml.ts';
import { bestPattern } from './pattern.ts';

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
const tableSchema = z
  .record(z.string(), z.strictObject({ ...rates, tiers: z.array(tier).optional() }))
  // A file with nothing but comments.
  .nullable();

export type PricesFile = {
  readonly path: string;
  /** A missing one is an empty one. */
  readonly optional: boolean;
};

export type PriceTable = { priceOf(id: string): Price | null };

/** By the whole name of a model, or a pattern such as `ollama/*`. Throws `UserError` where there is no usable table. */
export async function loadPrices({ path, optional }: PricesFile): Promise<PriceTable> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (optional && error.code === 'ENOENT') return '';
    throw new UserError({
      code: 'file-unreadable',
      what: `The prices in ${path} cannot be read.`,
      why: `${error.message}.`,
      fix: 'Name a YAML file with POLYA_PRICES.',
    });
  });
  const read = readYaml(text);
  if (!read.ok) throw noTable(path, read.why);
  return priceTable(read.value, path);
}

/** `source`: where the table stands, for people. */
export function priceTable(table: unknown, source: string): PriceTable {
  const parsed = tableSchema.safeParse(table);
  if (!parsed.success) throw noTable(source, z.prettifyError(parsed.error));
  const lines = new Map(Object.entries(parsed.data ?? {}));
  return {
    priceOf: (id) => {
      const line = lines.get(lines.has(id) ? id : (bestPattern([...lines.keys()], id) ?? ''));
      return line ? toPrice(line) : null;
    },
  };
}

type Line = NonNullable<z.infer<typeof tableSchema>>[string];

function toPrice({ tiers = [], ...line }: Line): Price {
  const inOrder = tiers.toSorted((a, b) => a.aboveInputTokens - b.aboveInputTokens);
  return {
    ...toRates(line),
    ...(inOrder.length > 0
      ? { tiers: inOrder.map(({ aboveInputTokens, ...each }) => ({ aboveInputTokens, ...toRates(each) })) }
      : {}),
  };
}

function toRates({ input, cachedInput = input, cacheWrite, output, reasoning }: Omit<Line, 'tiers'>): Rates {
  return {
    inputUsdPerMillion: input,
    cachedInputUsdPerMillion: cachedInput,
    ...(cacheWrite === undefined ? {} : { cacheWriteInputUsdPerMillion: cacheWrite }),
    outputUsdPerMillion: output,
    ...(reasoning === undefined ? {} : { reasoningUsdPerMillion: reasoning }),
  };
}

function noTable(path: string, why: string): UserError {
  return new UserError({
    code: 'no-table',
    what: `The file ${path} is no usable table of prices.`,
    why: /[.?!:]$/.test(why) ? why : `${why}.`,
    fix: 'Write a line a model, in dollars per million tokens: `openai-compatible/NAME: { input: 0.5, cachedInput: 0.1, output: 2 }`.',
  });
}
