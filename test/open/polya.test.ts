/** The library as an author uses it: agents and families of one's own, run, stopped, resumed, replayed and forked. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  Budget,
  DivergenceError,
  defineAgent,
  defineFamily,
  type Event,
  openPolya,
  requireReply,
  scriptedModel,
  textOf,
  UserError,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const words = defineFamily({
  name: 'words',
  reference: z.object({ word: z.string() }),
  detail: z.object({ secret: z.string() }),
  offers: ['parse'],
  load: async ({ word }) => ({
    ...{
      id: `words/${word}`,
      title: `The word ${word}`,
      statement: `Say ${word}.`,
      detail: { secret: word },
    },
    brief: { task: 'Say the word.' },
  }),
  open: ({ reference, detail: { secret } }) => ({
    parse: (text) => (text === '' ? { type: 'misfit', feedback: 'Nothing.' } : { type: 'text', text }),
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && answer.text === secret && secret === reference.word,
      explanation: secret,
    }),
  }),
});

/** Asks so often, with what it was told in between. */
const asking = defineAgent({
  name: 'asking',
  settings: z.object({ times: z.int().default(2) }),
  needs: ['parse'],
  async solve(problem, run, { times }) {
    let said = '';
    for (let time = 0; time < times; time += 1) {
      const content = ['Say it.', ...(await run.inbox())].join(' ');
      said = textOf(
        requireReply(await run.generate('solver', { messages: [{ role: 'user', content }] })).message,
      );
    }
    const answer = problem.parse(said);
    return answer.type === 'misfit' ? { end: 'malformed' } : { end: 'answered', answer };
  },
});

const echo = scriptedModel({ id: 'echo', script: ({ index }) => ['no', 'yes', 'yes'][index] });
const shout = scriptedModel({ id: 'shout', script: () => 'YES' });
/** Each reply has some hundred tokens. */
const long = scriptedModel({ id: 'long', script: () => 'word '.repeat(80) });
const models = { echo, shout, long };
const spec = { family: 'words', problem: { word: 'yes' }, agent: 'asking', model: 'echo' };

const open = (folder = temporaryFolder('library'), agents = [asking]) =>
  openPolya({ folder, agents, families: [words], models });

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof UserError ? error.code : `${error}`;
};

