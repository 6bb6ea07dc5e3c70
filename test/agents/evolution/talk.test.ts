/** Talking to an evolution in words: what they are taken for, what is done with them, and what they leave alone. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { totalWaitMs } from '../../../src/agents/search/search.ts';
import type { Event } from '../../../src/core/event.ts';
import type { ModelRequest } from '../../../src/core/model.ts';
import type { Family, Tool } from '../../../src/core/problem.ts';
import { fakeClock } from '../../../src/io/clock.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { startRun } from '../../../src/run/start.ts';
import type { Runtime } from '../../../src/run/world.ts';
import {
  evolved,
  evolvingAnalysis,
  evolvingFamily,
  evolvingRun,
  notesOf,
  sceneWorld,
} from '../../support/evolving.ts';
import { eventsOf } from '../../support/world.ts';

const textsOf = ({ messages }: ModelRequest): string =>
  messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n');

const tool = (name: string, key: string, call: Tool['call']): Tool => ({
  name,
  description: name,
  parameters: z.object({ [key]: z.string() }),
  repeat: 'safe',
  call,
});

/** A library of one algorithm, and one past contest. */
function learnedFamily(): Family {
  const family = evolvingFamily();
  const known = (value: unknown, wanted: string, text: string) =>
    value === wanted ? { text } : { text: 'There is none.', isError: true };
  const tools: readonly Tool[] = [
    tool('library_search', 'keywords', async (args) => ({
      text: 'listed',
      data: { entries: /beam/.test(JSON.stringify(args)) ? ['beam_search'] : [] },
    })),
    tool('library_show', 'name', async (args) =>
      known((args as { name: string }).name, 'beam_search', 'BEAM ENTRY OF THE LIBRARY'),
    ),
    tool('contests_show', 'contest_id', async (args) =>
      known((args as { contest_id: string }).contest_id, 'ahc015', 'HALLOWEEN CANDY, A BEAM DID WELL'),
    ),
  ];
  return { ...family, open: (spec) => ({ ...family.open(spec), tools }) };
}

/** `listener`: its reply, or one for each message. */
type Talk = { readonly said: readonly string[]; readonly listener?: string | readonly string[] };

/** One island and one line, told all of it once its first program is asked for. */
async function talked({ said, listener = 'Well.' }: Talk) {
  const [asked, heard]: [string[], string[]] = [[], []];
  const scene = {
    settings: {
      islands: 1,
      linesPerIsland: 1,
      maxGenerations: 3,
      operators: { change: 1, rewrite: 0, tune: 0 },
    },
    world: { families: [learnedFamily()] },
    reply: (request: ModelRequest, { role }: { role: string }, world: Runtime) => {
      if (role === 'listener') heard.push(textsOf(request));
      if (role === 'listener')
        return typeof listener === 'string'
          ? listener
          : (listener[said.findIndex((text) => textsOf(request).includes(text))] ?? '');
      if (role !== 'solver') return null;
      if (asked.length === 0)
        said.forEach((text, at) => void tell(world, { type: 'said', text, key: `k${at}` }));
      asked.push(textsOf(request));
      return null;
    },
  };
  const told = await evolved(scene);
  expect(told.end.outcome).toBe('scored');
  expect(told.replay).toMatchObject({ isSame: true });
  return { ...told, asked, listened: heard, heard: notesOf(told.events, 'heard') };
}

const tell = (world: Runtime, mail: object) =>
  world.store.post('run', { kind: 'tell', text: JSON.stringify(mail), atMs: 1 });

test('a question is answered, and the same candidates are proposed with it and without', async () => {
  const silent = await talked({ said: [] });
  const spoken = await talked({
    said: ['現在のベスト解の弱点はどこだと思う？', 'what is the weakness of the best solution?'],
    listener: '{"kind": "question"}',
  });
  expect(spoken.heard).toEqual([
    expect.objectContaining({ key: 'k0', became: 'question', by: 'model', hint: null }),
    expect.objectContaining({
      key: 'k1',
      became: 'question',
      reply: 'Its constant A is far from where it should be.',
    }),
  ]);
  expect(notesOf(spoken.events, 'hint')).toEqual([]);
  expect(notesOf(spoken.events, 'candidate')).toEqual(notesOf(silent.events, 'candidate'));
  expect(spoken.asked).toEqual(silent.asked);
});

