/**
 * The pattern `simplify`: before the loop, one call writes the statement anew in plain words, and both stand before the model.
 * Two-step "Rephrase and Respond" (Deng et al., arXiv 2311.04205), but for its order: here the original stands first, and a
 * fixed list (question, formats, examples, edge cases) takes the place of free rephrasing. Usual cost: one call a stage.
 */
import { requestHelp, type Statement, type Work } from './helper.ts';

export const simplifyPrompts = {
  simplify: `You restate problems for somebody else who will solve them. You solve nothing.

The task of the solver: {{task}}

Restate the part that is open, in at most 250 words and so that it is understood without the others, under these headings:
Question: one sentence that says what is asked for.
Input and output: their formats, as exactly as the statement gives them.
Rules: each rule once, as a list.
Examples: each example as input and output, word for word.
Edge cases: what is easily overlooked.

Leave out the story. Add nothing that the statement does not say.`,

  simplified: `The statement restated by somebody who may have erred; the original decides:

{{text}}`,
};

/** Empty if no restatement came. */
export async function simplify(work: Work, statement: Statement): Promise<string> {
  const { run, problem } = work;
  const instructions = run.prompt('simplify', { task: problem.spec.brief.task });
  const text = await requestHelp(work, { kind: 'simplified', instructions, statement });
  return text === null ? '' : run.prompt('simplified', { text });
}