describe('a run', () => {
  test('tells what became of it, and how it went', async () => {
    await using polya = await open();
    const events: Event[] = [];
    const heard: string[] = [];
    const run = await polya.run({
      ...spec,
      onEvent: (event) => events.push(event),
      onText: ({ text }) => heard.push(text),
    });
    expect(run).toMatchObject({
      outcome: 'solved',
      answer: { type: 'text', text: 'yes' },
      grade: { correct: true },
      detail: null,
      limit: null,
      error: null,
      usage: { modelCalls: 2, costUsd: 0 },
      inheritedUsage: { modelCalls: 0 },
    });
    expect(heard).toEqual(['no', 'yes']);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await polya.events(run.id)).toHaveLength(events.length);
    expect(await polya.replay(run.id)).toEqual({
      complete: true,
      isSame: true,
      outcome: 'solved',
      answer: { type: 'text', text: 'yes' },
    });
  });

  test('is listed with what it was', async () => {
    await using polya = await open();
    const { id } = await polya.run(spec);
    await polya.run({ ...spec, problem: { word: 'no' } });
    expect(await polya.runs({ outcome: 'solved' })).toMatchObject([
      { id, state: 'ended', family: 'words', problem: 'words/yes', agent: 'asking', models: ['echo'] },
    ]);
    expect((await polya.runs()).map(({ outcome }) => outcome)).toEqual(['wrong', 'solved']);
    expect(await polya.runs({ limit: 1, agent: 'asking' })).toHaveLength(1);
    expect(await polya.runs({ agent: 'other' })).toEqual([]);
  });

  test('can be stopped, and goes on without asking again', async () => {
    await using polya = await open();
    const abort = new AbortController();
    const stopped = await polya.run({
      ...spec,
      signal: abort.signal,
      onEvent: ({ kind }) => kind === 'model-response' && abort.abort(),
    });
    expect(stopped).toMatchObject({ outcome: 'cancelled', usage: { modelCalls: 1 } });
    const resumed = await polya.resume(stopped.id);
    expect(resumed).toMatchObject({ id: stopped.id, outcome: 'solved', usage: { modelCalls: 2 } });
    expect(await codeOf(polya.resume(stopped.id))).toBe('run-ended');
  });

  test('that is stopped before it begins leaves nothing', async () => {
    const folder = temporaryFolder('library');
    await using polya = await open(folder);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(polya.run({ ...spec, signal })).rejects.toThrow('enough');
    expect(existsSync(join(folder, '.polya'))).toBe(false);
  });

  test('is forked with another model, a setting and a hint', async () => {
    await using polya = await open();
    const { id } = await polya.run(spec);
    const reply = (await polya.events(id)).find(({ kind }) => kind === 'model-response');
    const fork = await polya.fork(id, {
      at: reply?.seq,
      model: 'shout',
      settings: { times: 3 },
      hint: 'Louder.',
    });
    expect(fork).toMatchObject({ outcome: 'wrong', answer: { text: 'YES' } });
    expect(fork).toMatchObject({ usage: { modelCalls: 3 }, inheritedUsage: { modelCalls: 1 } });
    const told = (await polya.events(fork.id)).filter(({ kind }) => kind === 'inbox');
    expect(JSON.stringify(told.at(-2)?.body)).toContain('Louder.');
    expect(await polya.runs({ outcome: 'wrong' })).toMatchObject([
      { id: fork.id, forkOf: { run: id, seq: reply?.seq } },
    ]);
    expect(await polya.replay(fork.id)).toMatchObject({ isSame: true });
  });

  test('is found, resumed and forked by a library that is opened later', async () => {
    const folder = temporaryFolder('library');
    const first = await open(folder);
    const { id } = await first.run(spec);
    await first.close();
    await using later = await open(folder);
    expect(await later.replay(id)).toMatchObject({ isSame: true });
    expect(await later.fork(id)).toMatchObject({ outcome: 'solved' });
  });

  test('is refused where a name is not known, and leaves nothing', async () => {
    const folder = temporaryFolder('library');
    await using polya = await open(folder);
    expect(await codeOf(polya.run({ ...spec, settings: { tmes: 1 } }))).toBe('no-such-setting');
    expect(await codeOf(polya.resume('nobody'))).toBe('no-such-run');
    expect(await codeOf(polya.replay('nobody'))).toBe('no-such-run');
    expect(await codeOf(polya.fork('nobody'))).toBe('no-such-run');
    expect(await codeOf(polya.tell('nobody', 'hello'))).toBe('no-such-run');
    expect(await polya.runs()).toEqual([]);
    expect(existsSync(join(folder, '.polya'))).toBe(false);
  });

  test('is told things and answered while it works', async () => {
    const curious = defineAgent({
      name: 'curious',
      settings: z.object({}),
      async solve(_, run) {
        return { end: 'answered', answer: { type: 'text', text: await run.ask('Which word?') } };
      },
    });
    await using polya = await open(undefined, [curious]);
    let id = '';
    const run = await polya.run({
      ...spec,
      agent: 'curious',
      onEvent: (event) => {
        if (event.kind === 'run-start') id = event.body.runId;
        if (event.kind === 'ask') void polya.answer(id, 'yes');
      },
    });
    expect(run.outcome).toBe('solved');
  });

  test('shares a budget with others', async () => {
    await using polya = await open();
    const most = 1_500;
    const budget = new Budget({ tokens: most });
    const runs = [];
    do runs.push(await polya.run({ ...spec, model: 'long', budget }));
    while (runs.at(-1)?.outcome === 'wrong' && runs.length < 20);
    const tokens = runs.reduce((sum, { usage }) => sum + usage.tokens.input + usage.tokens.output, 0);
    expect(tokens).toBeLessThanOrEqual(most);
    expect(runs[0]?.outcome).toBe('wrong');
    expect(runs.length).toBeGreaterThan(1);
    expect(['limit', 'cancelled']).toContain(runs.at(-1)?.outcome);
  });
});

