/** The agents that draw several answers or programs and choose: what each chooses, what it spends, and that it is replayed. */
import { describe, expect, test } from 'vitest';
import { cascade } from '../../src/agents/patterns/cascade.ts';
import { sampleAndSelect } from '../../src/agents/patterns/sample-and-select.ts';
import { chanceOfLead, isVoteDecided, selfConsistency } from '../../src/agents/patterns/self-consistency.ts';
import { testsFirst } from '../../src/agents/patterns/tests-first.ts';
import { bestOfN } from '../../src/agents/search/best-of-n.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelCall, ModelReply, ModelRequest } from '../../src/core/model.ts';
import type { Problem, Samples, ToolResult } from '../../src/core/problem.ts';
import type { Sandbox } from '../../src/core/sandbox.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { failure } from '../support/ensemble.ts';
import { noSandbox } from '../support/no-sandbox.ts';
import { familyOf, modelOf, oddRun, oddWorld, toolOf } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf } from '../support/world.ts';

/** Programs are `add N`, or `add N unless M`, which adds nothing to M; others fail. */
const adder: Sandbox = {
  ...noSandbox,
  async exec({ source, stdin }) {
    const { by, but } = /^add (?<by>\d+)(?: unless (?<but>\d+))?$/.exec(source.trim())?.groups ?? {};
    const given = Number(Buffer.from(stdin ?? '').toString());
    const text = `${given === Number(but) ? given : given + Number(by)}\n`;
    const captured = { text, bytes: text.length, cut: false };
    const run = {
      verdict: by === undefined ? ('exit' as const) : ('ok' as const),
      exitCode: by === undefined ? 1 : 0,
      signal: null,
      stdout: captured,
      stderr: { text: '', bytes: 0, cut: false },
      wallMs: 1,
      cpuMs: 1,
      peakMemoryBytes: 1,
    };
    return { backend: 'adder', compile: null, run, folder: null, folderBytes: null };
  },
};

const samples: Samples = {
  language: 'python',
  format: 'It reads a number and prints one.',
  pairs: [{ input: '1', output: '3' }],
  target: {
    type: 'inputs',
    inputs: ['40'],
    answer: ([first]) => ({ type: 'text', text: first?.[0] ?? '' }),
  },
};

const family = (functions: Partial<Problem> = {}) =>
  familyOf({
    spec: { statement: [{ type: 'text', text: 'The example: 1 gives 3.' }] },
    parse: (text) => {
      const found = /\d+$/.exec(text)?.[0];
      return found === undefined ? { type: 'misfit', feedback: 'no number' } : { type: 'text', text: found };
    },
    equal: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && answer.text === '42',
      explanation: 'HIDDEN 42',
    }),
    ...functions,
  });

type Reply = (request: ModelRequest, call: ModelCall) => ModelReply | string;
type Played = {
  agent: Agent;
  settings?: JsonObject;
  reply: Reply;
  functions?: Partial<Problem>;
  limits?: JsonObject;
};

/** Once as it is, and once for each of its model calls interrupted there and resumed, to the same end. */
async function played({ agent, settings = {}, reply, functions, limits = {} }: Played) {
  const worldOf = (folder: string, answer: Reply, onCall: (request: ModelRequest) => void) =>
    oddWorld({
      agent,
      family: family(functions),
      folder,
      io: { sandbox: adder },
      model: modelOf((request, call) => {
        onCall(request);
        return answer(request, call);
      }),
    });
  const spec = oddRun({ agent: agent.name, settings, limits });
  const requests: ModelRequest[] = [];
  const world = worldOf(temporaryFolder(), reply, (request) => requests.push(request));
  const end = await (await startRun(world, spec)).done;
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  expect(JSON.stringify(requests)).not.toContain('HIDDEN');
  for (const lost of requests.keys()) {
    const folder = temporaryFolder();
    let calls = 0;
    const broken = worldOf(
      folder,
      (...call) => (calls > lost ? failure('network') : reply(...call)),
      () => {
        calls += 1;
      },
    );
    expect((await (await startRun(broken, spec)).done).outcome).toBe('error');
    await broken.store.close();
    const again = worldOf(folder, reply, () => undefined);
    const resumed = await (await resumeRun(again, 'run')).done;
    expect(resumed.solution).toEqual(end.solution);
    expect(await replayRun(again, 'run')).toMatchObject({ complete: true, isSame: true });
    await again.store.close();
  }
  return { end, requests, events: await eventsOf(world, 'run') };
}

