/**
 * Runs an agent of your own on a question, replays the run, and forks it.
 *
 *     ./node_modules/.bin/node examples/1-your-own-agent.ts
 *
 * The model is a script: its replies were written ahead, and no model was asked.
 */
// #region run
import { openPolya, scriptedModel } from 'polya';
import voter from './voter.ts';

const script = scriptedModel({
  id: 'script/three-replies',
  script: ({ index }) => ['It is 40.', 'The answer is 42.', '\\boxed{42}'][index % 3],
});
const polya = await openPolya({ agents: [voter], models: { [script.id]: script } });

const { id, outcome, usage } = await polya.run({
  family: 'qa',
  problem: { question: 'How much is 6 times 7?', answer: '42' },
  agent: 'voter',
  model: script.id,
});
console.log(`${id}: ${outcome} with ${usage.modelCalls} calls (the model is a script)`);
// #endregion

const replay = await polya.replay(id);
console.log(replay.complete && replay.isSame ? 'replayed: the same end' : 'replayed: another end');

const events = await polya.events(id);
const firstReply = events.find(({ kind }) => kind === 'model-response');
const fork = await polya.fork(id, { at: firstReply?.seq, settings: { samples: 1 } });
console.log(
  `${fork.id}: ${fork.outcome}, the only vote was ${fork.answer?.type === 'text' && fork.answer.text}`,
);

const wrong = await polya.runs({ agent: 'voter', outcome: 'wrong' });
console.log(`${wrong.length} of ${(await polya.runs()).length} runs were wrong`);
await polya.close();
