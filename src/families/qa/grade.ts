/** Whether what was handed in is what the gold answer asks for. Pure. */
import { type Answers, type EqualOptions, extract, type ProfileName } from '../../answers/index.ts';
import type { Answer, Grade } from '../../core/problem.ts';

export type Grading = {
  readonly gold: string;
  readonly profile: ProfileName;
  readonly options: EqualOptions;
  readonly answers: Answers;
};

export function gradeAnswer(answer: Answer | null, { gold, profile, options, answers }: Grading): Grade {
  if (answer?.type !== 'text' || answer.text.trim() === '') {
    return { correct: false, explanation: 'No answer was handed in.', data: { gold } };
  }
  const bare = answers.equal(gold, answer.text, options);
  if (bare.equal) return graded(true, bare.reason, gold);
  // Who hands in a whole reply is taken at what is found in it.
  const found = extract(answer.text, { profile }).answer;
  if (!found || found.text === answer.text.trim()) return graded(false, bare.reason, gold);
  const verdict = answers.equal(gold, found, options);
  return graded(verdict.equal, verdict.reason, gold);
}

function graded(correct: boolean, reason: string, gold: string): Grade {
  const why = reason ? `: ${reason}` : '';
  return {
    correct,
    explanation: `${correct ? 'It is' : 'It is not'} what the gold answer asks for${why}.`,
    data: { gold },
  };
}
