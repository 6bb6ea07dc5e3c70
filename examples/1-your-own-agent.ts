/**
 * The smallest whole thing: a problem of your own, an agent of your own, a run that is journaled and replayed.
 *
 *     ./node_modules/.bin/node examples/1-your-own-agent.ts
 *
 * The model is a script: its replies were written ahead, and no model was asked. Put the name of a real one into
 * `models` (`openai-compatible/NAME`) to let it think for itself.
 */
import {
  defineAgent,
  defineFamily,
  newRunId,
  openPolya,
  replayRun,
  requireReply,
  scriptedModel,
  startRun,
  textOf,
} from 'polya';
import { z } from 'zod';

/** A number to guess. `check` is feedback that the agent may see, `grade` decides. */
const numbers = defineFamily({
  name: 'numbers',
  reference: z.object({ seed: z.string() }),
  detail: z.object({ secret: z.int() }),
  offers: ['parse', 'check'],
  load: async ({ seed }) => ({
    id: `numbers/${seed}`,
    title: 'Guess a number',
    statement: 'I think of a whole number from 1 to 100.',
    brief: { task: 'Guess it.', answerFormat: 'The number alone.' },
    detail: { secret: 42 },
  }),
  open: ({ detail: { secret } }) => ({
    parse: (reply) => {
      const text = /\d+/.exec(reply)?.[0];
      return text ? { type: 'text', text } : { type: 'misfit', feedback: 'Say a number.' };
    },
    check: async (answer) => {
      const guess = answer.type === 'text' ? Number(answer.text) : Number.NaN;
      const pass = guess === secret;
      return { pass, feedback: pass ? 'Yes.' : guess < secret ? 'Higher.' : 'Lower.' };
    },
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && Number(answer.text) === secret,
      explanation: `The number is ${secret}.`,
    }),
  }),
});

/** Asks, checks, tells, until it is right. That is all: resume, replay and budgets are the run's business. */
const guesser = defineAgent({
  name: 'guesser',
  settings: z.object({ guesses: z.int().positive().default(7) }),
  needs: ['parse', 'check'],
  prompts: { ask: '{{task}} {{answerFormat}} So far: {{history}}' },
  async solve(problem, run, { guesses }) {
    const history: string[] = [];
    for (let guess = 0; guess < guesses; guess += 1) {
      const { task, answerFormat } = problem.spec.brief;
      const content = run.prompt('ask', { task, answerFormat, history: history.join(' ') || 'nothing.' });
      const reply = requireReply(await run.generate('solver', { messages: [{ role: 'user', content }] }));
      const answer = problem.parse(textOf(reply.message));
      if (answer.type !== 'text') continue;
      const verdict = await run.check(answer);
      if (verdict.pass) return { end: 'answered', answer };
      history.push(`${answer.text}: ${verdict.feedback}`);
    }
    return { end: 'gave-up', detail: 'No guesses are left.' };
  },
});

const script = scriptedModel({
  id: 'script/halving',
  script: ({ index }) => ['50', 'Is it 25?', '37', '42'][index],
});

const polya = openPolya({
  create: true,
  families: [numbers],
  agents: [guesser],
  models: { [script.id]: script },
});
const id = newRunId(Date.now(), polya.world.io.chance);
const run = await startRun(polya.world, {
  id,
  family: 'numbers',
  problem: { seed: 'a' },
  agent: 'guesser',
  models: { default: script.id },
});
const end = await run.done;
console.log(`${id}: ${end.outcome} (the model is a script)`);

const replay = await replayRun(polya.world, id);
console.log(
  `replayed without asking anybody: ${replay.complete && replay.isSame ? 'the same end' : 'another end'}`,
);
await polya.close();
