/** What the proof grader says beside the graders' own words: the list of what was found, and that it has to be exact. */
import { graderPrompts } from './grader.prompts.ts';

const { grader, grade, rebuttal, rubric, ownScale, rubricScale } = graderPrompts;

export const proofGraderPrompts = {
  grader,
  grade,
  rebuttal,
  rubric,
  ownScale,
  rubricScale,

  list: `Now put your report into a list. For each problem that you found: its kind (critical-error or justification-gap); the place, quoted from the solution letter by letter, no longer than it takes to find it and no shorter than a clause or a formula that stands there once; and an explanation that its author can act on. For something that is missing, quote the step behind which it is missing. List nothing that is not in your report.

{{verdict}}`,

  listVerdict: `Then say whether you accept the solution: true if it holds neither a critical error nor a major justification gap, else false.`,

  listPoints: `Then give the solution its points: a whole number from 0 to 7, {{scale}}.`,

  listAgain: `This list cannot be used as it is:

{{faults}}

Send the whole list again, with quotations that stand in the solution letter by letter, and with a verdict that fits what you found.`,
};
