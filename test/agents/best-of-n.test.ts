/** The best of N drawn programs: what it chooses, what stands in the journal, replay. */
import { expect, test } from 'vitest';
import { bestOfN } from '../../src/agents/search/best-of-n.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { Event } from '../../src/core/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelCall, ModelRequest } from '../../src/core/model.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { evolvingFamily, evolvingTemplate, fence } from '../support/evolving.ts';
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
    { programs: 4, atOnce: 2 },
    {
      reply: ({ messages }, { branch, index }) => {
        const isRepair = JSON.stringify(messages.at(-1)).includes('does not compile');
        if (isRepair) return withA(20);
        if (branch.includes('gen00_id01')) return withA(38, '  BROKEN\n');
        return branch.includes('gen00_id02') && index === 0
          ? 'I will not.'
          : withA(30 + Number(/gen00_id0(\d)/.exec(branch)?.[1]));
      },
    },
  );
  const programs = notes(events, 'candidate');
  expect(programs.map(({ status }) => status).sort()).toEqual([
    ...['compile-error', 'evaluated', 'evaluated', 'evaluated', 'evaluated'],
  ]);
  expect(end).toMatchObject({ outcome: 'scored', solution: { end: 'answered' } });
  expect(notes(events, 'final')).toMatchObject([
    { cases: 50, because: expect.stringContaining('the best mean of 3 finalists on 50 held-out cases') },
  ]);
  const answer = end.solution?.answer;
  expect(answer?.type === 'source' && answer.source).toMatch(/A = 3[45];/);
  const [header] = events;
  const first = events.find((event) => event.kind === 'note' && event.body.kind === 'candidate');
  if (header?.kind === 'run-start' && first)
    expect(describeEvent(first, header.body).text).toContain('gen00_id0');
});

test('best of N that no program works in has nothing to hand in, and a limit hands in what there is', async () => {
  const none = await ran(bestOfN, { programs: 2 }, { reply: () => 'No.' });
  expect(none.end.solution).toMatchObject({ end: 'gave-up' });
  const cut = await ran(bestOfN, { programs: 50 }, { limits: { modelCalls: 3 }, reply: () => withA(39) });
  expect(cut.end.solution).toMatchObject({ end: 'answered' });
});
