/**
 * The pattern `simplify`: before the loop, one call writes the statement anew in plain words, and both stand before the model.
 * Two-step "Rephrase and Respond" (Deng et al., arXiv 2311.04205), but for its order: here the original stands first, and a
 * fixed list (question, formats, examples, edge cases) takes the place of free rephrasing. Usual cost: one call a stage.
 */
import type { Brief } from '../../core/problem.ts';
import { type Helper, type Statement, system } from './helper.ts';

export const simplifyPrompts = {
  simplify: `You restate problems for somebody else who will solve them. You solve nothing.

The task of the solver: {{task}}

Restate what follows in at most 250 words, under these headings:
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
export async function simplify(helper: Helper, statement: Statement, { task }: Brief): Promise<string> {
  const { run } = helper;
  const text = await helper.request('simplified', [
    system(run.prompt('simplify', { task })),
    { role: 'user', content: statement },
  ]);
  return text === null ? '' : run.prompt('simplified', { text });
}
