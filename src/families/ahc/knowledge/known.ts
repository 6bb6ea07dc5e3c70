/** The form of what a session leaves to later ones, as it stands in its `knowledge.json`. */
import { z } from 'zod';

const count = z.int().nonnegative();

const piece = z.object({
  /** `night_20261121T170000/gen03_id02`. */
  id: z.string(),
  operator: z.string(),
  summary: z.string(),
  /** Scores on the session's cases: of the best program that it was made from, and its own. */
  before: z.number(),
  after: z.number(),
  /** Lines that its parents did not have. */
  code: z.string(),
});

const prompt = z.object({
  /** `night_20261121T170000/change`. */
  id: z.string(),
  /** `change`, or a prompt of its user's by its place: `mutation_prompts[0]`. */
  name: z.string(),
  /** As it stands with its places open, `{code_snippet}`. */
  words: z.string(),
  made: count,
  evaluated: count,
  betterThanParents: count,
  improvements: count,
  gain: z.number(),
  tokens: count.nullable(),
});

export const knowledgeSchema = z.object({
  version: z.literal(1),
  session: z.string(),
  contest: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  scoring: z.enum(['absolute', 'relative']),
  direction: z.enum(['maximise', 'minimise']),
  /** Replies were written ahead; no model was asked for some of it, or for all. */
  isScript: z.boolean(),
  pieces: z.array(piece),
  prompts: z.array(prompt),
});

export type Knowledge = z.infer<typeof knowledgeSchema>;
export type KnownPiece = z.infer<typeof piece>;
export type KnownPrompt = z.infer<typeof prompt>;