describe('a family of one’s own', () => {
  test('hides from agents what it knows', async () => {
    const seen: unknown[] = [];
    const nosy = defineAgent({
      name: 'nosy',
      settings: z.object({}),
      async solve({ spec: { reference, detail, statement } }) {
        seen.push(reference, detail, statement);
        return { end: 'gave-up' };
      },
    });
    await using polya = await open(undefined, [nosy]);
    const { id } = await polya.run({ ...spec, agent: 'nosy' });
    expect(seen).toEqual([{}, {}, [{ type: 'text', text: 'Say yes.' }]]);
    const [begun] = await polya.events(id);
    expect(begun).toMatchObject({
      body: { problem: { reference: { word: 'yes' }, detail: { secret: 'yes' } } },
    });
  });

  test('may find its problem again by another reference than the given one', async () => {
    const upper = defineFamily({
      name: 'words',
      reference: z.object({ word: z.string() }),
      detail: z.object({}),
      load: async ({ word }) => ({
        id: `words/${word}`,
        title: word,
        statement: word,
        detail: {},
        reference: { word: word.toUpperCase() },
      }),
      open: ({ reference: { word } }) => ({ parse: () => ({ type: 'text', text: word }) }),
    });
    const folder = temporaryFolder('library');
    await using polya = await openPolya({ folder, agents: [asking], families: [upper], models });
    const run = await polya.run(spec);
    expect(run.answer).toEqual({ type: 'text', text: 'YES' });
    expect(await polya.replay(run.id)).toMatchObject({ isSame: true });
  });

  test('refuses a reference that does not fit', async () => {
    await using polya = await open();
    expect(await codeOf(polya.run({ ...spec, problem: { wrod: 'yes' } }))).toBe('schema-does-not-fit');
  });

  test('refuses a field that it does not know: what was misspelled named another problem', async () => {
    await using polya = await open();
    const misspelled = polya.run({ ...spec, problem: { word: 'yes', revresed: true } });
    expect(await codeOf(misspelled)).toBe('schema-does-not-fit');
  });

  test('notices a change without a hash of its own', async () => {
    let statement = 'Say yes.';
    const fickle = defineFamily({
      name: 'fickle',
      reference: z.object({}),
      detail: z.object({}),
      load: async () => ({ id: 'fickle/1', title: 'It changes', statement, detail: {} }),
      open: () => ({ parse: (text) => ({ type: 'text', text }) }),
    });
    const folder = temporaryFolder('library');
    await using polya = await openPolya({ folder, agents: [asking], families: [fickle], models });
    const run = { ...spec, family: 'fickle', problem: {} };
    const stop = async () => {
      const abort = new AbortController();
      const onEvent = ({ kind }: Event) => kind === 'model-response' && abort.abort();
      return (await polya.run({ ...run, signal: abort.signal, onEvent })).id;
    };
    const same = await stop();
    expect(await polya.resume(same)).toMatchObject({ outcome: 'answered' });
    const other = await stop();
    statement = 'Say no.';
    await expect(polya.resume(other)).rejects.toMatchObject({ code: 'problem-changed' });
    expect(await polya.replay(other)).toMatchObject({ outcome: 'cancelled', isSame: true });
  });
});

