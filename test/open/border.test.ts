/** What users' agents and families give, throw, wait for and ask: each mistake is told as theirs, and ends as a run ends. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  defineFamily,
  type Event,
  openPolya,
  scriptedModel,
  UserError,
} from '../../src/index.ts';
import { exitCodeOf } from '../../src/text/labels.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const canned = scriptedModel({ id: 'canned', script: () => '42' });

/** What no compiler of the user's looked at. */
type Unlooked = (...given: readonly never[]) => unknown;

const agentThat = (solve: unknown, more: object = {}) =>
  Reflect.apply(defineAgent as Unlooked, null, [
    { name: 'mine', settings: z.object({}), needs: ['parse'], solve, ...more },
  ]) as ReturnType<typeof defineAgent>;

const parts = {
  name: 'sums',
  reference: z.object({}),
  detail: z.object({}),
  offers: ['parse'],
  load: async () => ({ id: 'sums/1', title: 'A sum', statement: '6 x 7', detail: {} }),
  open: () => ({
    parse: (text: string) => ({ type: 'text', text }),
    grade: async () => ({ correct: true, explanation: 'It is 42.' }),
  }),
};
const familyThat = (more: object = {}) =>
  Reflect.apply(defineFamily as Unlooked, null, [{ ...parts, ...more }]) as ReturnType<typeof defineFamily>;

type Asks = { generate(role: string, request: unknown): Promise<unknown> };
const ask = (run: Asks) => run.generate('solver', { messages: [{ role: 'user', content: '?' }] });
const answers = async (problem: { parse(text: string): unknown }, run: Asks) => {
  await ask(run);
  return { end: 'answered', answer: problem.parse('42') };
};

async function opened(solve: unknown = answers, { agent = {}, family = {} } = {}) {
  const polya = await openPolya({
    folder: temporaryFolder('border'),
    agents: [agentThat(solve, agent)],
    families: [familyThat(family)],
    models: { canned },
  });
  const run = (more: object = {}) =>
    polya.run({ family: 'sums', problem: {}, agent: 'mine', model: 'canned', ...more });
  return { polya, run };
}

async function refusalOf(work: Promise<unknown>): Promise<UserError> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof UserError) return thrown;
  throw new Error(`No UserError: ${thrown}`);
}

const hostile: readonly (readonly [string, () => unknown])[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a text', () => 'words'],
  ['a number', () => 5n],
  ['a symbol', () => Symbol('s')],
  ['an object without words', () => Object.create(null)],
  [
    'an object that throws when it is read',
    () => ({
      toString() {
        throw new Error('x');
      },
    }),
  ],
  [
    'an object that tells nothing of itself',
    () =>
      new Proxy(
        {},
        {
          getPrototypeOf() {
            throw new Error('x');
          },
        },
      ),
  ],
  ['an error whose message is none', () => Object.assign(new Error('x'), { message: { toString: null } })],
  ['an error', () => new Error('x')],
];

describe('whatever an agent throws', () => {
  test.each(hostile)('ends the run as an error that is replayed: %s', async (_what, thrown) => {
    const { polya, run } = await opened(async (_problem: unknown, run: Asks) => {
      await ask(run);
      throw thrown();
    });
    await using _polya = polya;
    const end = await run();
    expect(end.outcome).toBe('error');
    expect(exitCodeOf({ ...end, error: end.error ?? undefined })).toBe(70);
    expect(await polya.runs()).toMatchObject([{ state: 'ended', outcome: 'error' }]);
    expect(await polya.replay(end.id)).toMatchObject({ complete: true, isSame: true });
  });
});

