/**
 * How a search begins, for tests: analysis, strategies, and a first program for each, in one run with a model that is one
 * function. The problem offers an algorithm library and past contests.
 */
import { z } from 'zod';
import { analyse } from '../../src/agents/search/analysis.ts';
import { evolutionRoles } from '../../src/agents/search/asking.ts';
import { evolutionSettings } from '../../src/agents/search/evolution-settings.ts';
import { initial } from '../../src/agents/search/operators/initial.ts';
import { islandOf } from '../../src/agents/search/population.ts';
import { evolutionPrompts } from '../../src/agents/search/prompts.ts';
import { Search } from '../../src/agents/search/search.ts';
import { decideSettings } from '../../src/agents/search/settings.ts';
import { requestStrategies } from '../../src/agents/search/strategies.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Model, ModelReply } from '../../src/core/model.ts';
import type { Problem } from '../../src/core/problem.ts';
import { type EvolutionNote, evolutionNoteOf, type Strategy } from '../../src/notes/evolution.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import type { Asked } from './induction.ts';
import { agentOf, familyOf, modelOf, oddRun, oddWorld, toolOf } from './odd.ts';
import { tunableTask } from './tunable.ts';
import { eventsOf } from './world.ts';

export const template = '#include <cstdio>\nint main() { int n; scanf("%d", &n); puts("0"); }\n';

const entries: Readonly<Record<string, string>> = {
  simulated_annealing: 'ANNEALING CODE',
  timer: 'TIMER CODE',
};

export const libraryTools = [
  toolOf('library_list', async () => ({
    text: Object.keys(entries).join('\n'),
    data: { entries: Object.keys(entries) },
  })),
  toolOf('library_show', async ({ name }) => {
    const text = entries[String(name)];
    return text ? { text } : { text: 'no such entry', isError: true };
  }),
  toolOf('library_inline', async ({ source }) => ({
    text: String(source).replace('#include "timer.hpp"', '// TIMER CODE'),
  })),
  toolOf('contests_similar', async () => ({ text: 'ahc001: rectangles' })),
  toolOf('contests_show', async ({ contest_id }) => ({ text: `all about ${contest_id}` })),
];

export type BeginningOptions = {
  readonly settings?: JsonObject;
  readonly tools?: Problem['tools'];
  readonly parse?: Problem['parse'];
  /** Strategies wanted at a time; a second round is asked for by `twice`. */
  readonly count?: number;
  readonly twice?: boolean;
  readonly hints?: readonly string[];
  readonly model?: Partial<Model>;
};

export type Made = {
  readonly strategies: readonly Strategy[];
  readonly drafts: readonly {
    readonly source: string | null;
    readonly summary: string;
    readonly detail: string;
  }[];
};

export async function begun(
  answer: (asked: Asked) => string | ModelReply,
  {
    settings = {},
    tools = libraryTools,
    parse,
    count = 2,
    twice = false,
    hints = [],
    model,
  }: BeginningOptions = {},
) {
  const asked: Asked[] = [];
  let made: Made = { strategies: [], drafts: [] };
  const family = familyOf({
    program: tunableTask({ task: { template } }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(parse ? { parse } : {}),
    spec: { title: 'Lanterns', statement: [{ type: 'text', text: 'Light the garden.' }] },
  });
  const whole = evolutionSettings.parse(settings);
  const agent = agentOf(async () => ({ end: 'gave-up' }), {
    roles: evolutionRoles,
    prompts: evolutionPrompts,
    settings: z.record(z.string(), z.json()),
    async solve(problem, run) {
      const analysis = await analyse(run, problem, whole);
      const first = await requestStrategies(run, problem, analysis, { settings: whole, count, known: [] });
      const more = twice
        ? await requestStrategies(run, problem, analysis, { settings: whole, count, known: first })
        : [];
      const strategies = [...first, ...more];
      const task = tunableTask({ task: { template } });
      const search = new Search(problem, task, decideSettings(whole, task, {}).settings, {
        search: [],
        heldOut: [],
      });
      search.analysis = analysis;
      search.hints.push(...hints.map((text, at) => ({ number: at + 1, text, sources: [] })));
      const drafts = [];
      for (const strategy of first) {
        const island = islandOf(1, strategy);
        const work = {
          search,
          run,
          island,
          id: 'gen00_id01',
          doing: () => undefined,
          role: 'solver',
        } as const;
        drafts.push(await initial.propose(work, { operator: initial, parent: null }));
      }
      made = { strategies, drafts };
      return { end: 'answered', answer: { type: 'text', text: JSON.stringify(made) } };
    },
  });
  const world = oddWorld({
    agent,
    family,
    model: modelOf((request, call) => {
      asked.push({ request, call });
      return answer({ request, call });
    }, model),
  });
  const { done } = await startRun(world, oddRun());
  const end = await done;
  const events = await eventsOf(world, 'run');
  const replay = await replayRun(world, 'run');
  await world.store.close();
  const notes = events.flatMap((event) => evolutionNoteOf(event) ?? []);
  return { end, events, asked, replay, made, noted: notesOf(notes) };
}

function notesOf(notes: readonly EvolutionNote[]) {
  return <Kind extends EvolutionNote['kind']>(kind: Kind) =>
    notes.flatMap((note) =>
      note.kind === kind ? [note.data as Extract<EvolutionNote, { kind: Kind }>['data']] : [],
    );
}

export const analysis = {
  title: 'Lanterns',
  time_limit_ms: 1000,
  memory_limit_mb: 1024,
  problem_statement_summary: 'Place lanterns.',
  constraints: {
    N: { min: 10, max: 30, type: 'integer', description: 'side' },
    K: { min: 1, max: 'N*N', type: 'integer', description: 'lanterns' },
  },
  input_format_description: 'N K, then N lines.',
  input_variables: [{ name: 'N', type: 'int' }],
  output_format_description: 'a line a lantern',
  output_variables: [{ name: 'm', type: 'int' }],
  scoring_rules: { description: 'more is better', formula_example: 'sum' },
  problem_type_tags: ['placement'],
  extracted_keywords: ['garden'],
};

export const strategy = (name: string, family: string, more: object = {}) => ({
  name,
  family,
  idea: `${family} here`,
  reasons: 'because',
  library: [],
  contests: [],
  ...more,
});
