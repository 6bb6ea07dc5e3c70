/**
 * The user's own table of paces: how many calls at once, how many requests and tokens a minute, by the name of a model
 * or a pattern such as `openai/*`, whose models then share it. Knows nothing of where the file lies, nor of who waits.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { readYaml } from '../core/yaml.ts';
import { matches } from './pattern.ts';

const count = z.number().positive();
const tableSchema = z
  .record(
    z.string(),
    z.strictObject({
      callsAtOnce: count.int().optional(),
      requestsPerMinute: count.optional(),
      tokensPerMinute: count.optional(),
    }),
  )
  .nullable();

export type PaceTableLine = {
  readonly name: string;
  readonly limits: {
    readonly callsAtOnce?: number | undefined;
    readonly requestsPerMinute?: number | undefined;
    readonly tokensPerMinute?: number | undefined;
  };
  fits(model: string): boolean;
};

/** A missing file is an empty one, unless its user named it. Throws `UserError` where it is no usable table. */
export async function loadPaces(file: {
  readonly path: string;
  readonly optional: boolean;
}): Promise<readonly PaceTableLine[]> {
  const text = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (file.optional && error.code === 'ENOENT') return '';
    throw noTable(file.path, `It cannot be read: ${error.message}.`);
  });
  const read = readYaml(text);
  if (!read.ok) throw noTable(file.path, read.why);
  const parsed = tableSchema.safeParse(read.value);
  if (!parsed.success) throw noTable(file.path, z.prettifyError(parsed.error));
  return Object.entries(parsed.data ?? {}).map(([name, limits]) => ({
    name,
    limits,
    fits: (model) => matches(name, model),
  }));
}

function noTable(path: string, why: string): UserError {
  return new UserError({
    code: 'no-table',
    what: `The file ${path} is no usable table of paces.`,
    why,
    fix: 'Write a line a model or pattern: `openai/*: { callsAtOnce: 20, requestsPerMinute: 500, tokensPerMinute: 200000 }`.',
  });
}
