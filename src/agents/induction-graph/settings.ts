/**
 * How an `induction-graph` run looks for the rule: what a hypothesis is written in, how many there are, how grids are
 * shown and read back, and when it is enough.
 */
import { z } from 'zod';
import { reasoningEfforts } from '../../core/model.ts';
import { gridFormats } from '../../grids/grid.ts';

const whole = (low: number, high: number) => z.number().int().min(low).max(high);

const representations = ['steps', 'programs', 'pool'] as const;

export const inductionSettings = z.object({
  representation: z
    .enum(representations)
    .default('steps')
    .describe(
      '`steps`: instructions in words. `programs`: Python, run in the sandbox. `pool`: a hypothesis of each in turn.',
    ),
  maxSteps: whole(1, 500)
    .default(10)
    .describe('Of a hypothesis in words: its graph ends when they are used up.'),
  revisions: whole(0, 200).default(4).describe('Of a program, after its first version.'),
  reasoning: z
    .enum(reasoningEfforts)
    .optional()
    .describe("How hard the models think, where they can be told; the model's own where it is left out."),
  images: z.boolean().default(false).describe('Every grid and every difference also as a picture.'),
  grids: z.enum(gridFormats).default('spaced'),
  replies: z
    .enum(['structured', 'text'])
    .default('structured')
    .describe('`structured`: replies fit a JSON schema. `text`: labelled lines that are parsed.'),
  attempts: whole(1, 2)
    .default(2)
    .describe(
      'Guesses for each test input. A second one comes from another hypothesis, so that there are as many of these.',
    ),
  hypotheses: whole(1, 64)
    .optional()
    .describe('Lines of their own, at once; as many as attempts where it is left out.'),
  agree: whole(0, 64)
    .default(2)
    .describe(
      'So many that reproduce the train pairs and agree on every test output end the others; 0: none does.',
    ),
  augment: z
    .enum(['none', 'symmetries', 'colours', 'both'])
    .default('none')
    .describe(
      'The first hypothesis sees the task as it is, the others turned, mirrored or in other colours.',
    ),
  afterPass: z
    .enum(['exit', 'decide'])
    .default('exit')
    .describe(
      'When the train pairs are reproduced. `decide`: the instructor looks whether the test outputs follow, and may go on.',
    ),
  anotherRule: z
    .boolean()
    .default(true)
    .describe(
      'When all hypotheses that reproduce the train pairs agree: one more call looks at their test outputs, and asks for another rule that fits every train pair and gives other ones.',
    ),
  edition: z
    .union([z.literal(1), z.literal(2)])
    .default(2)
    .describe('How the loop works: 1 is how it did in runs whose journals do not name it.'),
  repairs: whole(0, 10)
    .default(1)
    .describe('How often a reply that cannot be read is asked for again, in each turn.'),
  programSeconds: z
    .number()
    .positive()
    .max(300)
    .default(10)
    .describe('CPU time that a program may take for one grid.'),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
});

export type InductionSettings = z.infer<typeof inductionSettings>;

/** The nodes that ask a model are its roles: what a node costs is what its role costs. */
export const inductionRoles = ['instruction', 'generator', 'programmer'] as const;

export function hypothesesOf({ hypotheses, attempts }: InductionSettings): number {
  return hypotheses ?? attempts;
}
