/**
 * Replies that were cut off: whatever right answer, program, verdict or call stands in one, no agent hands it in, and none
 * carries it out. And conversations for which a model has no context.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { chainAgent } from '../../src/agents/ensemble/chain.ts';
import { ensemble } from '../../src/agents/ensemble/ensemble.ts';
import { programAgent } from '../../src/agents/ensemble/program.ts';
import { reactAgent } from '../../src/agents/ensemble/react.ts';
import { inductionGraph } from '../../src/agents/induction-graph/induction-graph.ts';
import { proofGrader } from '../../src/agents/proof/proof-grader.ts';
import { verifyLoop } from '../../src/agents/proof/verify-loop.ts';
import { bestOfN } from '../../src/agents/search/best-of-n.ts';
import { evolution } from '../../src/agents/search/evolution.ts';
import { singleCall } from '../../src/agents/single-call/single-call.ts';
import { toolLoop } from '../../src/agents/tool-loop/tool-loop.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { RunEnd } from '../../src/core/event.ts';
import { foldRun, type RunView } from '../../src/core/fold.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelCall, ModelReply, ModelRequest, ModelSuccess } from '../../src/core/model.ts';
import type { Family } from '../../src/core/problem.ts';
import { explanationOf } from '../../src/open/run-json.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { exitCodeOf, outcomeText } from '../../src/text/labels.ts';
import { failure, planned, prints, questionRun, questions, states } from '../support/ensemble.ts';
import { evolvingFamily, evolvingTemplate, fence } from '../support/evolving.ts';
import { exampleFamily, instruct, mirror, mirrored, solvedBy, structured } from '../support/induction.ts';
import { familyOf, modelOf, oddRun, oddWorld, said, toolOf } from '../support/odd.ts';
import { proof, report } from '../support/proof-run.ts';
import { toyInfo } from '../support/toy-sandbox.ts';
import { eventsOf } from '../support/world.ts';

type Answering = (request: ModelRequest, call: ModelCall) => ModelReply;
type Case = {
  readonly agent: Agent;
  readonly family: Family;
  readonly settings?: JsonObject;
  readonly limits?: JsonObject;
  /** A reply that would do, were it complete. */
  readonly right: Answering;
};

const best = evolvingTemplate.replace('10', '40');
const called: string[] = [];
const submitting = familyOf({
  spec: { stages: ['1'] },
  tools: [
    toolOf(
      'Submit',
      async ({ answer }) => {
        called.push(String(answer));
        return { text: 'right', advance: { to: null, statement: '' } };
      },
      { parameters: z.object({ answer: z.string() }) },
    ),
  ],
  grade: async ({ stagesDone }) => ({ correct: stagesDone.length === 1, explanation: 'stages' }),
});
const transform = '```python\ndef transform(grid):\n  return [row[::-1] for row in grid]\n```';
const submits: Answering = () => ({
  ...success(said('')),
  message: {
    role: 'assistant',
    content: [{ type: 'tool-call', id: 'c', name: 'Submit', args: { answer: '6' } }],
  },
});
const success = (reply: ModelReply): ModelSuccess => {
  if (!reply.ok) throw new Error(reply.error.message);
  return reply;
};

