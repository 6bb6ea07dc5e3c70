/**
 * A statement that is to be proven, from a file of its user's, and where its user brings a proof, that proof
 * as the problem's candidate. There is no grading: a proof that its agent accepts is `answered`. Knows no agent; files
 * reach it through its settings.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Brief, Family, ProblemSpec } from '../../core/problem.ts';
import { readYaml } from '../../core/yaml.ts';
import { type ProofFiles, readProblems, readText } from './files.ts';
import { type PosedProblem, problemOf } from './problems.ts';
import { readTexDocument } from './tex-document.ts';

export type ProofSettings = ProofFiles & { hashText(text: string): string };

export function proofFamily(settings: ProofSettings): Family {
  return {
    name: 'proof',
    reference: referenceSchema,
    travels: true,
    offers: [],
    mayOffer: ['candidate'],
    async load(json): Promise<ProblemSpec> {
      const reference = parseReference(json);
      const { file, problem: requested, proof: proofFile, rubric: rubricFile } = reference;
      const problems = await readProblems(settings, file);
      const problem = problemOf(problems, requested, file);
      const rubric =
        rubricFile === undefined
          ? null
          : rubricFrom(await readText(settings, rubricFile, 'rubric'), rubricFile);
      const proof =
        proofFile === undefined
          ? null
          : readTexDocument(await readText(settings, proofFile, 'proof')).text.trimEnd();
      return {
        family: 'proof',
        id: idOf(file, problem, problems.length),
        title: problem.title,
        reference,
        contentHash: settings.hashText(JSON.stringify([problem.text, rubric, proof])),
        statement: [{ type: 'text', text: problem.text }],
        brief: proofBrief(rubric),
        stages: [],
        detail: {
          number: problem.number,
          name: problem.name,
          ...(rubric === null ? {} : { rubric }),
          ...(proof === null ? {} : { proof }),
        },
      };
    },
    open(spec) {
      const { proof } = spec.detail;
      return typeof proof === 'string' ? { spec, candidate: { text: proof } } : { spec };
    },
  };
}

/** `proof/imo25/3`, or the file alone where it holds nothing else. */
function idOf(file: string, { number, name }: PosedProblem, of: number): string {
  const stem = wordsOf((file.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, ''));
  const own = of === 1 && name === '' ? [] : [wordsOf(name) || `${number}`];
  return ['proof', stem || 'problem', ...own].join('/');
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The criteria are the rubric, for graders' eyes; empty where there is none (notes/proof.ts). */
export function proofBrief(rubric: string | null): Brief {
  return {
    task: 'Prove what the problem states. Where it asks for something to be found, find it, and prove that the answer is right and that there is no other.',
    answerFormat: 'A proof in Markdown, with all mathematics in TeX between $ signs.',
    criteria: rubric ?? '',
    environment: '',
  };
}

const path = z.string().min(1).max(4_096);

const referenceSchema = z.strictObject({
  file: path.describe('Text or Markdown with TeX; it may hold several problems.'),
  problem: z
    .union([z.string().min(1), z.int().min(1)])
    .exactOptional()
    .describe('Which of them: its name, or its number from 1.'),
  proof: path.exactOptional().describe('A file with a proof that is to be judged.'),
  rubric: path.exactOptional().describe('A file with the rules for points.'),
});

export type ProofReference = z.infer<typeof referenceSchema>;

export function parseReference(json: Json): ProofReference {
  const parsed = referenceSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'reference-invalid',
    what: 'This does not refer to a problem that is to be proven.',
    why: z.prettifyError(parsed.error),
    fix: 'Give its file; and problem, proof and rubric if you like.',
  });
}

export const mostPoints = 7;

const item = z.strictObject({ points: z.int().min(0).max(mostPoints), for: z.string().trim().min(1) });
const rubricSchema = z.strictObject({
  /** What there is to be earned. */
  parts: z.array(item).min(1),
  /** Points that are subtracted. */
  deductions: z.array(item).default([]),
  notes: z.string().trim().default(''),
});

export function rubricFrom(text: string, path: string): string {
  if (!/\.ya?ml$/i.test(path)) return text.trim();
  const yaml = readYaml(text);
  if (!yaml.ok) throw noRubric(path, yaml.why);
  const parsed = rubricSchema.safeParse(yaml.value);
  if (!parsed.success) throw noRubric(path, z.prettifyError(parsed.error));
  const { parts, deductions, notes } = parsed.data;
  const sum = parts.reduce((points, part) => points + part.points, 0);
  if (sum !== mostPoints) throw noRubric(path, `Its parts come to ${sum} points instead of ${mostPoints}.`);
  const earned = parts.map((part) => `- ${pointsText(part.points)} for ${part.for}`);
  const missing = deductions.map((part) => `- ${pointsText(part.points)} off for ${part.for}`);
  return [earned.join('\n'), missing.join('\n'), notes].filter(Boolean).join('\n\n');
}

function pointsText(points: number): string {
  return `${points} point${points === 1 ? '' : 's'}`;
}

function noRubric(path: string, why: string): UserError {
  return new UserError({
    code: 'no-rubric',
    what: `The rubric ${path} cannot be used.`,
    why: /[.?!:]$/.test(why) ? why : `${why}.`,
    fix: 'docs/proof.md describes its form; any other text file is taken as it is.',
  });
}
