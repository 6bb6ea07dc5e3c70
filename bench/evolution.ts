/**
 * The search itself, with a script in the place of a model (evolution-toy.ts): how busy the cores are while calls are in
 * flight, what racing saves and costs, what a generation takes and asks for as the population grows, and what selection
 * is worth against as many independent proposals. It says nothing of what a model proposes.
 */
import { evolution } from '../src/agents/search/evolution.ts';
import type { Agent } from '../src/core/agent.ts';
import type { Event } from '../src/core/event.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Model } from '../src/core/model.ts';
import { programEvaluationIn } from '../src/core/program.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { bootstrapMean, mean } from '../src/core/statistics/bootstrap.ts';
import { evolutionNoteOf } from '../src/notes/evolution.ts';
import { startRun } from '../src/run/start.ts';
import { agentOf } from '../test/support/odd.ts';
import {
  type Account,
  type Machine,
  perturbed,
  perturbing,
  toyFamily,
  toyProgram,
  worthOf,
} from './evolution-toy.ts';
import type { Bench, Row } from './measure.ts';
import { openWorld } from './world.ts';

export const evolutionBench: Bench = {
  name: 'evolution',
  note: 'The model is a script that changes constants and parts by chance; programs are worth up to 1,000 without noise.',
  run: async () => [...(await busyCores()), ...(await growth()), ...(await selection())],
};

const seeds = Array.from({ length: 10 }, (_, at) => `seed ${at + 1}`);
/** No model is asked but for programs, and nothing is run beside candidates. */
export const benchSettings: JsonObject = {
  analysis: {
    title: 'Bench',
    time_limit_ms: 2000,
    memory_limit_mb: null,
    problem_statement_summary: '',
    constraints: {},
    input_format_description: '',
    input_variables: [],
    output_format_description: '',
    ...{
      output_variables: [],
      scoring_rules: { description: '' },
      problem_type_tags: [],
      extracted_keywords: [],
    },
  },
  strategies: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, idea: `Whatever ${name} is.` })),
  operators: { change: 0.75, rewrite: 0.25, tune: 0 },
  plateauGenerations: 0,
  heldOutCases: 0,
};

type Evolved = Account & {
  readonly worth: number;
  readonly wallMs: number;
  /** Of each generation, from 1, the time of the processor when the last of it was settled. */
  readonly endedMs: readonly number[];
};

async function evolved(
  seed: string,
  settings: JsonObject,
  {
    model = perturbing(seed),
    machine,
    agent = evolution,
  }: { model?: Model; machine?: Machine; agent?: Agent } = {},
): Promise<Evolved> {
  const account: Account = { cases: 0, allBusyMs: 0 };
  await using world = openWorld({ agent, model });
  const family = toyFamily(account, machine);
  const spec = {
    id: 'run',
    family: 'bench',
    problem: {},
    agent: agent.name,
    seed,
    ...{
      settings: agent.name === 'evolution' ? { ...benchSettings, ...settings } : settings,
      models: { default: 'bench' },
    },
  };
  const start = performance.now();
  const endedMs: number[] = [];
  const onEvent = (event: Event): void => {
    const note = evolutionNoteOf(event);
    if (note?.kind !== 'generation' || note.data.generation === 0) return;
    const { user, system } = process.cpuUsage();
    endedMs.push((user + system) / 1000);
  };
  const end = await (await startRun({ ...world, family: async () => family }, spec, { onEvent })).done;
  const wallMs = performance.now() - start;
  if (end.outcome === 'error') throw new Error(`The run ended in an error: ${end.error?.message}`);
  const answer = end.solution?.answer;
  return {
    ...account,
    worth: answer?.type === 'source' ? worthOf(answer.source) : Number.NaN,
    wallMs,
    endedMs,
  };
}

function row(what: string, unit: string, measured: number, more: Partial<Row> = {}): Row {
  return { what, unit, measured, floor: null, against: '', ratio: null, aim: null, ...more };
}

const against = (floor: number, measured: number, words: string): Partial<Row> => ({
  floor,
  against: words,
  ratio: measured / floor,
});

