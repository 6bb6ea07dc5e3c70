/**
 * For what a proof gets points, 0 to 7: free text, or YAML whose sum is checked. Out comes the text that a grader reads.
 * Pure.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { readYaml } from '../../core/yaml.ts';

export const mostPoints = 7;

const item = z.strictObject({ points: z.int().min(0).max(mostPoints), for: z.string().trim().min(1) });
const rubricSchema = z.strictObject({
  /** What there is to be earned. */
  parts: z.array(item).min(1),
  /** What is taken off. */
  deductions: z.array(item).default([]),
  notes: z.string().trim().default(''),
});

export function rubricFrom(text: string, path: string): string {
  return /\.ya?ml$/i.test(path) ? fromYaml(text, path) : text.trim();
}

function fromYaml(text: string, path: string): string {
  const yaml = readYaml(text);
  if (!yaml.ok) throw noRubric(path, yaml.why);
  const parsed = rubricSchema.safeParse(yaml.value);
  if (!parsed.success) throw noRubric(path, z.prettifyError(parsed.error));
  const { parts, deductions, notes } = parsed.data;
  const sum = parts.reduce((points, part) => points + part.points, 0);
  if (sum !== mostPoints) throw noRubric(path, `Its parts come to ${sum} points instead of ${mostPoints}.`);
  return [
    parts.map((part) => `- ${pointsText(part.points)} for ${part.for}`).join('\n'),
    deductions.map((part) => `- ${pointsText(part.points)} off for ${part.for}`).join('\n'),
    notes,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function pointsText(points: number): string {
  return `${points} point${points === 1 ? '' : 's'}`;
}

function noRubric(path: string, why: string): UserError {
  return new UserError({
    what: `The rubric ${path} cannot be used.`,
    why: /[.?!:]$/.test(why) ? why : `${why}.`,
    fix: 'docs/proof.md describes its form; any other text file is taken as it is.',
  });
}
