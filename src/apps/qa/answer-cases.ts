/** A file of cases, one JSON object a line: what is wrong with a line is said with its number, before any is checked. */
import { z } from 'zod';
import type { Case } from '../../answers/index.ts';
import { readText } from '../../cli/readable.ts';
import { UserError } from '../../core/errors.ts';

const row = z.object({
  gold: z.string(),
  answer: z.string(),
  equal: z.boolean(),
  extract: z
    .array(z.enum(['latex', 'expr']))
    .nonempty()
    .optional(),
  precision: z.number().int().min(0).max(100).optional(),
  strict: z.boolean().optional(),
  allow_set_relation_comp: z.boolean().optional(),
});

export function readCases(path: string): readonly Case[] {
  const text = readText(path, `The cases in ${path}`, {
    fix: 'Name a file of cases; docs/answers.md says how they are written.',
  });
  const cases = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [caseOf(line, at + 1, path)]));
  if (cases.length > 0) return cases;
  throw new UserError({
    code: 'no-cases',
    what: `There are no cases in ${path}.`,
    fix: 'Write one JSON object a line.',
  });
}

function caseOf(line: string, number: number, path: string): Case {
  const { gold, answer, equal, extract: paths, ...rest } = parsed(line, number, path);
  // Both ways in which an answer is looked for make the profile that looks everywhere.
  const isBoth = paths?.includes('latex') && paths.includes('expr');
  const { precision, strict, allow_set_relation_comp: allowSetRelation } = rest;
  const options = { precision, strict, allowSetRelation };
  return { gold, answer, equal, profile: isBoth ? 'math' : (paths?.[0] ?? null), options };
}

function parsed(line: string, number: number, path: string): z.infer<typeof row> {
  let why = 'It is not JSON.';
  try {
    const result = row.safeParse(JSON.parse(line));
    if (result.success) return result.data;
    why = result.error.issues
      .map(({ path: at, message }) => `${at.join('.') || 'row'}: ${message}.`)
      .join(' ');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UserError({
    code: 'case-malformed',
    what: `Line ${number} of ${path} is no case.`,
    why,
    fix: 'A case has "gold", "answer" and "equal", and may have "extract", "precision", "strict" and "allow_set_relation_comp".',
  });
}
