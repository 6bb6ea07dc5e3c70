/** The four patterns of the tool loop: what each requests, what the model sees of it, and that all sixteen combinations end. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolLoop } from '../../src/agents/tool-loop/tool-loop.ts';
import { estimate, usualOf } from '../../src/cli/estimate.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelReply, ModelRequest } from '../../src/core/model.ts';
import type { Problem } from '../../src/core/problem.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { familyOf, modelOf, oddRun, oddWorld, said, toolOf } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const run = toolOf(
  'Run',
  async ({ code }) => {
    const isBroken = String(code).includes('broken');
    const data = isBroken ? { failedInput: '7 7' } : {};
    return { text: isBroken ? 'IndexError' : 'stdout: 3', isError: isBroken || undefined, data };
  },
  {
    parameters: z.object({ code: z.string() }),
    program: { parameter: 'code', accepts: (language: string) => language === 'python' },
  },
);
const submit = toolOf(
  'Submit',
  async ({ answer }, { stage }) => {
    if (answer !== 'right') return { text: 'not the right answer' };
    return { text: 'right', advance: { to: stage === '1' ? '2' : null, statement: 'Now part 2.' } };
  },
  { repeat: { reconcile: async () => null } },
);

const call = (name: string, args: JsonObject): ModelReply => ({
  ...(said('') as Extract<ModelReply, { ok: true }>),
  message: { role: 'assistant', content: [{ type: 'tool-call', id: 'c', name, args }] },
});
const runs = (code: string) => call('Run', { code });
const submits = (answer: string) => call('Submit', { answer });
const solving = [submits('right'), submits('right')];

const textOfAll = ({ messages }: ModelRequest) => JSON.stringify(messages);
const isHelper = (request: ModelRequest) => request.tools === undefined;

/** The helpers reply `helped`, the loop replies as it is told. */
async function played(
  settings: JsonObject,
  replies: readonly ModelReply[],
  limits: JsonObject = {},
  isHelped: (request: ModelRequest) => boolean = isHelper,
) {
  const requests: ModelRequest[] = [];
  const left = [...replies];
  const model = modelOf((request) => {
    requests.push(request);
    if (!isHelped(request)) return left.shift() ?? said('I am done.');
    return textOfAll(request).includes('This program failed')
      ? 'It reads too far.\n```python\nprint(3)\n```'
      : `helped ${requests.length}`;
  });
  const family = familyOf({
    spec: { stages: ['1', '2'], statement: [{ type: 'text', text: 'Part 1.' }] },
    tools: [run, submit],
    grade: async ({ stagesDone }) => ({ correct: stagesDone.length === 2, explanation: 'HIDDEN' }),
  });
  const world = oddWorld({ agent: toolLoop, family, model });
  const end = await (
    await startRun(world, oddRun({ agent: 'tool-loop', settings, limits: { toolCalls: 20, ...limits } }))
  ).done;
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  const helpers = requests.filter(isHelper).map(textOfAll);
  const loop = requests.filter((request) => !isHelper(request)).map(textOfAll);
  return { end, helpers, loop, events: await eventsOf(world, 'run') };
}

test('simplify: each stage is restated in one call, and the original stands before it', async () => {
  const { end, helpers, loop } = await played({ simplify: true }, solving);
  expect(end.outcome).toBe('solved');
  expect(helpers).toHaveLength(2);
  expect(loop[0]).toMatch(/Part 1\..*restated.*helped 1/s);
  expect(helpers[1]).toMatch(/Part 1\..*What stands above is solved.*Now part 2\./s);
  expect(loop[1]).toMatch(/Now part 2\..*helped 3/s);
});

test('plan: the current plan alone is visible, and a failure revises it', async () => {
  const { end, helpers, loop } = await played({ plan: true }, [runs('broken'), ...solving]);
  expect(end.outcome).toBe('solved');
  expect(loop[0]).toContain('helped 1');
  expect(helpers[1]).toMatch(/helped 1.*broken.*IndexError/s);
  expect(loop[1]).toContain('helped 3');
  expect(loop[1]).not.toContain('helped 1');
});

test('after the last tool call nothing is planned or learned: no call could use it', async () => {
  const settings = { plan: true, reflect: 'after-1' };
  const { helpers } = await played(settings, [runs('broken')], { toolCalls: 1 });
  expect(helpers).toHaveLength(1);
});

test('reflect: after two failed programs or one failed answer the lesson goes on, and the attempts do not', async () => {
  const replies = [runs('broken a'), runs('broken b'), submits('41'), ...solving];
  const { end, helpers, loop } = await played({ reflect: 'after-2' }, replies);
  expect(end.outcome).toBe('solved');
  expect(helpers).toHaveLength(2);
  expect(helpers[0]).toMatch(/broken a.*IndexError.*broken b/s);
  expect(loop[1]).toContain('broken a');
  expect(loop[2]).toMatch(/Part 1\..*helped 3/s);
  expect(loop[2]).not.toContain('broken');
  expect(helpers[1]).toMatch(/41.*not the right answer/s);
  expect(helpers[1]).not.toContain('broken');
  expect(loop[3]).toMatch(/helped 3.*helped 5/s);
  expect([...helpers, ...loop].join()).not.toContain('HIDDEN');
});