describe('what an agent gives that is no solution', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['an empty object', {}],
    ['an end that there is not', { end: 'bogus' }],
    ['an answered end without an answer', { end: 'answered' }],
    ['an answer that is none', { end: 'answered', answer: 42 }],
    [
      'an answer of a type that there is not',
      { end: 'answered', answer: { type: 'number', value: Number.NaN } },
    ],
    ['a text that is none', { end: 'answered', answer: { type: 'text', text: 5 } }],
    ['grids that are none', { end: 'answered', answer: { type: 'grids', attempts: [[['x']]] } }],
    ['a detail that is no text', { end: 'gave-up', detail: 5n }],
  ])('ends the run as an error that names agent and function: %s', async (_what, solution) => {
    const { polya, run } = await opened(async () => solution);
    await using _polya = polya;
    const end = await run();
    expect(end).toMatchObject({ outcome: 'error', answer: null });
    expect(end.error?.message).toMatch(
      /^The agent mine (?:gives|answers with) .+?(?: from `solve`)?, where it must be/,
    );
    expect(exitCodeOf({ ...end, error: end.error ?? undefined })).toBe(70);
  });
});

describe('what a family gives that does not fit', () => {
  const functions = parts.open();
  test.each([
    ['load: nothing', { load: async () => undefined }],
    ['load: an empty object', { load: async () => ({}) }],
    ['load: a statement that is no text', { load: async () => ({ ...(await parts.load()), statement: 5n }) }],
    ['load: an id that is no text', { load: async () => ({ ...(await parts.load()), id: 5 }) }],
    ['load: a brief of nothing', { load: async () => ({ ...(await parts.load()), brief: null }) }],
    ['open: nothing', { open: () => undefined }],
    ['open: a Promise', { open: async () => functions }],
    ['open: tools that are none', { open: () => ({ ...functions, tools: 5 }) }],
    ['open: a grade that is no function', { open: () => ({ ...functions, grade: 5 }) }],
  ])('is refused before anything is begun: %s', async (what, family) => {
    const { polya, run } = await opened(answers, { family });
    await using _polya = polya;
    const refusal = await refusalOf(run());
    expect(refusal.message).toContain(`The family sums gives`);
    expect(refusal.message).toContain(`\`${what.split(':')[0]}\``);
    expect(await polya.runs()).toEqual([]);
  });

  test.each([
    ['grade: nothing', { grade: async () => undefined }],
    ['grade: a word for true', { grade: async () => ({ correct: 'yes', explanation: '' }) }],
    ['grade: no number', { grade: () => ({ score: Number.NaN, explanation: '' }) }],
    ['parse: nothing', { parse: () => undefined }],
    ['parse: a Promise', { parse: async (text: string) => ({ type: 'text', text }) }],
  ])('ends the run as an error: %s', async (what, changed) => {
    const { polya, run } = await opened(answers, { family: { open: () => ({ ...functions, ...changed }) } });
    await using _polya = polya;
    const end = await run();
    expect(end.outcome).toBe('error');
    expect(end.error?.message).toContain(`The family sums gives`);
    expect(end.error?.message).toContain(`\`${what.split(':')[0]}\``);
  });
});

const failing = () => {
  throw new Error('broken inside');
};

test.each([
  ['load', { family: { load: async () => failing() } }],
  ['open', { family: { open: failing } }],
  ['decide', { agent: { decide: failing } }],
  ['demands', { agent: { demands: failing } }],
])('what %s throws is told as its author’s, before anything is begun', async (name, given) => {
  const { polya, run } = await opened(answers, given);
  await using _polya = polya;
  const refusal = await refusalOf(run());
  expect(refusal.code).toBe('user-code-throws');
  expect(refusal.message).toMatch(
    new RegExp(`^The (?:agent mine|family sums) throws in \`${name}\`.*broken inside`),
  );
  expect(await polya.runs()).toEqual([]);
});

test.each([
  ['nothing', () => undefined],
  ['a Promise', async () => ({ settings: {}, told: '' })],
  ['settings that are none', () => ({ settings: { tries: 'many' }, told: 'x' })],
  ['no words', () => ({ settings: { tries: 1 }, told: 5 })],
])('what an agent decides is looked at before the run: %s', async (_what, decide) => {
  const settings = z.object({ tries: z.number().default(1) });
  const { polya, run } = await opened(answers, { agent: { settings, decide } });
  await using _polya = polya;
  await refusalOf(run());
  expect(await polya.runs()).toEqual([]);
});

