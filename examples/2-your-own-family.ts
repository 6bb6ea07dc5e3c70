/**
 * Runs two agents on a problem of your own family: the one of the first example, and one that comes with Polya.
 *
 *     ./node_modules/.bin/node examples/2-your-own-family.ts
 *
 * The model is a script: its replies were written ahead, and no model was asked.
 */
import { openPolya, scriptedModel } from 'polya';
import squares from './squares.ts';
import voter from './voter.ts';

const replies = ['1 2 3 4 5 6 7 8 9', 'Here it is: 2 7 6 9 5 1 4 3 8', '2 7 6, 9 5 1, 4 3 8'];
const script = scriptedModel({ id: 'script/squares', script: ({ index }) => replies[index] });

await using polya = await openPolya({
  agents: [voter],
  families: [squares],
  models: { [script.id]: script },
});
for (const agent of ['single-call', 'voter']) {
  const run = await polya.run({ family: 'squares', problem: { topLeft: 2 }, agent, model: script.id });
  console.log(`${agent}: ${run.outcome} (the model is a script). ${run.grade?.explanation}`);
}