const cases: Readonly<Record<string, Case>> = {
  'single-call': { agent: singleCall, family: questions, right: () => said(states('42')) },
  chain: { agent: chainAgent, family: questions, right: () => said(states('42')) },
  program: { agent: programAgent, family: questions, right: () => said(prints('42')) },
  react: {
    agent: reactAgent,
    family: questions,
    settings: { steps: 3 },
    right: () => said('Final Answer: 42'),
  },
  ensemble: {
    agent: ensemble,
    family: questions,
    right: (_, { role, branch }) =>
      role === 'planner'
        ? structured(planned('Use Python'))
        : said(branch.startsWith('program') ? prints('42') : states('42')),
  },
  'tool-loop': { agent: toolLoop, family: submitting, right: submits },
  'tool-loop, calls=text': {
    agent: toolLoop,
    family: submitting,
    settings: { calls: 'text' },
    right: () => said('```json\n{"tool": "Submit", "arguments": {"answer": "6"}}\n```'),
  },
  'induction-graph': {
    agent: inductionGraph,
    family: exampleFamily(),
    settings: { hypotheses: 1, representation: 'steps' },
    right: (_, { role }) =>
      structured(role === 'generator' ? solvedBy(mirror, mirrored) : instruct('Mirror.')),
  },
  'induction-graph, programs': {
    agent: inductionGraph,
    family: exampleFamily(),
    settings: { hypotheses: 1, representation: 'programs', replies: 'text' },
    right: () => said(transform),
  },
  'verify-loop': {
    agent: verifyLoop,
    family: familyOf(),
    settings: { passes: 1, attempts: 2 },
    right: (_, { role }) =>
      said(role === 'solver' ? proof('It holds.') : role === 'grader' ? report('Correct.') : 'yes'),
  },
  'verify-loop, its graders alone': {
    agent: verifyLoop,
    family: familyOf(),
    settings: { passes: 1, attempts: 1, graders: 3 },
    right: (_, { role }) =>
      said(role === 'grader' ? `Verdict: complete\n${report('Correct.')}` : proof('It holds.')),
  },
  'proof-grader': {
    agent: proofGrader,
    family: familyOf({ candidate: { text: 'It holds.' } }),
    right: ({ output }) => (output ? structured({ findings: [], accepts: true }) : said(report('Correct.'))),
  },
  'best-of-n': {
    agent: bestOfN,
    family: evolvingFamily(),
    settings: { programs: 2 },
    right: () => said(fence(best)),
  },
  evolution: {
    agent: evolution,
    family: evolvingFamily(),
    settings: { islands: 1, maxGenerations: 1, populationSize: 2 },
    right: () => said(fence(best)),
  },
};

async function viewed(of: Case, answer: Answering): Promise<RunView> {
  const world = oddWorld({ ...of, model: modelOf(answer), sandboxInfo: toyInfo });
  await (await startRun(world, { ...questionRun, agent: of.agent.name })).done;
  const view = foldRun(await eventsOf(world, 'run'));
  await world.store.close();
  return view;
}

async function played(of: Case, answer: Answering): Promise<RunEnd> {
  const world = oddWorld({ ...of, model: modelOf(answer), sandboxInfo: toyInfo });
  const base = of.family === questions ? questionRun : oddRun();
  const { settings = {}, limits = { toolCalls: 9, modelCalls: 60 } } = of;
  const end = await (await startRun(world, { ...base, agent: of.agent.name, settings, limits })).done;
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  await world.store.close();
  return end;
}

const rows = Object.keys(cases).flatMap((name) =>
  (['length', 'cut'] as const).map((finish) => [name, finish] as const),
);

test.each(rows)('%s: a right answer in a reply that ended by `%s` is not handed in', async (name, finish) => {
  const of = cases[name];
  if (!of) throw new Error(name);
  called.length = 0;
  const told: string[] = [];
  const end = await played(of, (request, call) => {
    const content = request.messages.at(-1)?.content;
    if (typeof content === 'string' && content.includes('reply was cut off')) told.push(content);
    const reply = success(of.right(request, call));
    const isSolver = call.role === 'solver' && name.endsWith('graders alone');
    return isSolver ? reply : { ...reply, finish, rawFinish: finish === 'cut' ? 'abort' : undefined };
  });
  expect(called).toEqual([]);
  expect(['solved', 'answered', 'passed']).not.toContain(end.outcome);
  if (end.outcome === 'scored') expect(end.solution?.answer).not.toMatchObject({ source: best });
  if (name === 'evolution' || name === 'ensemble') return;
  if (end.outcome !== 'limit') expect(end.solution?.detail).toMatch(/cut off/);
  expect(told.length).toBeGreaterThan(0);
  // That it "holds neither a program nor an answer", or "did not lead to an answer", is untrue of it.
  const only = /^Your reply was cut off [^.]*\. Reply again, completely and more briefly\.$/;
  const onlyCall =
    /^(?:\[Left: .*\]\s+)?This call was not carried out, because your reply was cut off in the middle of its calls, [^.]*\. Send it again, complete and shorter\.$/;
  for (const words of told) expect(words).toMatch(name === 'tool-loop' ? onlyCall : only);
});

