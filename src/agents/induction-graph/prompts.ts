/**
 * What the induction graph says, and the program that runs programs; the texts stand beside it, line by line. They are
 * task-neutral but for being about grids: what is asked and how it is judged come from the problem's brief; samples,
 * outputs and differences are set by `words.ts`.
 */
import { joinedLines } from '../kit/asking.ts';
import texts from './texts.json' with { type: 'json' };

export const inductionPrompts = joinedLines(texts.prompts);

/** Python that applies `transform` of `solution.py` to each grid, and tells a line for each. */
export const harness = texts.harness.join('\n');
