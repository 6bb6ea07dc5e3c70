/**
 * How an `induction-graph` run looks for the rule: what a hypothesis is written in, how many there are, how grids are
 * shown and read back, and when it is enough.
 */
import { z } from 'zod';
import { reasoningEfforts } from '../../core/model.ts';
import { gridFormats } from '../../grids/grid.ts';
import texts from './texts.json' with { type: 'json' };

const about = texts.settings;
const whole = (low: number, high: number) => z.number().int().min(low).max(high);

const representations = ['steps', 'programs', 'pool'] as const;

export const inductionSettings = z.object({
  representation: z.enum(representations).default('steps').describe(about.representation),
  maxSteps: whole(1, 500).default(10).describe(about.maxSteps),
  revisions: whole(0, 200).default(4).describe(about.revisions),
  reasoning: z.enum(reasoningEfforts).optional().describe(about.reasoning),
  images: z.boolean().default(false).describe(about.images),
  grids: z.enum(gridFormats).default('spaced').describe('How grids are written in prompts.'),
  replies: z.enum(['structured', 'text']).default('structured').describe(about.replies),
  attempts: whole(1, 2).default(2).describe(about.attempts),
  hypotheses: whole(1, 64).optional().describe(about.hypotheses),
  agree: whole(0, 64).default(2).describe(about.agree),
  augment: z.enum(['none', 'symmetries', 'colours', 'both']).default('none').describe(about.augment),
  afterPass: z.enum(['exit', 'decide']).default('exit').describe(about.afterPass),
  anotherRule: z.boolean().default(true).describe(about.anotherRule),
  repairs: whole(0, 10).default(1).describe(about.repairs),
  programSeconds: z.number().positive().max(300).default(10).describe(about.programSeconds),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
});

export type InductionSettings = z.infer<typeof inductionSettings>;

/** The nodes that ask a model are its roles: what a node costs is what its role costs. */
export const inductionRoles = ['instruction', 'generator', 'programmer'] as const;

export function hypothesisCount({ hypotheses, attempts }: InductionSettings): number {
  return hypotheses ?? attempts;
}
