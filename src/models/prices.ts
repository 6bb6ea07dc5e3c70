/**
 * The user's own price table: what a model costs, by the name that a user writes, in dollars per million tokens. Without
 * a line in it the price of a live model is not known. Knows nothing of where the file lies, nor of runs.
 */
import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { Price } from '../core/usage.ts';

const usdPerMillion = z.number().nonnegative();
const tableSchema = z
  .record(
    z.string(),
    z.strictObject({
      input: usdPerMillion,
      /** Where it is left out, what is read from a cache costs what all input costs. */
      cachedInput: usdPerMillion.optional(),
      output: usdPerMillion,
    }),
  )
  // A file with nothing but comments.
  .nullable();

export type PricesFile = {
  readonly path: string /** A missing one is an empty one. */;
  readonly optional: boolean;
};

/** By the whole name of a model. Throws `UserError` where the file cannot be read or is no table of prices. */
export async function loadPrices({ path, optional }: PricesFile): Promise<ReadonlyMap<string, Price>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (optional && error.code === 'ENOENT') return '';
    throw new UserError({
      what: `The prices in ${path} cannot be read.`,
      why: `${error.message}.`,
      fix: 'Name a YAML file with POLYA_PRICES.',
    });
  });
  const document = parseDocument(text);
  const [syntaxError] = document.errors;
  if (syntaxError) throw noTable(path, syntaxError.message.trim());
  const parsed = tableSchema.safeParse(document.toJS());
  if (!parsed.success) throw noTable(path, z.prettifyError(parsed.error));
  const lines = Object.entries(parsed.data ?? {});
  return new Map(
    lines.map(([name, { input, cachedInput = input, output }]) => [
      name,
      { inputUsdPerMillion: input, cachedInputUsdPerMillion: cachedInput, outputUsdPerMillion: output },
    ]),
  );
}

function noTable(path: string, why: string): UserError {
  return new UserError({
    what: `The file ${path} is no usable table of prices.`,
    why: /[.?!:]$/.test(why) ? why : `${why}.`,
    fix: 'Write a line a model, in dollars per million tokens: `openai-compatible/NAME: { input: 0.5, cachedInput: 0.1, output: 2 }`.',
  });
}