test('repair: the repairer sees error and smallest input, and its program is run and shown in the place of the failed one', async () => {
  const { end, helpers, loop, events } = await played({ repair: true }, [runs('broken'), ...solving]);
  expect(end.outcome).toBe('solved');
  expect(helpers[0]).toMatch(/broken.*IndexError.*7 7/s);
  expect(loop[1]).toMatch(/print\(3\).*stdout: 3/s);
  expect(loop[1]).not.toContain('IndexError');
  expect(events.filter(({ kind }) => kind === 'tool-call')).toHaveLength(4);
  const scarce = await played({ repair: true }, [runs('broken')], { toolCalls: 1 });
  expect(scarce.helpers).toEqual([]);
});

test('with calls in text, a lesson and a repaired program stand in the conversation as well', async () => {
  const inText = (name: string, args: JsonObject) =>
    said(`\`\`\`json\n${JSON.stringify({ tool: name, arguments: args })}\n\`\`\``);
  const submit = (answer: string) => inText('Submit', { answer });
  const replies = [
    inText('Run', { code: 'broken' }),
    said('It reads too far.\n```python\nprint(3)\n```'),
    submit('41'),
    said('a lesson'),
    submit('right'),
    submit('right'),
  ];
  const settings = { calls: 'text', repair: true, reflect: 'after-1' };
  const { end, helpers } = await played(settings, replies, { modelCalls: 9 }, () => false);
  expect(end.outcome).toBe('solved');
  expect(helpers[0]).toContain('You have 9 model calls and 20 tool calls in all');
  expect(helpers[2]).toMatch(/a repairer corrected it.*stdout: 3/s);
  expect(helpers[4]).toContain('a lesson');
  expect(helpers[4]).not.toContain('a repairer');
  expect(helpers).toHaveLength(6);
});

const combinations = Array.from({ length: 16 }, (_, bits) => ({
  simplify: (bits & 1) > 0,
  plan: (bits & 2) > 0,
  reflect: (bits & 4) > 0 ? 'after-1' : 'never',
  repair: (bits & 8) > 0,
}));

test.each(combinations)('they compose: %o', async (settings) => {
  const { end, helpers } = await played(settings, [runs('broken'), submits('41'), ...solving]);
  expect(end.outcome).toBe('solved');
  const { simplify, plan, reflect, repair } = settings;
  const failures = repair ? 1 : 2;
  const lessons = reflect === 'never' ? 0 : failures;
  expect(helpers).toHaveLength(2 * Number(simplify) + (plan ? 2 + failures : 0) + lessons + Number(repair));
});

test('the calls of patterns count in the limit and in the estimate', async () => {
  const { end } = await played({ simplify: true, plan: true }, solving, { modelCalls: 2 });
  expect(end).toMatchObject({ outcome: 'limit', limit: 'modelCalls' });
  const turns = (settings: JsonObject) => {
    const agent = { name: 'tool-loop', settings: z.json().parse(toolLoop.settings.parse(settings)) };
    const header = { models: {}, limits: {}, agent } as Parameters<typeof estimate>[0];
    return estimate(header, { role: 'solver', request: { messages: [] } }, usualOf(toolLoop)).turns;
  };
  expect(turns({ simplify: true, repair: true })).toBeGreaterThan(turns({}));
});

describe('without stages', () => {
  const parse: Problem['parse'] = (text) =>
    /\d/.test(text) ? { type: 'text', text } : { type: 'misfit', feedback: 'no number' };
  const check: Problem['check'] = async (answer) => ({
    pass: answer.type === 'text' && answer.text === '42',
    feedback: 'too small',
  });

  async function answers(
    functions: Partial<Problem>,
    replies: readonly ModelReply[],
    { settings = {}, limits = {} }: { settings?: JsonObject; limits?: JsonObject } = {},
  ) {
    const left = [...replies];
    const requests: string[] = [];
    const model = modelOf((request) => {
      requests.push(textOfAll(request));
      return left.shift() ?? said('I am done.');
    });
    const world = oddWorld({ agent: toolLoop, family: familyOf({ parse, ...functions }), model });
    const end = await (await startRun(world, oddRun({ agent: 'tool-loop', settings, limits }))).done;
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
    return { end, requests };
  }

  test('a reply without a call is the answer, and one that holds none is asked about', async () => {
    const { end, requests } = await answers({ tools: [run] }, [runs('x'), said('Hm.'), said('42')]);
    expect(end.solution).toEqual({ end: 'answered', answer: { type: 'text', text: '42' } });
    expect(requests[2]).toContain('no number');
  });

  test('a check sends an answer back, reflection sees it, and a limit hands in the last one', async () => {
    const settings = { reflect: 'after-1' };
    const replies = [said('40'), said('a lesson'), said('42')];
    const { end, requests } = await answers({ check }, replies, { settings });
    expect(end.solution?.end).toBe('answered');
    expect(requests[1]).toMatch(/40.*too small/s);
    expect(requests[2]).toContain('a lesson');
    const limited = await answers({ check }, [said('40'), said('41')], { limits: { modelCalls: 2 } });
    expect(limited.end.solution).toMatchObject({ end: 'gave-up', answer: { text: '41' } });
    const unaccepted = await answers({ check }, [said('40'), said('41')], { settings: { answers: 2 } });
    expect(unaccepted.end.solution).toMatchObject({ end: 'gave-up', answer: { text: '41' } });
  });
});
