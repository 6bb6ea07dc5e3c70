/**
 * How an `induction-graph` run looks for the rule: what a hypothesis is written in, how many there are, how grids are
 * shown and read back, and when it is enough.
 */
import { z } from 'zod';
import { reasoningEfforts } from '../../core/model.ts';
import { gridFormats } from '../../grids/format.ts';

const count = z.number().int();

export const representations = ['steps', 'programs', 'pool'] as const;

export const inductionSettings = z.object({
  /** `steps`: instructions in words. `programs`: Python, run in the sandbox. `pool`: a hypothesis of each in turn. */
  representation: z.enum(representations).default('steps'),
  /** Of a hypothesis in words: its graph ends when they are used up. */
  maxSteps: count.min(1).max(500).default(10),
  /** Of a program, after its first version. */
  revisions: count.min(0).max(200).default(4),
  /** How hard the models think, where they can be told; the model's own where it is left out. */
  reasoning: z.enum(reasoningEfforts).optional(),
  /** Every grid and every difference also as a picture. */
  images: z.boolean().default(false),
  grids: z.enum(gridFormats as ['spaced', 'json', 'csv']).default('spaced'),
  /** `structured`: replies fit a JSON schema. `text`: labelled lines that are parsed. */
  replies: z.enum(['structured', 'text']).default('structured'),
  /** Guesses for each test input. A second one comes from another hypothesis, so that there are as many of these. */
  attempts: count.min(1).max(2).default(2),
  /** Lines of their own, at once; as many as attempts where it is left out. */
  hypotheses: count.min(1).max(64).optional(),
  /** So many that reproduce the train pairs and agree on every test output end the others; 0: none does. */
  agree: count.min(0).max(64).default(2),
  /** The first hypothesis sees the task as it is, the others turned, mirrored or in other colours. */
  augment: z.enum(['none', 'symmetries', 'colours', 'both']).default('none'),
  /** When the train pairs are reproduced. `decide`: the instructor looks whether the test outputs follow, and may go on. */
  afterPass: z.enum(['exit', 'decide']).default('exit'),
  /** How often a reply that cannot be read is asked for again, in each turn. */
  repairs: count.min(0).max(10).default(1),
  /** CPU time that a program may take for one grid. */
  programSeconds: z.number().positive().max(300).default(10),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count.positive().optional(),
});

export type InductionSettings = z.infer<typeof inductionSettings>;

/** The nodes that ask a model are its roles: what a node costs is what its role costs. */
export const inductionRoles = ['instruction', 'generator', 'programmer'] as const;

export function hypothesesOf({ hypotheses, attempts }: InductionSettings): number {
  return hypotheses ?? attempts;
}
