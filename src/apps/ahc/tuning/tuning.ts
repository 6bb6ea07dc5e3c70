/** What the faces must know of the constants of a program before their search begins. `load-ahc-tuning.ts` brings it in. */

import { readRange } from '../../../agents/search/constant-marks.ts';
import { liftConstants } from '../../../agents/search/constants.ts';
import { chosenParameters } from '../../../agents/search/parameter-choice.ts';

export const ahcTuning = { liftConstants, readRange, chosenParameters };