const throwing = () => {
  throw new Error('dflt');
};
test.each([
  ['a default that throws', z.object({ n: z.any().default(throwing) })],
  ['a default that is no JSON', z.object({ n: z.bigint().default(5n) })],
  ['a default that is a function', z.object({ n: z.any().default(() => () => 1) })],
  [
    'a default that is another one each time',
    z.object({
      n: z
        .any()
        .default(() => ({ at: {} }))
        .transform(() => performance.now()),
    }),
  ],
  [
    'a check that is asynchronous',
    z.object({
      n: z
        .string()
        .refine(async () => true)
        .default('x'),
    }),
  ],
  ['a check that throws', z.object({ n: z.custom(throwing).default(3) })],
])('settings that no journal could keep are refused: %s', async (_what, settings) => {
  const { polya, run } = await opened(answers, { agent: { settings } });
  await using _polya = polya;
  const refusal = await refusalOf(run());
  expect(refusal.code).toBe('settings-not-stable');
  expect(refusal.message).toContain('mine');
  expect(await polya.runs()).toEqual([]);
});

test.each([
  ['no list', 'words'],
  ['none', []],
  ['nobody’s', [{ role: 'king', content: 'x' }]],
  ['without content', [{ role: 'user' }]],
  ['with null', [{ role: 'user', content: null }]],
  ['of nothing', [undefined]],
])('messages that are none end the run as an error: %s', async (_what, messages) => {
  const { polya, run } = await opened((_problem: unknown, run: Asks) => run.generate('solver', { messages }));
  await using _polya = polya;
  const end = await run();
  expect(end).toMatchObject({ outcome: 'error', usage: { modelCalls: 0 } });
  expect(end.error?.message).toMatch(/^The agent asks a model with .+, where it must be messages/);
});

test('a program that is none is no missing toolchain', async () => {
  const { polya, run } = await opened((_problem: unknown, here: { exec(program: object): unknown }) =>
    here.exec({}),
  );
  await using _polya = polya;
  const end = await run();
  expect(end.error?.message).toMatch(/^The agent runs .+, where it must be a program/);
});

describe('the library refuses', () => {
  test.each([
    ['a limit that there is not', { limits: { usd: 0 } }, 'usd'],
    ['a limit in other letters', { limits: { modelcalls: 2 } }, 'modelcalls'],
    ['a limit that is no number', { limits: { tokens: '2' } }, 'limits.tokens'],
    ['a limit of NaN', { limits: { tokens: Number.NaN } }, 'limits.tokens'],
    ['a limit below nothing', { limits: { wallMs: -5 } }, 'limits.wallMs'],
    ['half a call', { limits: { modelCalls: 2.5 } }, 'limits.modelCalls'],
    ['a misspelled option', { modle: 'canned' }, 'modle'],
    ['a model that is no name', { model: 5 }, 'model'],
    ['a signal that is none', { signal: 5 }, 'signal'],
    ['no problem', { problem: null }, 'problem'],
  ])('to run with %s', async (_what, option, named) => {
    const { polya, run } = await opened();
    await using _polya = polya;
    const refusal = await refusalOf(run(option));
    expect(refusal.code).toBe('arguments-invalid');
    expect(refusal.message).toContain(named);
    expect(await polya.runs()).toEqual([]);
  });

  test.each([
    ['a misspelled option', { agnets: [] }],
    ['agents that are no list', { agents: 5 }],
    ['an agent that is none', { agents: [null] }],
    ['two of one name', { agents: [agentThat(answers), agentThat(answers)] }],
    ['a name that is none', { agents: [agentThat(answers, { name: 'Bad Name!' })] }],
    ['a role that is none', { agents: [agentThat(answers, { roles: ['bad role=x'] })] }],
    ['a prompt in another folder', { agents: [agentThat(answers, { prompts: { '../x': 'y' } })] }],
    ['a prompt with an absolute path', { agents: [agentThat(answers, { prompts: { '/tmp/x': 'y' } })] }],
    ['models that are none', { models: { x: 5 } }],
  ])('to open with %s', async (_what, options) => {
    await refusalOf(
      Reflect.apply(openPolya as Unlooked, null, [
        { folder: temporaryFolder('border'), ...options },
      ]) as Promise<unknown>,
    );
  });

  test('what a fork cannot be, and everything after it was closed', async () => {
    const { polya, run } = await opened();
    const { id } = await run();
    const fork = (options: object) => refusalOf(polya.fork(id, options));
    expect((await fork({ at: '2' })).message).toContain('at');
    expect((await fork({ hint: 5 })).message).toContain('hint');
    await polya.close();
    await polya.close();
    for (const late of [run(), polya.runs(), polya.replay(id), polya.fork(id)])
      expect((await refusalOf(late)).code).toBe('polya-closed');
  });
});

