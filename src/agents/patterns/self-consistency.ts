/**
 * Self-consistency (Wang et al., arXiv 2203.11171): k chains of thought at a temperature, and the answer that most of them come
 * to. It stops early as Adaptive-Consistency does (Aggarwal et al., arXiv 2305.11860): when the first answer leads the second
 * with the stated probability (their Beta rule). Differences: answers are grouped by the problem's own equality, and
 * `atOnce` chains are drawn between two looks at the vote. Usual cost: `chains` calls at most, about half where most agree.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { LimitReached } from '../../core/errors.ts';
import type { Answer } from '../../core/problem.ts';
import { answerText } from '../../notes/ensemble.ts';
import { modelSettings } from '../kit/asking.ts';
import { drawAnswer, drawPrompts, groupAnswers } from '../kit/drawn-answer.ts';

const settingsSchema = z.object({
  chains: z.int().min(1).max(200).default(10).describe('Chains of thought at most.'),
  atOnce: z.int().min(1).max(32).default(3).describe('Chains between two looks at the vote.'),
  certainty: z
    .number()
    .min(0.5)
    .max(1)
    .default(0.95)
    .describe(
      'No more chains once the first answer leads the second with this probability. 1: only when the rest cannot change it.',
    ),
  temperature: z.number().min(0).max(2).default(0.7),
  maxOutputTokens: z.int().positive().optional(),
  reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
});

export const selfConsistency = defineAgent({
  name: 'self-consistency',
  settings: settingsSchema,
  needs: ['parse', 'equal'],
  usual: ({ chains }) => ({ turns: Math.ceil(chains * 0.6), outputTokens: 700, carriedTokens: 0 }),
  prompts: drawPrompts,

  async solve(problem, run, { chains, atOnce, certainty, ...rest }) {
    const settings = modelSettings(rest);
    const answers: (Answer | null)[] = [];
    let limit: string | undefined;
    const isDecided = (more: readonly (Answer | null)[]): boolean => {
      const votes = [...answers, ...more];
      const [first = [], second = []] = groupAnswers(problem, votes);
      return isVoteDecided(first.length, second.length, chains - votes.length, certainty);
    };
    const draw = (here: Run) => drawAnswer({ problem, role: 'solver', settings }, here);
    while (answers.length < chains && limit === undefined && !isDecided([])) {
      const batch = Math.min(atOnce, chains - answers.length);
      const names = Array.from({ length: batch }, (_, at) => `chain-${answers.length + at + 1}`);
      const ended = await run.until(Object.fromEntries(names.map((name) => [name, draw])), (results) =>
        isDecided(results.flatMap((result) => (result.ok ? [result.value] : []))),
      );
      for (const result of ended) {
        if (result.ok) answers.push(result.value);
        else if (result.error instanceof LimitReached) limit = result.error.message;
        else throw result.error;
      }
    }
    const groups = groupAnswers(problem, answers);
    const tally = groups.map((group) => `${group.length} for ${group[0] ? answerText(group[0]) : ''}`);
    run.note('vote', { text: `${answers.length} of ${chains} chains: ${tally.join(', ') || 'no answer'}` });
    const [answer] = groups[0] ?? [];
    if (!answer) return { end: 'gave-up', detail: limit ?? 'No chain came to an answer.' };
    return { end: limit === undefined ? 'answered' : 'gave-up', answer, detail: limit };
  },
});

/** `left`: chains that may still be drawn. */
export function isVoteDecided(first: number, second: number, left: number, certainty: number): boolean {
  if (first > second + left) return true;
  return certainty < 1 && first > 0 && chanceOfLead(first, second) >= certainty;
}

/** That Beta(first + 1, second + 1) lies above one half: the first answer is the more frequent one of the two. */
export function chanceOfLead(first: number, second: number): number {
  const flips = first + second + 1;
  let [ways, sum] = [1, 0];
  for (let headerCount = 0; headerCount <= first; headerCount += 1) {
    sum += ways;
    ways = (ways * (flips - headerCount)) / (headerCount + 1);
  }
  return sum / 2 ** flips;
}
