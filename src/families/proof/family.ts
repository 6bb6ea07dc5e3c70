/**
 * A statement that is to be proven, from a file of its user's, and where somebody has written a proof already, that proof
 * as the problem's candidate. Nobody here knows the truth: there is no grading, and a proof that its agent accepts is
 * `answered`. Knows no agent; files reach it through what it is given.
 */
import type { Family, ProblemSpec } from '../../core/problem.ts';
import { briefOf } from './brief.ts';
import { type ProofFiles, readProblems, readText } from './files.ts';
import { type PosedProblem, problemOf } from './problems.ts';
import { parseReference, proofReference } from './reference.ts';
import { rubricFrom } from './rubric.ts';

export type ProofSettings = ProofFiles & { hashText(text: string): string };

export function proofFamily(settings: ProofSettings): Family {
  return {
    name: 'proof',
    reference: proofReference,
    offers: [],
    mayOffer: ['candidate'],
    async load(json): Promise<ProblemSpec> {
      const reference = parseReference(json);
      const { file, problem: wanted, proof: proofFile, rubric: rubricFile } = reference;
      const problems = await readProblems(settings, file);
      const problem = problemOf(problems, wanted, file);
      const rubric =
        rubricFile === undefined
          ? null
          : rubricFrom(await readText(settings, rubricFile, 'rubric'), rubricFile);
      const proof = proofFile === undefined ? null : (await readText(settings, proofFile, 'proof')).trimEnd();
      return {
        family: 'proof',
        id: idOf(file, problem, problems.length),
        title: problem.title,
        reference,
        contentHash: settings.hashText(JSON.stringify([problem.text, rubric, proof])),
        statement: [{ type: 'text', text: problem.text }],
        brief: briefOf(rubric),
        stages: [],
        detail: {
          ...{ number: problem.number, name: problem.name },
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
