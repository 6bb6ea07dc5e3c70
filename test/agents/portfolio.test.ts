/** Engines beside evolution, and the portfolio of them: what they choose, what stands in the journal, replay and fork. */
import { expect, test } from 'vitest';
import { bestOfN } from '../../src/agents/search/best-of-n.ts';
import { editAndTest } from '../../src/agents/search/edit-and-test.ts';
import { portfolio } from '../../src/agents/search/portfolio.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { Event } from '../../src/core/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelCall, ModelRequest } from '../../src/core/model.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import { forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { changeTo, evolvingFamily, evolvingTemplate, fence } from '../support/evolving.ts';
import { engineReply } from '../support/evolving-world.ts';
import { modelOf, oddRun } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, toyWorld } from '../support/world.ts';

type Reply = (request: ModelRequest, call: ModelCall) => string | null;

function engineWorld(agent: Agent, reply: Reply = engineReply) {
  return toyWorld({
    folder: temporaryFolder(),
    model: modelOf((request, call) => reply(request, call) ?? ''),
    agents: [agent],
    families: [evolvingFamily()],
  });
}

async function ran(
  agent: Agent,
  settings: JsonObject,
  { reply, limits = {} }: { reply?: Reply; limits?: object } = {},
) {
  const world = engineWorld(agent, reply);
  const run = oddRun({ agent: agent.name, settings, limits });
  const end = await (await startRun(world, run)).done;
  const events = await eventsOf(world, 'run');
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  return { world, end, events };
}

const notes = (events: readonly Event[], kind: string): JsonObject[] =>
  events.flatMap((event) => (event.kind === 'note' && event.body.kind === kind ? [event.body.data] : []));

const withA = (a: number, line = '') =>
  `IDEA: A of ${a}\n\n${fence(evolvingTemplate.replace('10', String(a)).replace('  print', `${line}  print`))}`;

test('best of N: the first draft is free, each of the others is told another approach', async () => {
  const drafts: string[] = [];
  await ran(
    bestOfN,
    { programs: 4, atOnce: 4 },
    {
      reply: ({ messages }, { branch }) => {
        drafts.push(JSON.stringify(messages.at(-1)));
        return withA(30 + Number(branch.at(-1)));
      },
    },
  );
  const kinds = drafts.map((text) => /is of this kind, unless it fits badly: ([^.]*)/.exec(text)?.[1]);
  expect(kinds.filter((kind) => kind === undefined)).toHaveLength(1);
  expect(new Set(kinds).size).toBe(4);
});

test('best of N: what fails is repaired, the best on held-out cases is handed in', async () => {
  const { end, events } = await ran(
    bestOfN,
    { programs: 4, atOnce: 2, repairs: 1 },
    {
      reply: ({ messages }, { branch, index }) => {
        const isRepair = JSON.stringify(messages.at(-1)).includes('That cannot be used');
        if (isRepair) return withA(20);
        if (branch.includes('draw-1') && index === 0) return withA(38, '  BROKEN\n');
        return branch.includes('draw-2') && index === 0 ? 'I will not.' : withA(30 + index);
      },
    },
  );
  const programs = notes(events, 'best-of-n/program');
  expect(programs.map(({ status }) => status).sort()).toEqual([
    ...['compile-error', 'evaluated', 'evaluated', 'evaluated', 'evaluated', 'unusable'],
  ]);
  expect(end).toMatchObject({ outcome: 'scored', solution: { end: 'answered' } });
  expect(notes(events, 'best-of-n/final')).toMatchObject([
    { cases: 50, because: 'the best of 3 on 50 held-out cases' },
  ]);
  const answer = end.solution?.answer;
  expect(answer?.type === 'source' && answer.source).toContain('A = 32');
  const [header] = events;
  const first = events.find((event) => event.kind === 'note' && event.body.kind === 'best-of-n/program');
  if (header?.kind === 'run-start' && first)
    expect(describeEvent(first, header.body).text).toContain('program 1');
});

test('best of N that no program works in has nothing to hand in, and a limit hands in what there is', async () => {
  const none = await ran(bestOfN, { programs: 2, repairs: 0 }, { reply: () => 'No.' });
  expect(none.end.solution).toMatchObject({ end: 'gave-up' });
  const cut = await ran(bestOfN, { programs: 50 }, { limits: { modelCalls: 3 }, reply: () => withA(39) });
  expect(cut.end.solution).toMatchObject({ end: 'answered' });
});

