/**
 * Three hypotheses of the induction graph, with a vote and an early stop; the same in every process that works on them,
 * down to the order in which calls that are open at once are answered.
 */
import { inductionGraph } from '../../src/agents/induction-graph/induction-graph.ts';
import { exampleFamily, instruct, mirror, mirrored, solvedBy } from './induction.ts';
import { Lockstep, lockstepModel } from './lockstep.ts';
import { storeWithMoments } from './moments.ts';
import { oddRun } from './odd.ts';
import { outsideFile } from './toy.ts';
import { toyWorld } from './world.ts';

export const inductionRun = oddRun({
  agent: 'induction-graph',
  settings: { hypotheses: 3, maxSteps: 3, agree: 2 },
});

export function inductionWorld(folder: string, onMoment: (name: string) => void = () => undefined) {
  const outside = outsideFile(`${folder}/calls.log`);
  const model = lockstepModel({
    lockstep: new Lockstep(),
    reply: (_request, { role, branch, index }) => {
      const isSolved = index === (branch === 'steps-3' ? 2 : 1);
      if (role === 'instruction') return JSON.stringify(instruct(`Step ${index + 1} of ${branch}.`));
      return JSON.stringify(solvedBy(mirror, isSolved ? mirrored : (grid) => grid));
    },
    onPerform: (moment, key) => {
      if (moment !== 'during') return;
      outside.log(key);
      onMoment('during-effect');
    },
  });
  return toyWorld({
    folder,
    model,
    agents: [inductionGraph],
    families: [exampleFamily()],
    wrapStore: (store) => storeWithMoments(store, onMoment),
  });
}
