/** The settings of the ensemble and of its strategies, and what follows from them for a call or a program. */
import { z } from 'zod';
import type { ProgramRequest, UsualRun } from '../../core/agent.ts';
import { strategyNames } from '../../notes/ensemble.ts';

const count = z.number().int();
const strategies = z.array(z.enum(strategyNames)).min(1).max(40);
const weight = z.number().positive().max(100).default(1);

/** How models are called. */
export const callSettings = {
  reminders: count.min(0).max(5).default(1).describe('How often a reply without an answer is asked for one.'),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count.positive().optional(),
  reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
};

const execution = {
  programSeconds: z
    .number()
    .positive()
    .max(600)
    .optional()
    .describe('How long a program may run; absent: as long as the sandbox lets it.'),
  outputCharacters: count
    .min(200)
    .max(100_000)
    .default(4_000)
    .describe('How much of what a program printed its model is shown.'),
};

export const programSettings = {
  repairs: count
    .min(0)
    .max(20)
    .default(2)
    .describe('How often a program that led to no answer goes back to its model.'),
  ...execution,
};

export const reactSettings = {
  steps: count.min(1).max(100).default(7).describe('Replies in all, the one with the answer included.'),
  historyTokens: count
    .min(100)
    .default(6_000)
    .describe('A longer history is summarised before the next step; in tokens of four bytes.'),
  ...execution,
};

export const ensembleSettings = z
  .object({
    ...callSettings,
    ...programSettings,
    ...reactSettings,
    temperature: z
      .number()
      .min(0)
      .max(2)
      .default(0.7)
      .describe('Asked of the strategies, so that two branches of one strategy need not say the same.'),
    /**
     * What tells two branches of one strategy apart. `prompt`: each is asked in words that no other is asked in, and the
     * first alone is shown the plan. `auto`: the temperature, and another wording where the model takes none or its user
     * set it to 0. `seed`: a seed each, and a wording where the model takes none. `wording`: always one of four. `none`:
     * nothing but the temperature.
     */
    diversity: z.enum(['prompt', 'auto', 'seed', 'wording', 'none']).default('prompt'),
    planner: z
      .enum(['structured', 'labelled'])
      .default('structured')
      .describe('`structured`: the plan is asked for as JSON. `labelled`: in three labelled fields.'),
    /** What is asked, by the planner's recommendation. */
    strategies: z
      .strictObject({
        python: strategies.default(['program', 'chain', 'program']),
        reasoning: strategies.default(['chain', 'chain', 'react']),
      })
      .prefault({}),
    reviewed: z
      .array(z.string().min(1))
      .default(['Logic', 'Common Sense'])
      .describe('Problem types whose chains a reviewer looks at a second time.'),
    votesToWin: z
      .number()
      .positive()
      .default(2)
      .describe('The weight that an answer needs to win. With 1, one vote is enough.'),
    /** What a vote of each strategy weighs. */
    weights: z.strictObject({ program: weight, chain: weight, react: weight }).prefault({}),
    ties: z
      .enum(['earliest', 'undecided'])
      .default('earliest')
      .describe(
        'Of answers that are equally heavy at the top: the one whose first vote stands first in the list, or none.',
      ),
    maxSamples: count
      .min(1)
      .max(100)
      .optional()
      .describe(
        'While no answer has won and there are answers, more are asked for, up to so many in all. Absent: no more.',
      ),
    earlyStop: z
      .boolean()
      .default(true)
      .describe(
        'Stops asking once the vote is decided. Without it a study sees what every member would have said.',
      ),
    certainty: z
      .number()
      .min(0.5)
      .max(1)
      .nullable()
      .default(0.98)
      .describe(
        'So likely must it be that the whole list would choose the answer that leads, for no more to be asked; and no more are asked at once than could make it so. null: all are asked at once, until no vote could change anything.',
      ),
    atOnce: count
      .min(1)
      .max(40)
      .optional()
      .describe('How many branches run at once, at most. Fewer cost time and save what is never asked.'),
    forms: z
      .boolean()
      .default(true)
      .describe(
        'Hands in the form of an answer that most gradings would accept, and takes forms of one answer for no disagreement. Without it the shortest of those that agree.',
      ),
    reasons: z
      .boolean()
      .default(true)
      .describe('Whether the self-correction is shown who gave each answer, and the end of the reasoning.'),
    selfCorrection: z
      .boolean()
      .default(true)
      .describe('Whether the model is shown the failed answers and asked once more where none has won.'),
    fallback: z
      .enum(['plurality', 'abstain'])
      .default('plurality')
      .describe('Where all else came to nothing: the answer with most votes, or none.'),
  })
  .superRefine((settings, context) => {
    for (const [name, list] of Object.entries(settings.strategies)) {
      const samples = Math.max(list.length, settings.maxSamples ?? 0);
      if (settings.maxSamples !== undefined && settings.maxSamples < list.length) {
        const message = `It is ${settings.maxSamples}, and strategies.${name} alone are ${list.length}.`;
        context.addIssue({ code: 'custom', path: ['maxSamples'], message });
      }
      const weights = list.map((strategy) => settings.weights[strategy]);
      const asked = Array.from({ length: samples }, (_, at) => weights[at % weights.length] ?? 0);
      const reach = asked.reduce((sum, each) => sum + each, 0);
      if (reach + 1e-9 < settings.votesToWin) {
        const message = `It is ${settings.votesToWin}, and the ${samples} votes of strategies.${name} weigh ${reach} together: no answer could win.`;
        context.addIssue({ code: 'custom', path: ['votesToWin'], message });
      }
    }
  });

export type EnsembleSettings = z.infer<typeof ensembleSettings>;
export type Strategy = (typeof strategyNames)[number];

export type CallSettings = z.infer<z.ZodObject<typeof callSettings>>;

export function programRequest(
  source: string,
  { programSeconds }: { readonly programSeconds?: number | undefined },
): ProgramRequest {
  const limitMs = (programSeconds ?? 0) * 1000;
  const limits = programSeconds === undefined ? undefined : { wallMs: limitMs, cpuMs: limitMs };
  return { language: 'python', source, limits };
}

/** Replies that a strategy usually takes: every third program is repaired, and a ReAct looks twice before it answers. */
const usualReplies = { program: 4 / 3, chain: 1, react: 3 } as const;

/** For estimates: of short questions, each asked afresh with a plan, a program or a solution to be looked at. */
export function usualOf(
  asked: readonly Strategy[],
  { plans = 0, reviews = 0 }: { readonly plans?: number; readonly reviews?: number } = {},
): UsualRun {
  const replies = asked.reduce((sum, strategy) => sum + usualReplies[strategy], plans + reviews);
  return { turns: Math.ceil(replies), outputTokens: 700, carriedTokens: 300 };
}
