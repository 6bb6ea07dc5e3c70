/**
 * A call that nobody answers, for want of money or of a provider that is there, must not end a search that was only spoken
 * to: it is a value here.
 */
import { EffectFailed, LimitReached } from '../../../core/errors.ts';

export async function orNobody<T>(
  call: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly trouble: string }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof LimitReached || error instanceof EffectFailed) return { trouble: error.message };
    throw error;
  }
}