describe('an agent that learned a setting', () => {
  const politely = () =>
    defineAgent({
      name: 'asking',
      settings: z.object({ times: z.int().default(2), tone: z.string().default('Please.') }),
      async solve(_, run, { times, tone }) {
        let text = '';
        for (let time = 0; time < times; time += 1) {
          const content = ['Say it.', ...(tone === '' ? [] : [tone]), ...(await run.inbox())].join(' ');
          text = textOf(
            requireReply(await run.generate('solver', { messages: [{ role: 'user', content }] })).message,
          );
        }
        return { end: 'answered', answer: { type: 'text', text } };
      },
    });

  /** A run of before there was such a setting, stopped in its middle. */
  async function olderRun(): Promise<{ folder: string; id: string }> {
    const folder = temporaryFolder('library');
    await using polya = await open(folder);
    const abort = new AbortController();
    const onEvent = ({ kind }: Event) => kind === 'model-response' && abort.abort();
    return { folder, id: (await polya.run({ ...spec, signal: abort.signal, onEvent })).id };
  }

  test('diverges on a journal that lacks it, where its default does something else', async () => {
    const { folder, id } = await olderRun();
    await using polya = await open(folder, [politely()]);
    await expect(polya.replay(id)).rejects.toBeInstanceOf(DivergenceError);
    await expect(polya.resume(id)).rejects.toBeInstanceOf(DivergenceError);
  });

  test('refuses a journal whose settings it does not take any more, and writes nothing', async () => {
    const { folder, id } = await olderRun();
    const strict = defineAgent({
      name: 'asking',
      settings: z.object({ times: z.int().max(1) }),
      solve: async () => ({ end: 'gave-up' }),
    });
    await using polya = await open(folder, [strict]);
    const events = await polya.events(id);
    expect(await codeOf(polya.resume(id))).toBe('settings-invalid');
    expect(await codeOf(polya.replay(id))).toBe('settings-invalid');
    expect(await polya.events(id)).toEqual(events);
  });
});

describe('the types of an agent', () => {
  test('a schema that does not read back what it gives is refused', async () => {
    const growing = defineAgent({
      name: 'growing',
      settings: z.object({
        times: z
          .number()
          .default(1)
          .transform((times) => times + 1),
      }),
      solve: async () => ({ end: 'gave-up' }),
    });
    await using polya = await open(undefined, [growing]);
    expect(await codeOf(polya.run({ ...spec, agent: 'growing' }))).toBe('settings-not-stable');
  });

  test('what an agent needs is there, and what it does not need may be missing', () => {
    defineAgent({
      name: 'typed',
      settings: z.object({ count: z.int().default(1) }),
      needs: ['parse', 'examples'],
      async solve(problem, _run, { count }) {
        const pairs: number = problem.examples.pairs.length + count;
        problem.parse(`${pairs}`);
        // @ts-expect-error It does not need `equal`.
        const unneeded = () => problem.equal({ type: 'text', text: '' }, { type: 'text', text: '' });
        return { end: 'gave-up', detail: typeof unneeded };
      },
    });
  });

  test('a family that offers something must have it', () => {
    defineFamily({
      name: 'lacking',
      reference: z.object({}),
      detail: z.object({}),
      offers: ['check'],
      load: async () => ({ id: 'x', title: 'x', statement: 'x', detail: {} }),
      // @ts-expect-error There is no `check`.
      open: () => ({ parse: (text) => ({ type: 'text', text }) }),
    });
  });
});

test('a workspace that its user has not trusted is refused before a run exists', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'contest', 'problem'), { recursive: true });
  writeFileSync(join(folder, 'contest', 'ahc_config.yaml'), 'docker:\n  image: somebody/else\n');
  const polya = await openPolya({ folder, models });
  const problem = { workspace: 'contest' };
  const run = polya.run({ family: 'ahc', agent: 'best-of-n', problem, model: 'echo' });
  expect(await codeOf(run)).toBe('folder-untrusted');
  expect(await polya.runs()).toEqual([]);
  await polya.close();
});
