/** Work that a limit of the run may break off. */
import { LimitReached } from '../../core/errors.ts';

/** The value of `work`; where a limit breaks it off, the value of `otherwise`, which is given the limit's message. */
export async function orAtLimit<T, Other = T>(
  work: () => Promise<T>,
  otherwise: (message: string) => Other,
): Promise<T | Other> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return otherwise(error.message);
  }
}
