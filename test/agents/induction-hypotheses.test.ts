/** Several hypotheses: attempts that differ, votes, early stop, views of the task; programs in the real sandbox; limits and failures. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { walk } from '../../src/agents/induction-graph/asking.ts';
import { inductionGraph } from '../../src/agents/induction-graph/induction-graph.ts';
import { LimitReached } from '../../src/core/errors.ts';
import type { ModelReply } from '../../src/core/model.ts';
import type { Examples, Grid } from '../../src/core/problem.ts';
import { prepareRun } from '../../src/run/start.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import { coded } from '../support/coded.ts';
import {
  type Asked,
  exampleFamily,
  induced,
  instruct,
  mirror,
  mirrored,
  outputs,
  solvedBy,
  wordsOf,
} from '../support/induction.ts';
import { modelOf, oddRun } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bareIo, toyWorld } from '../support/world.ts';

const same = (grid: Grid): Grid => grid;
const right = mirror.pairs.map(({ output }) => output);
const sandbox = chooseSandbox({ env: process.env });
const withSandbox = { world: { io: { sandbox } } };

/** By the beginning of the branch's path: each step's instruction is empty talk, the generator sends these. */
function byBranch(sent: Readonly<Record<string, readonly object[]>>) {
  return ({ call }: Asked): object => {
    if (call.role === 'instruction') return instruct(`Step ${call.index + 1}.`);
    const lines = sent[call.branch] ?? [];
    return lines[Math.min(call.index, lines.length - 1)] ?? {};
  };
}

describe('attempts', () => {
  test('the second one is another hypothesis', async () => {
    const { end } = await induced(
      byBranch({
        'steps-1': [outputs(right, [[[1]], [[2]]])],
        'steps-2': [solvedBy(mirror, mirrored)],
      }),
      { settings: { hypotheses: 2 } },
    );
    expect(end.outcome).toBe('solved');
    expect(end.solution?.answer).toMatchObject({
      attempts: [
        [[[1]], [[9, 8, 7]]],
        [[[2]], mirrored(mirror.queries[1] ?? [])],
      ],
    });
  });

  test('as many hypotheses as attempts, unless it is told otherwise', async () => {
    const settings = { hypotheses: undefined, maxSteps: 1 } as never;
    const two = await induced(byBranch({}), { settings });
    expect(two.view.lines.map(({ name }) => name)).toEqual(['steps-1', 'steps-2']);
    const one = await induced(byBranch({}), { settings: { ...(settings as object), attempts: 1 } });
    expect(one.view.lines).toHaveLength(1);
  });

  test('the runner-up of one hypothesis is its step before', async () => {
    const { end } = await induced(
      byBranch({ 'steps-1': [solvedBy(mirror, same), solvedBy(mirror, mirrored)] }),
    );
    expect(end.solution?.answer).toMatchObject({
      attempts: mirror.queries.map((grid) => [mirrored(grid), grid]),
    });
  });

  test('those with reproduced train pairs go first, then the better partial score', async () => {
    const { end, view } = await induced(
      byBranch({
        'steps-1': [
          outputs(
            [
              right[0] ?? [],
              [
                [3, 2],
                [0, 0],
              ],
            ],
            [[[1]], [[1]]],
          ),
        ],
        'steps-2': [
          outputs(
            [
              right[0] ?? [],
              [
                [3, 2],
                [5, 0],
              ],
            ],
            [[[2]], [[2]]],
          ),
        ],
        'steps-3': [outputs(right, [[[3]], [[3]]])],
      }),
      { settings: { hypotheses: 3, maxSteps: 1 } },
    );
    expect(end.solution?.answer).toMatchObject({
      attempts: [
        [[[3]], [[2]]],
        [[[3]], [[2]]],
      ],
    });
    expect(view.lines.map(({ status }) => status)).toEqual([
      'failed_max_steps',
      'failed_max_steps',
      'completed',
    ]);
  });
});

