/** The settings of the ensemble and of its strategies, and what follows from them for a call or a program. */
import { z } from 'zod';
import type { ProgramRequest, TypicalRun } from '../../core/agent.ts';
import { strategyNames } from '../../notes/ensemble.ts';
import texts from './texts.json' with { type: 'json' };

const about = texts.settings;
const count = z.number().int();
const strategies = z.array(z.enum(strategyNames)).min(1).max(40);
const weight = z.number().positive().max(100).default(1);

/** How models are called. */
export const callSettings = {
  reminders: count.min(0).max(5).default(1).describe(about.reminders),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count.positive().optional(),
  reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
};

const execution = {
  programSeconds: z.number().positive().max(600).optional().describe(about.programSeconds),
  outputCharacters: count.min(200).max(100_000).default(4_000).describe(about.outputCharacters),
};

export const programSettings = {
  repairs: count.min(0).max(20).default(2).describe(about.repairs),
  ...execution,
};

export const reactSettings = {
  steps: count.min(1).max(100).default(7).describe(about.steps),
  historyTokens: count.min(100).default(6_000).describe(about.historyTokens),
  ...execution,
};

export const ensembleSettings = z
  .object({
    ...callSettings,
    ...programSettings,
    ...reactSettings,
    temperature: z.number().min(0).max(2).default(0.7).describe(about.temperature),
    diversity: z
      .enum(['prompt', 'auto', 'seed', 'wording', 'none'])
      .default('prompt')
      .describe(about.diversity),
    planner: z.enum(['structured', 'labelled']).default('structured').describe(about.planner),
    strategies: z
      .strictObject({
        python: strategies.default(['program', 'chain', 'program']),
        reasoning: strategies.default(['chain', 'chain', 'react']),
      })
      .prefault({})
      .describe(about.strategies),
    reviewed: z.array(z.string().min(1)).default(['Logic', 'Common Sense']).describe(about.reviewed),
    spareReviews: z.boolean().default(true).describe(about.spareReviews),
    votesToWin: z.number().positive().default(2).describe(about.votesToWin),
    weights: z
      .strictObject({ program: weight, chain: weight, react: weight })
      .prefault({})
      .describe(about.weights),
    ties: z.enum(['earliest', 'undecided']).default('earliest').describe(about.ties),
    maxSamples: count.min(1).max(100).optional().describe(about.maxSamples),
    earlyStop: z.boolean().default(true).describe(about.earlyStop),
    certainty: z.number().min(0.5).max(1).nullable().default(0.98).describe(about.certainty),
    atOnce: count.min(1).max(40).optional().describe(about.atOnce),
    forms: z.boolean().default(true).describe(about.forms),
    reasons: z.boolean().default(true).describe(about.reasons),
    selfCorrection: z.boolean().default(true).describe(about.selfCorrection),
    fallback: z.enum(['plurality', 'abstain']).default('plurality').describe(about.fallback),
  })
  .superRefine((settings, context) => {
    for (const [name, list] of Object.entries(settings.strategies)) {
      const samples = Math.max(list.length, settings.maxSamples ?? 0);
      if (settings.maxSamples !== undefined && settings.maxSamples < list.length) {
        const message = `It is ${settings.maxSamples}, and strategies.${name} alone are ${list.length}.`;
        context.addIssue({ code: 'custom', path: ['maxSamples'], message });
      }
      const weights = list.map((strategy) => settings.weights[strategy]);
      const requested = Array.from({ length: samples }, (_, at) => weights[at % weights.length] ?? 0);
      const radius = requested.reduce((sum, each) => sum + each, 0);
      if (radius + 1e-9 < settings.votesToWin) {
        const message = `It is ${settings.votesToWin}, and the ${samples} votes of strategies.${name} weigh ${radius} together: no answer could win.`;
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
export function typicalCalls(
  requests: readonly Strategy[],
  { plans = 0, reviews = 0 }: { readonly plans?: number; readonly reviews?: number } = {},
): TypicalRun {
  const replies = requests.reduce((sum, strategy) => sum + usualReplies[strategy], plans + reviews);
  return { turns: Math.ceil(replies), outputTokens: 700, carriedTokens: 300 };
}
