/**
 * A statement that is to be proven, from a file of its user's, and where somebody has written a proof already, that proof
 * as the problem's candidate. Nobody here knows the truth: there is no grading, and a proof that its agent accepts is
 * `answered`. Knows no agent; files reach it through what it is given.
 */
import type { Family, ProblemFace } from '../../core/problem.ts';
import { briefOf } from './brief.ts';
import { type FileSort, textOfFile } from './file-text.ts';
import { type PosedProblem, problemOf, problemsIn } from './problems.ts';
import { parseReference } from './reference.ts';
import { rubricFrom } from './rubric.ts';

export type ProofSettings = {
  /**
   * The bytes of a file that the user has named, and not many more than `mostBytes` of them: of a longer one the
   * beginning. Throws `UserError` where it cannot be read.
   */
  readBytes(path: string, mostBytes: number): Promise<Uint8Array>;
  hashText(text: string): string;
};

export function proofFamily(settings: ProofSettings): Family {
  return {
    name: 'proof',
    async pose(json): Promise<ProblemFace> {
      const reference = parseReference(json);
      const { file, problem: wanted, proof: proofFile, rubric: rubricFile } = reference;
      const problems = await readProblems(settings, file);
      const problem = problemOf(problems, wanted, file);
      const rubric =
        rubricFile === undefined ? null : rubricFrom(await read(settings, rubricFile, 'rubric'), rubricFile);
      const proof = proofFile === undefined ? null : (await read(settings, proofFile, 'proof')).trimEnd();
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
    open(face) {
      const { proof } = face.detail;
      return typeof proof === 'string' ? { face, candidate: { text: proof } } : { face };
    },
  };
}

export async function readProblems(settings: ProofSettings, file: string): Promise<readonly PosedProblem[]> {
  return problemsIn(await read(settings, file, 'problem'), file);
}

const sorts: Readonly<Record<string, number>> = {
  problem: 2 ** 20,
  proof: 2 ** 20,
  rubric: 64 * 1_024,
};

async function read(settings: ProofSettings, path: string, noun: string): Promise<string> {
  const file: FileSort = { path, noun, mostBytes: sorts[noun] ?? 0 };
  return textOfFile(await settings.readBytes(path, file.mostBytes), file);
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
