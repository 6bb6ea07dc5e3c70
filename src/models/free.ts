/** The price of what nobody is paid for: a script, a cassette, a person. */
import type { Price } from '../core/usage.ts';

export const freePrice: Price = {
  inputUsdPerMillion: 0,
  cachedInputUsdPerMillion: 0,
  outputUsdPerMillion: 0,
};