/** Real time, the model's and the cores': a call takes 400 ms, 30 cases on two cores 150. */
async function busyCores(): Promise<readonly Row[]> {
  const machine = { caseMs: 10, cores: 2 };
  const settings = { maxGenerations: 4, populationSize: 10 };
  const timed = (more: JsonObject) =>
    evolved('busy', { ...settings, ...more }, { model: perturbing('busy', { delayMs: 400 }), machine });
  const many = await timed({ islands: 3, linesPerIsland: 2 });
  const one = await timed({ islands: 1, linesPerIsland: 1 });
  const share = ({ allBusyMs, wallMs }: Evolved) => (100 * allBusyMs) / wallMs;
  const words = 'one line that waits for its model';
  return [
    row(
      'wall time in which all cores evaluate, 3 islands of 2 lines',
      '%',
      share(many),
      against(share(one), share(many), words),
    ),
    row('… 40 candidates, from beginning to end', 'ms', many.wallMs, against(one.wallMs, many.wallMs, words)),
  ];
}

function difference(what: string, gains: readonly number[]): readonly Row[] {
  const interval = bootstrapMean(gains, { random: seededChance('difference').next });
  const between = interval ? `95 %: ${interval.low.toFixed(1)} to ${interval.high.toFixed(1)}` : '';
  return [row(`${what} (${between})`, 'points', mean(gains) ?? Number.NaN)];
}

/** The search's own work, with a model and cases that take no time. */
async function growth(): Promise<readonly Row[]> {
  const sizes = new Map<number, number>();
  const model = perturbing('growth', {
    onRequest: (branch, characters) => {
      const generation = Number(/gen(\d+)_/.exec(branch)?.[1] ?? 0);
      sizes.set(generation, (sizes.get(generation) ?? 0) + characters);
    },
  });
  const { endedMs } = await evolved('growth', { maxGenerations: 60, populationSize: 10 }, { model });
  const took = (from: number, to: number) =>
    ((endedMs[to - 1] ?? 0) - (endedMs[from - 1] ?? 0)) / (to - from);
  const tokens = (from: number, to: number) => {
    const generations = Array.from({ length: to - from + 1 }, (_, at) => sizes.get(from + at) ?? 0);
    return (mean(generations) ?? 0) / 4;
  };
  const words = 'generations 5 to 15';
  return [
    row(
      'a generation of 10, 50 to 60 of 60, without models and cases, CPU',
      'ms',
      took(50, 60),
      against(took(5, 15), took(50, 60), words),
    ),
    row(
      'tokens sent in a generation of 10, 50 to 60 of 60',
      'tokens',
      tokens(50, 60),
      against(tokens(5, 15), tokens(50, 60), words),
    ),
  ];
}

/** As many cases for both: independent proposals from the same program, each run on all cases, and the best of them. */
async function selection(): Promise<readonly Row[]> {
  const gains: number[] = [];
  const worths: { evolved: number; best: number }[] = [];
  for (const seed of seeds) {
    const search = await evolved(seed, { maxGenerations: 15, populationSize: 10 });
    const best = await evolved(seed, {}, { agent: bestOf(search.cases) });
    gains.push(search.worth - best.worth);
    worths.push({ evolved: search.worth, best: best.worth });
  }
  const [ours, floor] = [
    mean(worths.map((each) => each.evolved)) ?? 0,
    mean(worths.map((each) => each.best)) ?? 0,
  ];
  return [
    row(
      'worth of the program after as many cases',
      'points',
      ours,
      against(floor, ours, `best of N, ${seeds.length} seeds`),
    ),
    ...difference('… evolution less best of N', gains),
  ];
}

/** Proposals by the same script's steps, three from the first program for each, as a model would make more than one. */
function bestOf(cases: number): Agent {
  return agentOf(async (run) => {
    let [bestSource, bestMean, used] = [toyProgram, Number.NEGATIVE_INFINITY, 0];
    const names = Array.from({ length: 30 }, (_, at) => `c${at}`);
    while (used < cases) {
      const next = () => run.random();
      const source = [1, 2, 3].reduce((program) => perturbed(program, next), toyProgram);
      const { compiled, cases: outcomes } = programEvaluationIn(await run.evaluate(source, names));
      used += compiled ? names.length : 1;
      const scores = outcomes.map(({ score }) => score ?? Number.NEGATIVE_INFINITY);
      const worth = compiled ? (mean(scores) ?? 0) : Number.NEGATIVE_INFINITY;
      if (worth > bestMean) [bestSource, bestMean] = [source, worth];
    }
    return { end: 'answered', answer: { type: 'source', language: 'cpp', source: bestSource } };
  });
}
