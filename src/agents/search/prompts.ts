/** The prompts of the search, whose lines are in prompts.json. */
import { joinedLines } from '../kit/asking.ts';
import prompts from './prompts.json' with { type: 'json' };

export const evolutionPrompts = joinedLines(prompts);
