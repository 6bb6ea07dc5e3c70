/** What the page shows of searches, folded from journals that real ones wrote with a script in the place of a model. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bestOfN } from '../../src/agents/search/best-of-n.ts';
import { openedOf, panelsOf as panelsOfRun } from '../../src/apps/ahc/panels.ts';
import { foldSession } from '../../src/apps/ahc/session/fold.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { Event } from '../../src/core/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Block, Panel } from '../../src/notes/panel.ts';
import { startRun } from '../../src/run/start.ts';
import { unpacked, using } from '../before/fixture.ts';
import { evolved, evolvingFamily } from '../support/evolving.ts';
import { engineReply } from '../support/evolving-world.ts';
import { modelOf, oddRun } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, toyWorld } from '../support/world.ts';
import { candidate, evaluation, header, journal, note, small } from './session/journals.ts';

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

function blocksOf<Kind extends Block['kind']>(panels: readonly Panel[], kind: Kind): readonly Of<Kind>[] {
  const whole = panels.flatMap(({ blocks }) => blocks);
  const all = whole.flatMap((each) => (each.kind === 'part' ? [each, ...each.blocks] : [each]));
  return all.filter((each): each is Of<Kind> => each.kind === kind);
}

const tableOf = (panels: readonly Panel[], title: string) =>
  blocksOf(panels, 'table').find((each) => each.title.startsWith(title));

function problemOf(events: readonly Event[]) {
  const [head] = events;
  if (head?.kind !== 'run-start') throw new Error('It begins otherwise.');
  return head.body.problem;
}

const panelsOf = (events: readonly Event[], chained: Parameters<typeof panelsOfRun>[2] = null) =>
  panelsOfRun(events, problemOf(events), chained);

async function ran(agent: Agent, settings: JsonObject): Promise<readonly Event[]> {
  const world = toyWorld({
    folder: temporaryFolder(),
    model: modelOf((request, call) => engineReply(request, call) ?? ''),
    agents: [agent],
    families: [evolvingFamily()],
  });
  await (await startRun(world, oddRun({ agent: agent.name, settings }))).done;
  return eventsOf(world, 'run');
}

/** What a panel says of a search may not contradict what its journal says. */
function agree(events: readonly Event[], panels: readonly Panel[]): void {
  const [lineage] = blocksOf(panels, 'lineage');
  const seqs = new Set(events.map(({ seq }) => seq));
  const nodes = lineage?.nodes ?? [];
  expect(nodes.length).toBeGreaterThan(2);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
  expect(nodes.every(({ seq }) => seq !== undefined && seqs.has(seq))).toBe(true);
  expect(nodes.filter(({ isBest }) => isBest)).toHaveLength(1);
  const [chart] = blocksOf(panels, 'chart');
  const steps = chart?.series[0]?.points ?? [];
  expect(steps.every(({ y }, at) => at === 0 || y >= (steps[at - 1]?.y ?? 0))).toBe(true);
  const [heat] = blocksOf(panels, 'heat');
  const columns = [...(heat?.columns.keys() ?? [])];
  const lightest = columns.map((at) => Math.min(...(heat?.cells.map((row) => row[at]?.shade ?? 1) ?? [])));
  // On a few cases a candidate that was dropped on others is the best, and it has no row.
  expect(lightest.filter((shade) => shade === 0).length).toBeGreaterThan(columns.length / 2);
  expect(heat?.cells).toHaveLength(heat?.rows.length ?? -1);
}