test('two that agree end the others', async () => {
  const slow = async (asked: Asked): Promise<object> => {
    const { branch, role, signal } = asked.call;
    if (branch === 'steps-3' && role === 'generator') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { ok: false, error: { kind: 'aborted', message: 'ended', retryable: false }, usage: null };
    }
    return byBranch({
      'steps-1': [solvedBy(mirror, mirrored)],
      'steps-2': [solvedBy(mirror, mirrored)],
      'steps-3': [solvedBy(mirror, same)],
    })(asked);
  };
  const { end, events, view, replay } = await induced(slow, {
    settings: { hypotheses: 3 },
  });
  expect(end.outcome).toBe('solved');
  expect(events.some(({ body }) => 'status' in body && body.status === 'cancelled')).toBe(true);
  expect(view.lines.map(({ status }) => status)).toEqual(['completed', 'completed', 'running']);
  expect(view.vote?.hypotheses).toHaveLength(2);
  expect(replay).toMatchObject({ complete: true, isSame: true });
});

test.each(['symmetries', 'colours', 'both'] as const)(
  'views with other %s come back as the task has them',
  async (augment) => {
    const copy: Examples = {
      pairs: [
        {
          input: [
            [1, 2, 3],
            [4, 5, 6],
          ],
          output: [
            [1, 2, 3],
            [4, 5, 6],
          ],
        },
      ],
      queries: [
        [
          [7, 8],
          [9, 1],
          [2, 3],
        ],
      ],
    };
    // It reads what it is shown, whatever view of the task that is, and sends it back.
    const copying = (asked: Asked): object => {
      if (asked.call.role === 'instruction') return instruct('Copy.');
      const grids = rowsIn(wordsOf(asked).split('---')[1] ?? '');
      return outputs(grids.slice(0, 1), grids.slice(1));
    };
    const { end, view, asked } = await induced(copying, {
      examples: copy,
      settings: { hypotheses: 4, agree: 0, augment, maxSteps: 1 },
    });
    expect(view.lines.every(({ status }) => status === 'completed')).toBe(true);
    expect(end.solution?.answer).toEqual({ type: 'grids', attempts: [[copy.queries[0]]] });
    expect(view.vote?.queries).toMatchObject([[{ passing: 4, votes: 4 }]]);
    const samples = asked
      .filter(({ call }) => call.role === 'generator')
      .map((each) => wordsOf(each).split('---')[1]);
    expect(new Set(samples).size).toBe(4);
    expect(view.lines[3]?.steps[0]?.train).toEqual([copy.pairs[0]?.output]);
  },
);

