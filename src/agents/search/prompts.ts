/** The prompts of the search and of its plain engines, whose lines are in JSON files. */
import { joinedLines } from '../kit/asking.ts';
import engines from './engine-prompts.json' with { type: 'json' };
import prompts from './prompts.json' with { type: 'json' };

export const evolutionPrompts = joinedLines(prompts);

export const enginePrompts = joinedLines({ opening: prompts.opening, ...engines });
