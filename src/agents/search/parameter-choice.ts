/** Which constants of a program are searched, and where: those that its user names, else its marks, else the likeliest. */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { TuningNotes } from '../../notes/tuning.ts';
import { type Constant, chosenConstants, liftConstants } from './constants.ts';

export const parameterWish = z
  .strictObject({
    name: z.string().min(1),
    low: z.number(),
    high: z.number(),
    scale: z.enum(['linear', 'log']).default('linear'),
  })
  .refine(({ low, high }) => low < high, 'its low end must be below its high end')
  .refine(({ low, scale }) => scale === 'linear' || low > 0, 'a logarithm needs a low end above 0');

export type ParameterChoice = {
  readonly source: string;
  readonly parameters: readonly z.infer<typeof parameterWish>[];
  readonly mostParameters: number;
};

/** Throws `UserError` where there is none, where a mark cannot be read, and where a name is unknown. */
export function chosenParameters({
  source,
  parameters,
  mostParameters,
}: ParameterChoice): (Constant & TuningNotes['search']['constants'][number])[] {
  const lifted = liftConstants(source);
  if (parameters.length > 0) return parameters.map((wish) => ({ ...named(lifted.constants, wish), ...wish }));
  if (lifted.complaints.length > 0) {
    throw new UserError({
      code: 'mark-in-program-cannot-read',
      what: 'A mark in the program cannot be read.',
      why: lifted.complaints.join(' '),
      fix: 'Correct it, or take it away.',
    });
  }
  const chosen = chosenConstants(lifted, mostParameters);
  if (chosen.length > 0) return [...chosen];
  throw new UserError({
    code: 'program-no-constant-could-tuned',
    what: 'The program has no constant that could be tuned.',
    why: 'Indices, sizes, tables, bits, seeds and clocks are left alone, and so are 0, 1 and 2 that have no name.',
    fix: 'Declare what is a choice as a constant, `const double START = 120;`, or mark it: `// tune: 10..1000 log`.',
  });
}

function named(constants: readonly Constant[], { name }: { readonly name: string }): Constant {
  const found = constants.find((each) => each.name === name);
  if (found) return found;
  const names = constants.map((each) => each.name);
  throw new UserError({
    code: 'program-no-constant-could-tuned',
    what: `The program has no constant ${name} that could be tuned.`,
    why: names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none at all.',
    fix: 'Name one of them, or mark the number that you mean: `// tune: 10..1000 log`.',
  });
}
