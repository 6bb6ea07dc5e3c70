/** A question as run-sets and commands refer to it: a line of a data set, or its own words. Checked here. */
import { z } from 'zod';
import { percentProfiles, profileNames } from '../../answers/index.ts';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';

const column = z.string().min(1);

/** How answers are found and compared; what is not said follows from the data set. */
const comparison = {
  profile: z.enum(profileNames).optional(),
  percent: z.enum(percentProfiles).optional(),
  precision: z.int().min(0).max(100).optional(),
  strict: z.boolean().optional(),
  allowSetRelation: z.boolean().optional(),
};

const lineShape = z
  .strictObject({
    file: z.string().min(1).max(4_096),
    id: z.union([z.string().min(1), z.int().transform(String)]).optional(),
    line: z.int().min(1).optional(),
    questionColumn: column.optional(),
    answerColumn: column.optional(),
    idColumn: column.optional(),
    typeColumns: z.array(column).optional(),
    /** Of the question that is meant: a file that has changed since is refused. */
    contentHash: z.string().optional(),
    ...comparison,
  })
  .refine(
    ({ id, line }) => (id === undefined) !== (line === undefined),
    'name one question, by id or by line',
  );

const wordsShape = z.strictObject({
  question: z.string(),
  answer: z.union([z.string(), z.number().transform(String)]).optional(),
  ...comparison,
});

export const qaReference = z.union([wordsShape, lineShape]);

export type LineReference = z.infer<typeof lineShape>;
export type WordsReference = z.infer<typeof wordsShape>;
export type QaReference = LineReference | WordsReference;

export function parseReference(json: Json): QaReference {
  const isOfFile = z.object({ file: z.unknown() }).safeParse(json).success;
  const parsed = (isOfFile ? lineShape : wordsShape).safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'reference-invalid',
    what: 'This does not refer to a question.',
    why: z.prettifyError(parsed.error),
    fix: 'Give a file and an id or a line, or a question and, if you know it, its answer.',
  });
}