test.each([singleCall, chainAgent])('a reply without an answer is asked about once (%o)', async (agent) => {
  const requests: ModelRequest[] = [];
  const end = await played({ agent, family: questions, right: submits }, (request) => {
    requests.push(request);
    return said(requests.length === 1 ? 'I added the two and halved the sum.' : '\\boxed{42}');
  });
  expect(end).toMatchObject({ outcome: 'solved', solution: { answer: { text: '42' } } });
  expect(requests).toHaveLength(2);
  const [reply, question] = requests[1]?.messages.slice(-2) ?? [];
  expect(reply).toMatchObject({ role: 'assistant' });
  expect(question?.content).toMatch(
    /^Your reply could not be read: No answer was found: .*and nothing else\./,
  );
  const unread = await played({ agent, family: questions, right: submits }, () => said('I halved the sum.'));
  expect(unread.outcome).toBe('malformed');
});

test('single-call: what a cut reply holds is shown, with the reason of its server', async () => {
  const of = { agent: singleCall, family: questions, right: () => said(states('42')) };
  const text = 'Final answer: 42\n\nTo be sure, we ad';
  const end = await played(of, () => ({ ...success(said(text)), finish: 'cut', rawFinish: 'abort' }));
  expect(end).toMatchObject({ outcome: 'malformed', solution: { end: 'malformed' } });
  expect(end.solution?.detail).toMatch(
    /cut off \(unknown reason “abort”\)\. It would have answered 42, which does not count\. .*Final answer: 42/,
  );
  expect(end.solution).not.toHaveProperty('answer');
});

test.each([
  'It is \\boxed{3',
  'It is \\boxed{\\frac{1}{3',
  'Final answer: 3',
  'Final answer: 3.',
  '**Final answer:** $3',
  'The answer is 3',
  'Final answer: 3 ',
  'Therefore x = 3',
  '<answer>3',
  'It is \\boxed{3}, no, it is \\boxed{36',
])('the true answer is 36: of %j nobody says that it would have answered 3', async (text) => {
  for (const agent of [singleCall, chainAgent]) {
    const of = { agent, family: questions, right: () => said(text) };
    const end = await played(of, () => ({ ...success(said(text)), finish: 'length' }));
    expect(end.outcome).toBe('malformed');
    expect(end.solution?.detail).toContain('cut off at its limit of tokens');
    expect(end.solution?.detail).not.toContain('would have answered');
  }
});

test.each(['network', 'malformed'] as const)(
  'what had arrived of a failed call (%s) is shown once',
  async (kind) => {
    const error = {
      kind,
      message: 'The stream broke off.',
      retryable: false,
      partialText: 'The answer is 4',
    };
    for (const agent of [singleCall, chainAgent]) {
      const view = await viewed({ agent, family: questions, right: submits }, () => ({
        ok: false,
        error,
        usage: null,
      }));
      expect(explanationOf(view).match(/and does not count: “The answer is 4”/g)).toHaveLength(1);
      expect(view.end?.solution?.answer).toBeUndefined();
    }
  },
);

test.each([
  'single-call',
  'chain',
  'tool-loop',
  'induction-graph',
  'verify-loop',
  'proof-grader',
  'ensemble',
])('%s: a context that is full is a limit of its own', async (name) => {
  const of = cases[name];
  if (!of) throw new Error(name);
  const end = await played(of, () => failure('context-overflow', 'too long by 7 tokens'));
  expect(end).toMatchObject({ outcome: 'limit', limit: 'context' });
  expect(end.solution?.detail).toMatch(/too long by 7 tokens\. Use a model with a longer context/);
  expect([outcomeText(end), exitCodeOf(end)]).toEqual(['limit (context)', 1]);
});