test('one conversation edits what it last wrote, is told how that did, and hands in its best', async () => {
  const texts: string[] = [];
  const replies = [
    withA(20),
    changeTo('const double A = 20;', 'const double A = 30;', 'nearer'),
    changeTo('nowhere', 'const double A = 30;', 'lost'),
    changeTo('const double A = 30;', 'const double A = 39;', 'nearer still'),
    changeTo('const double A = 39;', 'const double A = 60;', 'too far'),
  ];
  const { end, events } = await ran(
    editAndTest,
    { turns: 5 },
    {
      reply: ({ messages }, { index }) => {
        texts.push(JSON.stringify(messages.at(-1)));
        return replies[index] ?? 'No.';
      },
    },
  );
  const programs = notes(events, 'edit-and-test/program');
  expect(programs.map(({ status }) => status)).toEqual([
    ...['evaluated', 'evaluated', 'unusable', 'evaluated', 'evaluated'],
  ]);
  expect(texts[1]).toContain('Mean score of the last version on 30 cases');
  expect(texts[3]).toContain('That cannot be used');
  const answer = end.solution?.answer;
  expect(answer?.type === 'source' && answer.source).toContain('A = 39');
});

const small = { calls: 30, sliceCalls: 5, heldOutCases: 20, repairs: 1 };

test('a portfolio: its parts stand in the header under their names, and budget moves to what gains', async () => {
  const { end, events, world } = await ran(portfolio, small);
  expect(end.outcome).toBe('scored');
  const [start] = events;
  const header = start?.kind === 'run-start' ? start.body : null;
  expect(header?.agent.settings).toMatchObject({
    ...{ calls: 30, 'evolution/policy': 'room', 'evolution/islands': 3, 'best-of-n/programs': 16 },
  });
  expect(header?.prompts).toHaveProperty(['evolution/change']);
  expect(Object.keys(header?.prompts ?? {}).every((name) => name.includes('/'))).toBe(true);
  expect(portfolio.roles).toContain('evolution/analyst');
  const kinds = new Set(events.flatMap((event) => (event.kind === 'note' ? [event.body.kind] : [])));
  // Nothing stands there that a reader could take for a journal of evolution itself.
  expect([...kinds].every((kind) => kind.includes('/'))).toBe(true);
  const slices = notes(events, 'portfolio/slice');
  expect(slices[0]).toMatchObject({ engine: 'best-of-n', round: 1 });
  expect(new Set(slices.map(({ engine }) => engine)).size).toBe(4);
  // A fresh engine begins with the best of all.
  const given = notes(events, 'evolution/candidate').filter(({ operator }) => operator === 'given');
  expect(given.length).toBeGreaterThan(0);
  // The problem is analysed once, however often evolution begins.
  const asked = events.filter(
    (event) => event.kind === 'model-request' && event.body.role === 'evolution/analyst',
  );
  expect(asked.length).toBeLessThanOrEqual(1);
  for (const event of events) expect(describeEvent(event, header).text).not.toBe('');
  const seq =
    events.find((event) => event.kind === 'note' && event.body.kind === 'portfolio/slice')?.seq ?? 0;
  const fork = await forkRun(world, 'run', { id: 'fork', at: seq, settings: { calls: 40, atOnce: 1 } });
  expect((await fork.done).outcome).toBe('scored');
  expect(await replayRun(world, 'fork')).toMatchObject({ isSame: true });
});

test('a portfolio at a limit, without the engine that draws, and where nothing can be tuned', async () => {
  const cut = await ran(portfolio, small, { limits: { modelCalls: 9 } });
  expect(cut.end.solution).toMatchObject({ end: 'answered' });
  const alone = await ran(portfolio, { ...small, engines: ['edit-and-test'] });
  expect(new Set(notes(alone.events, 'portfolio/slice').map(({ engine }) => engine))).toEqual(
    new Set(['edit-and-test']),
  );
  const bare = await ran(portfolio, { ...small, engines: ['parameter-search'] });
  expect(bare.end.solution).toMatchObject({ end: 'gave-up' });
});
