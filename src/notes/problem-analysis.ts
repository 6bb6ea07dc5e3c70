/** The analysis of a statement, which its user may correct. Unknown fields are kept: notes of a user are no error. */
import { z } from 'zod';

/** A number, or what it depends on: `"N"`, `"2 * N - 1"`. */
const bound = z.union([z.number(), z.string().min(1)]);

const constraint = z.looseObject({
  min: bound,
  max: bound,
  /** integer, real, string … */
  type: z.string(),
  description: z.string(),
});

const variable = z.looseObject({
  name: z.string().min(1),
  /** int, real, string, array_of_int, array_of_objects … */
  type: z.string().min(1),
  /** How many there are, where there are several. */
  count: bound.optional(),
  object_schema: z.record(z.string(), z.json()).optional(),
});

const text = z.string();

export const problemAnalysis = z.looseObject({
  title: text.min(1),
  time_limit_ms: z.number().positive().nullable(),
  memory_limit_mb: z.number().positive().nullable(),
  problem_statement_summary: text,
  constraints: z.record(z.string(), constraint),
  input_format_description: text,
  input_variables: z.array(variable),
  output_format_description: text,
  output_variables: z.array(variable),
  scoring_rules: z.looseObject({ description: text, formula_example: text.default('') }),
  problem_type_tags: z.array(text),
  extracted_keywords: z.array(text),
  /** The statement's file, relative to the folder that holds the workspace; the writer of the file fills it in. */
  raw_problem_text_path: text.default(''),
});

export type ProblemAnalysis = z.infer<typeof problemAnalysis>;

/** `problems`: one line each, with the field that it is about. */
export function readAnalysis(value: unknown) {
  const { success, data, error } = problemAnalysis.safeParse(value);
  if (!success) return { ok: false, problems: z.prettifyError(error) } as const;
  return { ok: true, analysis: data } as const;
}
