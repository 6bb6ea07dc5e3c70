/** A question as run-sets and commands refer to it: a line of a data set, or its own words. Checked here. */
import { z } from 'zod';
import { percentProfiles, profileNames } from '../../answers/index.ts';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';

const column = z.string().min(1);

/** How answers are found and compared; what is not said follows from the data set. */
const comparison = {
  profile: z
    .enum(profileNames)
    .optional()
    .describe('How the answer is found and compared. Absent: it follows from the data set.'),
  percent: z.enum(percentProfiles).optional().describe('What a percent sign in an answer means.'),
  precision: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'Decimals that a rounded number must have at least, and to which it is compared with an exact one; 6 where nothing is said.',
    ),
  strict: z
    .boolean()
    .optional()
    .describe('Names of variables matter, and a set is no tuple; so it is where nothing is said.'),
  allowSetRelation: z
    .boolean()
    .optional()
    .describe('A right answer that is a set accepts an inequality too.'),
};

const lineShape = z
  .strictObject({
    file: z.string().min(1).max(4_096).describe('A data set: JSONL, JSON or CSV.'),
    id: z
      .union([z.string().min(1), z.int().transform(String)])
      .optional()
      .describe('The question, by its id.'),
    line: z.int().min(1).optional().describe('The question, by its line from 1.'),
    questionColumn: column
      .optional()
      .describe('The column with the question, where its name is not a usual one.'),
    answerColumn: column.optional().describe('The column with the right answer.'),
    idColumn: column.optional().describe('The column with the id.'),
    typeColumns: z.array(column).optional().describe('Columns by which results are grouped.'),
    contentHash: z
      .string()
      .optional()
      .describe('A hash of the question; a file that has changed since is refused.'),
    ...comparison,
  })
  .refine(
    ({ id, line }) => (id === undefined) !== (line === undefined),
    'name one question, by id or by line',
  );

const wordsShape = z.strictObject({
  question: z.string().describe('The question, in its own words.'),
  answer: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .describe('The right answer, where you know it. No model sees it.'),
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
