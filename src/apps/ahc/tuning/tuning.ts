/** What the faces must know of the constants of a program before their search begins. `load-ahc-tuning.ts` brings it in. */

import { liftConstants, readRange } from '../../../agents/search/constants.ts';
import { chosenParameters } from '../../../agents/search/parameter-search.ts';

export const ahcTuning = { liftConstants, readRange, chosenParameters };