test('a hint is directed: the next candidate is made for it, all later prompts hold it', async () => {
  const { asked, heard, events, listened } = await talked({
    said: ['焼きなまし法の冷却スケジュールを指数関数的に変更して'],
    listener: '{"kind": "hint"}',
  });
  expect(listened[0]).toContain('冷却スケジュール');
  expect(heard).toMatchObject([
    { became: 'hint', by: 'model', hint: 1, reply: expect.stringContaining('hint 1') as string },
  ]);
  const directed = notesOf(events, 'candidate').filter(({ parameters }) => parameters.hint === 1);
  expect(directed).toHaveLength(1);
  expect(directed[0]).toMatchObject({ operator: 'change', hints: [1] });
  const at = asked.findIndex((text) => text.includes('asks for this:'));
  expect(asked.filter((text) => text.includes('asks for this:'))).toHaveLength(1);
  expect(asked.slice(at).every((text) => text.includes('指数関数的に変更して'))).toBe(true);
  expect(asked.slice(0, at).some((text) => text.includes('指数関数的に変更して'))).toBe(false);
});

test('a range goes to the tuning of the constant that it names, or asks for one', async () => {
  const known = await talked({
    said: ['パラメータAを20から60の範囲で試して'],
    listener: '{"kind": "range", "parameter": "A", "low": 60, "high": 20}',
  });
  expect(known.heard).toMatchObject([
    {
      became: 'range',
      by: 'model',
      reply: expect.stringContaining('A of the best program is searched from 20 to 60') as string,
    },
  ]);
  const [tuned] = notesOf(known.events, 'candidate').filter(({ operator }) => operator === 'tune');
  expect(tuned).toMatchObject({ status: 'evaluated', hints: [1], parameters: { hint: 1 } });
  expect(Number(tuned?.parameters.A)).toBeGreaterThanOrEqual(20);
  expect(Number(tuned?.parameters.A)).toBeLessThanOrEqual(60);

  const unknown = await talked({
    said: ['try the width from 0.1 to 0.9'],
    listener: '{"kind": "range", "parameter": "beamWidth", "low": 0.1, "high": 0.9}',
  });
  expect(unknown.heard).toMatchObject([{ became: 'range', by: 'model' }]);
  expect(notesOf(unknown.events, 'hint')).toEqual([
    { number: 1, text: 'try the width from 0.1 to 0.9', range: { name: 'beamWidth', low: 0.1, high: 0.9 } },
  ]);
  expect(unknown.asked.join('\n')).toContain('Make beamWidth a named constant');
  expect(unknown.asked.join('\n')).toContain('// tune: 0.1..0.9');
});

test('a reference puts what library and past contests know into the prompt', async () => {
  const { asked, heard, events } = await talked({
    said: [
      '過去のahc015で使われたビームサーチのアイデアを参考にできないか？',
      'could the dijkstra of ahc999 help?',
    ],
    listener: [
      '{"kind": "reference", "contests": ["AHC015"], "algorithms": ["beam search"]}',
      '{"kind": "reference", "contests": ["ahc999"], "algorithms": ["dijkstra"]}',
    ],
  });
  // Both are looked up at once: whichever is found first is the first hint.
  expect(notesOf(events, 'hint').map(({ sources }) => sources)).toEqual(
    expect.arrayContaining([['ahc015', 'beam_search'], undefined]),
  );
  const replies = heard.map(({ reply }) => reply).join('\n');
  expect(replies).toContain('Its prompt shows ahc015, beam_search.');
  expect(replies).toContain('Neither library nor past contests have ahc999, dijkstra.');
  const directed = asked.filter((text) => text.includes('asks for this:'));
  expect(directed).toHaveLength(2);
  const shown = directed.find((text) => text.includes('What is referred to:'));
  expect(shown).toContain('BEAM ENTRY OF THE LIBRARY');
  expect(shown).toContain('HALLOWEEN CANDY');
  // Bounded: later prompts have its name alone.
  expect(asked.at(-1)).toContain('(found: ahc015, beam_search)');
  expect(asked.at(-1)).not.toContain('HALLOWEEN CANDY');
});

test('where nobody can be asked, words are a hint, the question says so, and the search goes on', async () => {
  const { end, events } = await evolved({
    settings: { islands: 1, linesPerIsland: 1, maxGenerations: 2 },
    reply: (_request, { role, index }, world) => {
      if (role === 'listener' || role === 'adviser') {
        return { error: { kind: 'authentication', message: 'No such key.' } } as never;
      }
      if (role === 'solver' && index === 0) {
        void tell(world, { type: 'said', text: 'Use swaps.', key: 'a' });
        void tell(world, { type: 'question', text: 'Why?', key: 'b' });
      }
      return null;
    },
  });
  expect(end.outcome).toBe('scored');
  const heard = notesOf(events, 'heard');
  expect(heard.find(({ key }) => key === 'a')).toMatchObject({ became: 'hint', by: 'default' });
  expect(heard.find(({ key }) => key === 'b')?.reply).toMatch(/Nobody can be asked/);
});