test('a stop ends an agent that does not listen, and its journal is replayed', async () => {
  const hanging = async (_problem: unknown, run: Asks) => {
    await ask(run);
    await new Promise(() => {});
  };
  const { polya, run } = await opened(hanging);
  await using _polya = polya;
  const abort = new AbortController();
  const onEvent = ({ kind }: Event) => void (kind === 'model-response' && abort.abort());
  const end = await run({ signal: abort.signal, onEvent });
  expect(end.outcome).toBe('cancelled');
  expect(await polya.replay(end.id)).toMatchObject({ complete: true, outcome: 'cancelled', isSame: true });
}, 60_000);

test('an agent that catches the stop and asks again is ended', async () => {
  const deaf = async (_problem: unknown, run: Asks) => {
    for (;;) await ask(run).catch(() => undefined);
  };
  const { polya, run } = await opened(deaf);
  await using _polya = polya;
  const abort = new AbortController();
  const onEvent = ({ kind }: Event) => void (kind === 'model-response' && abort.abort());
  expect(await run({ signal: abort.signal, onEvent })).toMatchObject({ outcome: 'cancelled' });
}, 60_000);

test('no value of a secret variable gets into a journal, and replays fit all the same', async () => {
  const secret = 'sk-proj-0123456789abcdef';
  const heard: string[] = [];
  const leaking = async (
    problem: { parse(text: string): unknown },
    run: Asks & { note(kind: string, data: object): void },
  ) => {
    await run.generate('solver', { messages: [{ role: 'user', content: `env ${secret}` }] });
    run.note('leak', { value: secret, [secret]: 1 });
    return { end: 'answered', answer: problem.parse(`key ${secret}`), detail: secret };
  };
  const settings = z.object({ key: z.string().default('none') });
  const polya = await openPolya({
    folder: temporaryFolder('border'),
    env: { OPENAI_API_KEY: secret, HOME: temporaryFolder('home') },
    agents: [
      agentThat(leaking, { settings }),
      agentThat(async () => Promise.reject(new Error(`no ${secret}`)), { name: 'throws' }),
    ],
    families: [familyThat()],
    models: {
      canned: scriptedModel({
        id: 'canned',
        script: ({ request }) => {
          heard.push(JSON.stringify(request));
          return '42';
        },
      }),
    },
  });
  await using _polya = polya;
  const spec = { family: 'sums', problem: {}, model: 'canned' };
  const end = await polya.run({ ...spec, agent: 'mine', settings: { key: secret } });
  const broken = await polya.run({ ...spec, agent: 'throws' });
  const kept = JSON.stringify([end, broken, await polya.events(end.id), await polya.events(broken.id)]);
  expect(kept).toContain('key [redacted]');
  expect(kept).toContain('no [redacted]');
  expect(kept).not.toContain(secret);
  // What a model is asked is not changed.
  expect(heard.join()).toContain(secret);
  expect(await polya.replay(end.id)).toMatchObject({ complete: true, isSame: true });
  expect(await polya.replay(broken.id)).toMatchObject({ complete: true, isSame: true });
});
