/** What the search says to models, in the order in which it comes to each. The words stand beside it, line by line. */
import { joinedLines } from '../kit/asking.ts';
import prompts from './prompts.json' with { type: 'json' };

export const evolutionPrompts = joinedLines(prompts);
