/** What the faces must know of the constants of a program before their search begins. `load-ahc-tuning.ts` brings it in. */

import { readRange } from '../agents/evolution/constant-marks.ts';
import { liftConstants } from '../agents/evolution/constants.ts';
import { chosenParameters } from '../agents/parameter-choice.ts';

export const ahcTuning = { liftConstants, readRange, chosenParameters };
