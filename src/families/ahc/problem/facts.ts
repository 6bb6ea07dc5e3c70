/**
 * What a problem's functions need to know of its workspace, found when it was posed and kept in its spec: what a run did
 * is replayed without the workspace, and means the same when that has changed.
 */
import { z } from 'zod';
import { JournalError, UserError } from '../../../core/errors.ts';
import { jsonIn } from '../../../core/json.ts';
import type { ProblemSpec } from '../../../core/problem.ts';
import { contestSchema } from '../workspace.ts';

const factsSchema = z.object({
  contest: contestSchema,
  cases: z.array(z.string()).describe('The cases that a search may use, such as `0-99,120`; absent: all.'),
  /** Best scores that were known of them. */
  best: z.record(z.string(), z.number()),
  /** Names of the numbers that an input begins with. */
  features: z.array(z.string()),
  template: z.string(),
});

export type ContestInfo = z.infer<typeof factsSchema>;

/** As a text, which journals keep once however many runs have it. */
export function detailOf(facts: ContestInfo): ProblemSpec['detail'] {
  return { facts: JSON.stringify(facts) };
}

export function contestInfo({ detail }: Pick<ProblemSpec, 'detail'>): ContestInfo {
  const parsed = factsSchema.safeParse(jsonIn(String(detail.facts)));
  if (parsed.success) return parsed.data;
  throw new JournalError({
    code: 'journal-without-toolchain',
    what: 'The journal does not say what this run knew of its contest.',
    why: 'It was written by another version of Polya, or is damaged.',
    fix: 'Start a new run.',
  });
}

export const ahcReference = z.strictObject({
  workspace: z.string().min(1).describe('The folder of the workspace.'),
  cases: z
    .string()
    .nullable()
    .default(null)
    .describe('The cases that a search may use, such as `0-99,120`; absent: all.'),
  problemFile: z.string().nullable().default(null).describe('Another statement than that of the workspace.'),
  images: z
    .boolean()
    .default(true)
    .describe('False leaves the pictures of the statement out, for models that cannot see.'),
});

export type AhcReference = z.infer<typeof ahcReference>;

export function parseReference(json: unknown): AhcReference {
  const parsed = ahcReference.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'reference-invalid',
    what: `This names no contest: ${z.prettifyError(parsed.error)}`,
    fix: 'Name the folder of a workspace that `polya ahc init ID` has made.',
  });
}