const fenced = (program: string) => `\`\`\`python\n${program}\n\`\`\``;
const answerOf = (end: { solution?: { answer?: unknown } | null }) => end.solution?.answer;
const numberIn = ({ branch }: ModelCall) => Number(/(\d+)$/.exec(branch)?.[1]);
/** The nth program by its branch; JSON by the form that is asked for. */
const writing =
  (programs: readonly string[], json: JsonObject = {}): Reply =>
  ({ output }, call) =>
    output
      ? JSON.stringify({ [output.name]: json[output.name] ?? [] })
      : fenced(programs[numberIn(call) - 1] ?? 'add 2');

describe('self-consistency', () => {
  test('the most frequent answer wins, and no chain is drawn behind a decided vote', async () => {
    const replies = ['42', '41', '42', '42', '42'];
    const { end, requests } = await played({
      agent: selfConsistency,
      settings: { chains: 9, atOnce: 1, certainty: 0.8 },
      reply: (_request, call) => replies[numberIn(call) - 1] ?? '42',
    });
    expect(end.outcome).toBe('solved');
    expect(requests).toHaveLength(4);
  });

  test('its rule is the chance that the leader leads, or that the rest cannot change it', () => {
    expect(chanceOfLead(1, 1)).toBeCloseTo(0.5);
    expect(chanceOfLead(3, 0)).toBeCloseTo(15 / 16);
    expect(isVoteDecided(4, 0, 6, 0.95)).toBe(true);
    expect(isVoteDecided(4, 0, 6, 1)).toBe(false);
    expect(isVoteDecided(4, 0, 3, 1)).toBe(true);
    expect(isVoteDecided(0, 0, 10, 0.5)).toBe(false);
  });

  test('a reply without an answer is asked about once', async () => {
    const reply: Reply = ({ messages }) =>
      JSON.stringify(messages).includes('no number') ? 'It is 42' : 'I am not sure.';
    const { end, requests } = await played({ agent: selfConsistency, settings: { chains: 1 }, reply });
    expect(end.outcome).toBe('solved');
    expect(requests).toHaveLength(2);
  });

  test('a limit hands in the leading answer', async () => {
    const limits = { modelCalls: 2 };
    const world = oddWorld({ agent: selfConsistency, family: family(), model: modelOf(() => '41') });
    const settings = { certainty: 1, atOnce: 1 };
    const end = await (await startRun(world, oddRun({ agent: 'self-consistency', settings, limits }))).done;
    expect(end.solution).toMatchObject({ end: 'gave-up', answer: { text: '41' } });
  });
});

describe('cascade', () => {
  const levels: Reply = (_request, { role, branch }) =>
    role === 'strong' ? '42' : branch.endsWith('3') ? '40' : '41';

  test('a cheap level that agrees answers alone, one that does not is followed by the strong one', async () => {
    const unsure = await played({ agent: cascade, reply: levels });
    expect(unsure.requests).toHaveLength(4);
    expect(unsure.end.outcome).toBe('solved');
    const sure = await played({ agent: cascade, settings: { agree: 2 }, reply: levels });
    expect(sure.requests).toHaveLength(3);
    expect(answerOf(sure.end)).toEqual({ type: 'text', text: '41' });
  });

  test('where answers can be checked, agreement is not enough', async () => {
    const check: Problem['check'] = async (answer) => ({
      pass: answer.type === 'text' && answer.text === '42',
      feedback: '',
    });
    const { end } = await played({
      agent: cascade,
      settings: { agree: 2 },
      reply: levels,
      functions: { check },
    });
    expect(end.outcome).toBe('solved');
  });
});

describe('best-of-n', () => {
  test('with check it draws `atOnce` answers at a time, until one passes', async () => {
    const check: Problem['check'] = async (answer) => ({
      pass: answer.type === 'text' && answer.text === '42',
      feedback: '',
    });
    const { end, requests } = await played({
      agent: bestOfN,
      settings: { programs: 9, atOnce: 2 },
      reply: (_request, { branch }) => {
        const [, batch, at] = /answers-(\d+)-(\d+)/.exec(branch) ?? [];
        return String(38 + Number(batch) + Number(at));
      },
      functions: { check },
    });
    expect(end.outcome).toBe('solved');
    expect(requests).toHaveLength(4);
  });

  test('with samples the program that passes them answers', async () => {
    const { end } = await played({
      agent: bestOfN,
      settings: { programs: 3 },
      reply: writing(['add 1', 'add 2', 'broken']),
      functions: { samples },
    });
    expect(end.outcome).toBe('solved');
  });
});