test('what is rejected with a reason is made anew with it, what is edited holds', async () => {
  const shown: { confirm: string; value: Record<string, unknown> }[] = [];
  const asked: string[] = [];
  const mine = '```none```\nint main() { improve(1); improve(2); print(); }\n';
  const replies = [
    'no: N is at most 50',
    'yes',
    JSON.stringify({ reject: 'no beams' }),
    JSON.stringify([{ name: 'Mine', idea: 'Go on.', library: ['beam_search'], contests: ['ahc015'] }]),
    'no: use a grid',
    JSON.stringify({ source: mine }),
    'yes',
    JSON.stringify({ maxGenerations: 0 }),
  ];
  const world = sceneWorld({
    reply: (request) => {
      asked.push(textsOf(request));
      return null;
    },
  });
  const run = evolvingRun({ confirm: true, islands: 1, maxGenerations: 1, heldOutCases: 0 });
  const end = await (
    await startRun(world, run, {
      onEvent: (event: Event) => {
        if (event.kind !== 'ask') return;
        shown.push(JSON.parse((event.body as unknown as { question: string }).question));
        void world.store.post('run', { kind: 'answer', text: replies[shown.length - 1] ?? '', atMs: 1 });
      },
    })
  ).done;
  expect(end.outcome).toBe('scored');
  expect(shown.map(({ confirm }) => confirm)).toEqual([
    ...['analysis', 'analysis', 'strategies', 'strategies'],
    ...['first-program', 'first-program', 'first-program', 'start'],
  ]);
  expect(shown[5]?.value).toMatchObject({ strategy: 'Mine', library: ['beam_search'], contests: ['ahc015'] });
  expect(shown[6]?.value).toMatchObject({ source: mine, status: 'evaluated' });
  expect(asked.find((text) => text.includes('N is at most 50'))).toContain(
    evolvingAnalysis.problem_statement_summary,
  );
  expect(asked.some((text) => text.includes('no beams'))).toBe(true);
  expect(asked.some((text) => text.includes('use a grid'))).toBe(true);
  const events = await eventsOf(world, 'run');
  expect(notesOf(events, 'strategies').at(-1)).toMatchObject({
    origin: 'given',
    strategies: [{ name: 'Mine' }],
  });
  expect(notesOf(events, 'changed')).toEqual([{ settings: { maxGenerations: 0 } }]);
  expect(notesOf(events, 'candidate').filter(({ operator }) => operator === 'given')).toHaveLength(1);
  // What was confirmed stands in the journal: nobody is asked again.
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
  expect(shown).toHaveLength(8);
  await world.store.close();
});

test('the time that its user takes to confirm is not the session’s', async () => {
  const clock = fakeClock(1_000_000);
  const world = sceneWorld({ world: { io: { clock } } });
  const settings = { confirm: true, islands: 2, maxGenerations: 2, timeLimitSeconds: 50, heldOutCases: 0 };
  const end = await (
    await startRun(world, evolvingRun(settings), {
      onEvent: (event: Event) => {
        if (event.kind !== 'ask') return;
        clock.advance(1_000_000);
        void world.store.post('run', { kind: 'answer', text: 'yes', atMs: 1 });
      },
    })
  ).done;
  expect(end.solution).toMatchObject({ detail: expect.stringContaining('All 2 generations are begun') });
  const waited = notesOf(await eventsOf(world, 'run'), 'waited').map(({ ms }) => ms);
  // Analysis, strategies, two first programs, start.
  expect(waited).toHaveLength(5);
  expect(waited.at(-1)).toBeGreaterThanOrEqual(4_000_000);
  expect(waited.at(-1)).toBeLessThanOrEqual(5_000_000);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
  await world.store.close();
});

test('the time in which a person answers for a model is not the session’s, and no limit breaks the question off', async () => {
  const clock = fakeClock(1_000_000);
  const reply = () => {
    clock.advance(1_000_000);
    return null;
  };
  const world = sceneWorld({ reply, kind: 'person', world: { io: { clock } } });
  const settings = { islands: 2, maxGenerations: 2, timeLimitSeconds: 50, heldOutCases: 0 };
  const end = await (await startRun(world, evolvingRun(settings))).done;
  expect(end.solution).toMatchObject({ detail: expect.stringContaining('All 2 generations are begun') });
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
  await world.store.close();
});

test('waits that overlap are counted once', () => {
  const wait = (fromMs: number, toMs: number) => ({ fromMs, toMs });
  expect(totalWaitMs([wait(50, 60), wait(0, 10), wait(5, 20), wait(6, 7)])).toBe(30);
  expect(totalWaitMs([])).toBe(0);
});
