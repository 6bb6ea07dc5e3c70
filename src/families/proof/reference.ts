/** What refers to a problem that is to be proven, as it comes from outside, checked. Opens no file. */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';

const path = z.string().min(1).max(4_096);

export const proofReference = z.strictObject({
  /** Text or Markdown with TeX; it may hold several problems (problems.ts). */
  file: path,
  /** Which of them: its name, or its number from 1. */
  problem: z.union([z.string().min(1), z.int().min(1)]).exactOptional(),
  /** A proof of somebody's, to be judged. */
  proof: path.exactOptional(),
  /** For what there are points (rubric.ts). */
  rubric: path.exactOptional(),
});

export type ProofReference = z.infer<typeof proofReference>;

export function parseReference(json: Json): ProofReference {
  const parsed = proofReference.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'does-not-refer-problem-proven',
    what: 'This does not refer to a problem that is to be proven.',
    why: z.prettifyError(parsed.error),
    fix: 'Give its file; and problem, proof and rubric if you like.',
  });
}
