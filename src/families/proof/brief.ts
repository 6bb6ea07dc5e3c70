/** What an agent's task-neutral prompts place of a problem that is to be proven. Pure. */
import type { Brief } from '../../core/problem.ts';

/** The criteria are the rubric, for graders' eyes; empty where there is none (core/proof-notes.ts). */
export function briefOf(rubric: string | null): Brief {
  return {
    task: 'Prove what the problem states. Where it asks for something to be found, find it, and prove that the answer is right and that there is no other.',
    answerFormat: 'A proof in Markdown, with all mathematics in TeX between $ signs.',
    criteria: rubric ?? '',
    environment: '',
  };
}