describe('sample-and-select', () => {
  test('the largest group of those that pass the examples answers', async () => {
    const programs = ['add 2 unless 40', 'add 1', 'add 2', 'add 2', 'broken'];
    const { end, events } = await played({
      agent: sampleAndSelect,
      settings: { programs: 5 },
      reply: writing(programs, { inputs: ['40', '7'] }),
      functions: { samples },
    });
    expect(end.outcome).toBe('solved');
    expect(JSON.stringify(events)).toContain('3 of 5 programs pass 1 of 1 examples; groups of 2, 1');
  });

  test('where the first program of a group fails on the input of the problem, the next one answers', async () => {
    const { end } = await played({
      agent: sampleAndSelect,
      settings: { programs: 2, inputs: 0 },
      reply: writing(['broken', 'add 2']),
      functions: { samples: { ...samples, pairs: [] } },
    });
    expect(end.outcome).toBe('solved');
  });

  const run = toolOf('Run', async ({ by }): Promise<ToolResult> => ({ text: String(40 + Number(by)) }));
  const submit = toolOf('Submit', async ({ answer }, { stage }): Promise<ToolResult> => {
    const isRight = answer === (stage === '1' ? '42' : '43');
    const to = stage === '1' ? '2' : null;
    return isRight ? { text: 'right', advance: { to, statement: 'Now 1 gives 4.' } } : { text: 'wrong' };
  });
  const byTools: Samples = {
    ...samples,
    pairs: null,
    target: {
      type: 'tools',
      run: (source) => ({ name: 'Run', args: { by: source.trim().split(' ')[1] ?? '' } }),
      output: ({ text }) => text,
      handIn: (answer) => ({ name: 'Submit', args: { answer } }),
    },
  };

  test('a problem of stages: examples are read from the statement, a refused answer is followed by the next group', async () => {
    const functions: Partial<Problem> = {
      samples: byTools,
      tools: [run, submit],
      grade: async ({ stagesDone }) => ({ correct: stagesDone.length === 2, explanation: 'stages' }),
    };
    const worldFamily = familyOf({
      ...functions,
      spec: { stages: ['1', '2'], statement: [{ type: 'text', text: '1 gives 3' }] },
    });
    const reply: Reply = ({ output, messages }, call) => {
      const isSecond = JSON.stringify(messages).includes('1 gives 4');
      if (output?.name === 'samples')
        return JSON.stringify({
          samples: [
            { input: '1', output: isSecond ? '4' : '3' },
            { input: '1', output: '99' },
          ],
        });
      if (output) return JSON.stringify({ inputs: ['40'] });
      return fenced(isSecond ? 'add 3' : numberIn(call) > 1 ? 'add 2 unless 40' : 'add 2');
    };
    const world = oddWorld({
      agent: sampleAndSelect,
      family: worldFamily,
      io: { sandbox: adder },
      model: modelOf(reply),
    });
    const spec = oddRun({ agent: 'sample-and-select', settings: { programs: 3 } });
    expect((await (await startRun(world, spec)).done).outcome).toBe('solved');
    const events = await eventsOf(world, 'run');
    expect(JSON.stringify(events)).toContain('1 read from the statement');
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });
});

describe('tests-first', () => {
  test('a test that contradicts an example is dropped, and so is one that programs which agree refute', async () => {
    const tests = [
      { input: '1', output: '9' },
      { input: '5', output: '8' },
      { input: '6', output: '8' },
    ];
    const { end, events } = await played({
      agent: testsFirst,
      settings: { programs: 3 },
      reply: writing(['add 2', 'add 2', 'add 1'], { tests }),
      functions: { samples },
    });
    expect(end.outcome).toBe('solved');
    expect(JSON.stringify(events)).toContain('3 written; dropped because they contradict an example: 1');
    expect(JSON.stringify(events)).toContain('3 tests, 1 refuted by programs that agree');
  });

  test('the best program is corrected once where it fails tests', async () => {
    const tests = [{ input: '40', output: '42' }];
    const { end, requests } = await played({
      agent: testsFirst,
      settings: { programs: 1 },
      reply: ({ output, messages }) => {
        if (output) return JSON.stringify({ tests });
        return fenced(
          JSON.stringify(messages).includes('It fails these tests') ? 'add 2' : 'add 2 unless 40',
        );
      },
      functions: { samples },
    });
    expect(end.outcome).toBe('solved');
    expect(requests).toHaveLength(3);
  });
});
