/** What an agent's task-neutral prompts place of a problem that is to be proven. Pure. */
import type { Brief } from '../../core/problem.ts';

const complete =
  'A proof counts as a whole: every step follows, every case is treated, and what is used is named and applies.';

export function briefOf(rubric: string | null): Brief {
  return {
    task: 'Prove what the problem states. Where it asks for something to be found, find it, and prove that the answer is right and that there is no other.',
    answerFormat: 'A proof in Markdown, with all mathematics in TeX between $ signs.',
    criteria: rubric === null ? complete : `${complete}\n\nOf 7 points there are:\n\n${rubric}`,
    environment: '',
  };
}
