/** The settings of the search with the weights of its operators. */
import { z } from 'zod';
import { drawnOperators } from './operators/drawn.ts';
import { changeable, searchFields } from './settings.ts';

const weight = z.number().min(0).max(100);
const weights = drawnOperators.map((operator) => [operator.name, weight.default(operator.weight)] as const);

const operators = z
  .strictObject(Object.fromEntries(weights))
  .refine((input) => Object.values(input).some((each) => each > 0), 'at least one must be above 0')
  .prefault({})
  .describe(
    'The weight of each operator; repair has none, because it follows a failure. Change it to forbid one (0) or to try `crossover`.',
  );

export const evolutionSettings = z.strictObject({ ...searchFields, operators });

/** What may be sent to a session that runs. A name that is left out stays as it is. */
export const changedSettings = z.strictObject({ ...changeable, operators }).partial();