describe('programs', () => {
  const program = (source: string) => ({ rationale: 'a rule', program: source });
  const fenced = (source: string) => `It is mirrored.\n\`\`\`python\n${source}\n\`\`\``;
  const mirroring = 'def transform(grid):\n    print("aside")\n    return tuple(row[::-1] for row in grid)';

  test('are run on every input, corrected by what differs, and verified', async () => {
    const versions = [
      'def transform(grid):\n    return grid',
      'def transform(grid):\n    if len(grid) > 1: raise ValueError("two rows")\n    return [row[::-1] for row in grid]',
      mirroring,
    ];
    const { end, asked, view, replay } = await induced(({ call }) => program(versions[call.index] ?? ''), {
      settings: { representation: 'programs' },
      ...withSandbox,
    });
    expect(end.outcome).toBe('solved');
    expect(view.lines).toMatchObject([
      { name: 'program-1', form: 'program', status: 'completed', steps: [{}, {}, {}] },
    ]);
    const [, second, third] = asked.map(wordsOf);
    expect(second).toContain('0 of 2 are right');
    expect(second).toContain('cells are wrong');
    expect(third).toContain('Train 1: right.');
    expect(third).toMatch(/Train 2: .*two rows/s);
    expect(third).not.toContain('main.py');
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('that do not end, return no grid or do not even load are told so', async () => {
    const versions = [
      'def transform(grid):\n    while len(grid) > 1: pass\n    return [[11]]',
      'import nothing_there\ndef transform(grid): return grid',
      'import os\ndef transform(grid): os._exit(3)',
    ];
    const { end, asked } = await induced(({ call }) => fenced(versions[call.index] ?? mirroring), {
      settings: { representation: 'programs', replies: 'text', programSeconds: 0.2, revisions: 3 },
      ...withSandbox,
    });
    const [, second, third, fourth] = asked.map(wordsOf);
    expect(second).toMatch(/Train 1: What transform returned is no grid: row 1, cell 1 is 11/);
    expect(second).toMatch(/Train 2: It took more than 0.2 seconds/);
    expect(third).toMatch(/ModuleNotFoundError: No module named 'nothing_there'/);
    expect(fourth).toMatch(/ended with exit status 3/);
    expect(end).toMatchObject({ outcome: 'solved' });
  });

  test('are asked for again where there is none, and their versions are limited', async () => {
    const { end, rolesAsked, view } = await induced(
      ({ call }) => (call.index === 0 ? 'I would mirror it.' : fenced('def transform(grid): return grid')),
      { settings: { representation: 'programs', replies: 'text', revisions: 1 }, ...withSandbox },
    );
    expect(end).toMatchObject({
      outcome: 'gave-up',
      solution: { answer: { attempts: mirror.queries.map((grid) => [grid]) } },
    });
    expect(rolesAsked).toHaveLength(3);
    expect(view.lines[0]).toMatchObject({ status: 'failed_max_steps', unreadable: [{ role: 'programmer' }] });
  });

  test('that passed before are handed in when what follows cannot be read', async () => {
    const { end, asked, view } = await induced(
      ({ call }) => (call.index === 0 ? program(mirroring) : { rationale: 'none', program: 'x = 1' }),
      { settings: { representation: 'programs', afterPass: 'decide', repairs: 0 }, ...withSandbox },
    );
    expect(asked).toHaveLength(2);
    expect(end.outcome).toBe('solved');
    expect(view.lines[0]).toMatchObject({ status: 'completed', detail: expect.stringMatching(/no program/) });
  });

  test('end the run, to be resumed, where there is an outage and not a bad reply', async () => {
    const error = { kind: 'auth', message: 'no such key', retryable: false } as const;
    const { end, view } = await induced(() => ({ ok: false, error, usage: null }), {
      settings: { representation: 'programs', hypotheses: 1 },
      ...withSandbox,
    });
    expect(end.outcome).toBe('error');
    expect(view.lines[0]).toMatchObject({ status: 'running' });
  });
});

describe('what cannot be had is said before anything is paid', () => {
  const prepared = (settings: object, model = {}) => {
    const world = toyWorld({
      folder: temporaryFolder(),
      model: modelOf(() => 'never asked', model),
      agents: [inductionGraph],
      families: [exampleFamily()],
    });
    return prepareRun(world, oddRun({ agent: 'induction-graph', settings: settings as never }));
  };

  test('programs without a sandbox', async () => {
    await expect(prepared({ representation: 'pool' })).rejects.toThrow(coded('no-such-thing-here-was'));
  });

  test('programs where Python is missing', async () => {
    const info = async () => ({ ...(await sandbox.info()), toolchains: [] });
    const world = toyWorld({
      folder: temporaryFolder(),
      agents: [inductionGraph],
      families: [exampleFamily()],
      io: { ...bareIo, sandbox: { ...sandbox, info } },
    });
    const spec = oddRun({ agent: 'induction-graph', settings: { representation: 'programs' } });
    await expect(prepareRun(world, spec)).rejects.toThrow(coded('no-toolchain'));
  });

  test('pictures for a model that cannot see', async () => {
    const blind = { takes: { images: false, tools: true } };
    await expect(prepared({ images: true }, blind)).rejects.toThrow(coded('model-without-images'));
    await expect(prepared({ images: false }, blind)).resolves.toBeDefined();
  });
});

describe('limits and failures', () => {
  test('at a limit it hands in what it has', async () => {
    const { end, view } = await induced(byBranch({ 'steps-1': [solvedBy(mirror, same)] }), {
      limits: { modelCalls: 3 },
    });
    expect(end).toMatchObject({
      outcome: 'gave-up',
      solution: { answer: { attempts: mirror.queries.map((grid) => [grid]) } },
    });
    expect(end.solution?.detail).toMatch(/limit on modelCalls/);
    expect(view.lines[0]?.status).toBe('failed');
  });

  const failing = (kind: string, retryable: boolean): ModelReply =>
    ({ ok: false, error: { kind, message: 'no', retryable }, usage: null }) as ModelReply;

  test('a call that fails for good ends its hypothesis and not the others', async () => {
    const { end, view } = await induced(
      (asked) =>
        asked.call.branch === 'steps-1'
          ? failing('context-overflow', false)
          : byBranch({ 'steps-2': [solvedBy(mirror, mirrored)] })(asked),
      { settings: { hypotheses: 2 } },
    );
    expect(end.outcome).toBe('solved');
    expect(view.lines.map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect(view.lines[0]?.detail).toContain('context-overflow');
  });

  test('an outage ends the run as an error that can be resumed', async () => {
    const { end } = await induced(() => failing('overloaded', true));
    expect(end).toMatchObject({ outcome: 'error', error: { name: 'overloaded', unavailable: true } });
  });

  test('errors keep their class and gain nothing on their way through the engine', async () => {
    const graph = {
      invoke: async () => {
        throw Object.assign(new LimitReached('tokens', 5), { pregelTaskId: 'x' });
      },
    };
    const error = await walk(graph, {}, 3).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LimitReached);
    expect(error).not.toHaveProperty('pregelTaskId');
    // Not everything that is thrown is an error.
    const odd = { invoke: () => Promise.reject('odd') };
    expect(await walk(odd, {}, 3).catch((thrown: unknown) => thrown)).toBe('odd');
  });
});

test('the engine traces nothing to anybody, whatever the environment says', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = {
    LANGSMITH_TRACING: 'true',
    LANGSMITH_API_KEY: 'key',
    LANGSMITH_ENDPOINT: `http://127.0.0.1:${port}`,
  };
  Object.assign(process.env, env);
  try {
    const { end } = await induced(byBranch({ 'steps-1': [solvedBy(mirror, mirrored)] }));
    expect(end.outcome).toBe('solved');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(requests).toEqual([]);
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    await new Promise((resolve) => server.close(resolve));
  }
});

test('the engine prints nothing, whatever the environment says', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  process.env.LANGCHAIN_VERBOSE = 'true';
  try {
    const { end } = await induced(byBranch({ 'steps-1': [solvedBy(mirror, mirrored)] }));
    expect(end.outcome).toBe('solved');
    expect(printed).not.toHaveBeenCalled();
  } finally {
    delete process.env.LANGCHAIN_VERBOSE;
    printed.mockRestore();
  }
});

test('a hint reaches every hypothesis from its next instruction on', async () => {
  const slowly = async (asked: Asked): Promise<object> => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return byBranch({ 'steps-1': [solvedBy(mirror, same)], 'steps-2': [solvedBy(mirror, same)] })(asked);
  };
  const { asked, replay } = await induced(slowly, {
    settings: { hypotheses: 2, maxSteps: 3 },
    told: ['Look into a mirror.'],
  });
  for (const branch of ['steps-1', 'steps-2']) {
    const last = asked.findLast(({ call }) => call.role === 'instruction' && call.branch === branch);
    expect(last && wordsOf(last)).toContain('A hint from the person who watches this: Look into a mirror.');
  }
  expect(replay).toMatchObject({ complete: true, isSame: true });
});

/** The grids of a prompt: digits in rows, one below the other. */
function rowsIn(text: string): number[][][] {
  const blocks = text.match(/(?:^[ \t]*\d(?:[ ,]*\d)*[ \t]*\n?)+/gm) ?? [];
  return blocks.map((block) =>
    block
      .trim()
      .split('\n')
      .map((line) => (line.match(/\d/g) ?? []).map(Number)),
  );
}
