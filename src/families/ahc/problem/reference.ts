/** Which contest is meant, and which of its cases: a workspace on this machine, by its path. */
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';

export const ahcReference = z.strictObject({
  /** The folder of the workspace; absolute in a journal. */
  workspace: z.string().min(1),
  /** `0-99,120`: those that a search may look at; absent: all. */
  cases: z.string().nullable().default(null),
  /** Another statement than the workspace's own. */
  problemFile: z.string().nullable().default(null),
  /** False leaves the statement's pictures out, for models that cannot see. */
  images: z.boolean().default(true),
});

export type AhcReference = z.infer<typeof ahcReference>;

export function parseReference(json: unknown): AhcReference {
  const parsed = ahcReference.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'names-no-contest',
    what: `This names no contest: ${z.prettifyError(parsed.error)}`,
    fix: 'Name the folder of a workspace that `polya ahc init ID` has made.',
  });
}