describe('the panels of an evolution', () => {
  test('say what its journal says: best, lineage, islands, cases, deaths', async () => {
    const { events } = await evolved({});
    const panels = panelsOf(events);
    agree(events, panels);
    const { candidates, best } = foldSession(events);
    expect(panels[0]?.sentence).toContain(`${best.at(-1)?.id}, found after`);
    expect(blocksOf(panels, 'lineage')[0]?.nodes).toHaveLength(candidates.length);
    const died = candidates.filter(({ note: { status } }) => status !== 'evaluated').length;
    const deaths = tableOf(panels, 'Deaths')?.rows.map(({ cells }) => Number(cells[2])) ?? [];
    expect(deaths.reduce((a, b) => a + b)).toBe(died);
    expect(tableOf(panels, 'Lines of work')?.rows.map(({ cells }) => cells[0])).toEqual([
      ...['island 1', 'island 2', 'island 3', 'no island'],
    ]);
    const along = blocksOf(panels, 'chart')[0]?.otherwise?.map(({ x }) => x.label);
    expect(along).toContain('evaluations');
  });

  test('open a candidate: its program beside that of its parent, and what both got case by case', async () => {
    const { events } = await evolved({});
    const nodes = blocksOf(panelsOf(events), 'lineage')[0]?.nodes ?? [];
    const scored = nodes.findLast(({ parent, tone }) => parent !== null && tone === undefined);
    const panel = openedOf(events, problemOf(events), scored?.seq ?? 0);
    expect(panel?.title).toBe(scored?.id);
    expect(panel?.sentence).toMatch(
      /against .* a case, 95 % from .*: better on \d+, worse on \d+, equal on \d+\./,
    );
    const [code] = blocksOf(panel ? [panel] : [], 'code');
    expect(code?.before?.title).toBe(scored?.parent);
    expect(code?.before?.text).not.toBe(code?.text);
    expect(openedOf(events, problemOf(events), 1)).toBe(null);
  });
});

test('the panels of best of N', async () => {
  const drawn = await ran(bestOfN, { programs: 5 });
  agree(drawn, panelsOf(drawn));
});

test('a session says in which runs it lives, and nothing where it has one', () => {
  const runs = ['r0', 'r1', 'r2'];
  const [facts] = blocksOf(panelsOf(small, { name: 'night', runs }), 'facts');
  expect(facts?.facts).toEqual([
    { label: 'session', value: 'night' },
    { label: 'run', value: '2 of 3' },
    { label: 'goes on from', value: 'r0', run: 'r0' },
    { label: 'goes on in', value: 'r2', run: 'r2' },
    ...(facts?.facts.slice(4) ?? []),
  ]);
});

test('a small session: what was chosen, told and cut, in words', () => {
  const panels = panelsOf(small);
  expect(panels[0]?.sentence).toBe(
    'Best 22.5, gen01_id01, found after 10 s. Of 2 candidates in 9.0 s since then none was better, 1 of them cut early. gen00_id01 was chosen in the end: better on what nobody saw.',
  );
  expect(tableOf(panels, 'Hints')?.rows[0]?.cells).toEqual(['1', 'try beams', 'nothing made with it yet']);
});

test('where less is better the worst of a case is the largest, and a failure is as far as can be', () => {
  const limits = { timeLimitMs: 2000, memoryLimitBytes: 1 };
  const ways = { direction: 'minimise', scoring: 'absolute', isInteractive: false, tools: null };
  const contest = { id: 'polya002', title: 'Vans', ...limits, ...ways };
  const known = { contest, cases: [], best: {}, features: [], template: '' };
  const problem = { ...header.problem, detail: { facts: JSON.stringify(known) } };
  const events = journal([
    { kind: 'run-start', body: { ...header, problem } },
    note('candidate', candidate(0, 1, { evaluation: evaluation([100, 50]), score: 75 })),
    note('candidate', candidate(0, 2, { evaluation: evaluation([90, null]), score: 90 })),
  ]);
  const [heat] = blocksOf(panelsOf(events), 'heat');
  expect(heat?.rows.map(({ label }) => label)).toEqual(['gen00_id01 75', 'gen00_id02 90']);
  expect(heat?.cells.map((row) => row.map((cell) => cell?.text))).toEqual([
    ['50, the best', '100, 10 % off'],
    ['TLE', '90, the best'],
  ]);
});

test.each([['session', 'workspace/polya001']] as const)(
  'recorded journals of %s have panels, and their candidates open',
  async (name, place) => {
    for (const state of ['whole', 'cut'] as const) {
      await using(join(unpacked(name, state), place), {}, async (polya) => {
        for (const id of await polya.ids()) {
          const events = await polya.events(id);
          const panels = panelsOf(events);
          const nodes = blocksOf(panels, 'lineage').flatMap((each) => each.nodes);
          if (state === 'whole') expect(nodes.length, id).toBeGreaterThan(0);
          for (const { seq = 0, id: node } of nodes)
            expect(openedOf(events, problemOf(events), seq)?.title).toBe(node);
        }
      });
    }
  },
);
