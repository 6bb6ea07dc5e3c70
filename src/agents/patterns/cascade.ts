/**
 * Cascade (FrugalGPT, Chen et al., arXiv 2305.05176): the cheapest model first, the next one only if the first is unsure. The
 * rule is that of Yue et al. (arXiv 2310.03094): a level is sure if enough of its samples agree. Where the problem offers
 * `check`, an answer that passes is sure, and one that fails is never handed in by a level that is not the last. Differences:
 * no scorer is trained. Levels are roles, each with its own model; all share one budget. Usual cost: `samples` calls a level.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import type { Answer } from '../../core/problem.ts';
import { answerText } from '../../notes/ensemble.ts';
import { modelSettings, orAtLimit } from '../kit/asking.ts';
import { drawAnswer, drawPrompts, groupAnswers, inBranches } from '../kit/drawn-answer.ts';

const levelNames = ['cheap', 'middle', 'strong'] as const;

const settingsSchema = z
  .object({
    levels: z
      .array(z.enum(levelNames))
      .min(1)
      .max(3)
      .default(['cheap', 'strong'])
      .describe('The roles that are tried one after the other, the cheapest model first.'),
    samples: z.int().min(1).max(40).default(3).describe('Answers that each level but the last gives.'),
    agree: z
      .int()
      .min(1)
      .max(40)
      .default(3)
      .describe('A level is sure when so many of its answers are equal. With `check`: when one passes.'),
    lastSamples: z
      .int()
      .min(1)
      .max(40)
      .default(1)
      .describe('Answers of the last level; the most frequent one is taken.'),
    temperature: z.number().min(0).max(2).default(0.7),
    maxOutputTokens: z.int().positive().optional(),
    reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
  })
  .refine(({ agree, samples }) => agree <= samples, {
    path: ['agree'],
    message: 'It is above `samples`: no level could be sure.',
  });

export const cascade = defineAgent({
  name: 'cascade',
  settings: settingsSchema,
  needs: ['parse'],
  needsOneOf: ['equal', 'check'],
  roles: levelNames,
  usual: ({ samples, levels }) => ({
    turns: samples + (levels.length > 1 ? 1 : 0),
    outputTokens: 700,
    carriedTokens: 0,
  }),
  prompts: drawPrompts,

  async solve(problem, run, { levels, samples, agree, lastSamples, ...rest }) {
    const settings = modelSettings(rest);
    let best: Answer | undefined;
    const climb = async (): Promise<undefined> => {
      for (const [at, role] of levels.entries()) {
        const isLast = at === levels.length - 1;
        const items = Array.from({ length: isLast ? lastSamples : samples }, (_, index) => index);
        const draw = { problem, role, settings };
        const drawn = await inBranches(run, { name: role, items }, () => (here) => drawAnswer(draw, here));
        const groups = groupAnswers(problem, drawn);
        const passed = problem.check ? await firstThatPasses(run, groups) : undefined;
        const [first = []] = groups;
        const isSure = problem.check ? passed !== undefined : !isLast && first.length >= agree;
        best = passed ?? first[0] ?? best;
        const words = isSure ? 'sure' : isLast ? 'the last level' : 'unsure';
        run.note('level', { text: `${role} is ${words}: ${best ? answerText(best) : 'no answer'}` });
        if (isSure) return;
      }
    };
    const limit = await orAtLimit(climb, (message) => message);
    if (!best) return { end: 'gave-up', detail: limit ?? 'No level came to an answer.' };
    return { end: limit === undefined ? 'answered' : 'gave-up', answer: best, detail: limit };
  },
});

/** One check for each answer that differs. */
async function firstThatPasses(run: Run, groups: readonly Answer[][]): Promise<Answer | undefined> {
  for (const [answer] of groups) {
    if (answer && (await run.check(answer)).pass) return answer;
  }
  return undefined;
}
