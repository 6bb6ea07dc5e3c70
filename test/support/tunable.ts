/**
 * A problem whose programs are never compiled: the score of a case is a function of the constants A, B and WIDTH that a
 * program declares, best near A = 20 and B = 0.3 and the same for every WIDTH up to 50; beyond it a case takes too long.
 * Case by case the score varies far more than with the constants, as it does in contests.
 */

import { type ParameterSearchSettings, parameterSearch } from '../../src/agents/search/parameter-search.ts';
import { type Tuned, type Tuning, tune } from '../../src/agents/search/tuning.ts';
import type { Io } from '../../src/core/io.ts';
import type { Family } from '../../src/core/problem.ts';
import type { CaseOutcome, ProgramTask } from '../../src/core/program.ts';
import { foldTuning } from '../../src/notes/tuning.ts';
import { randomFromKey } from '../../src/run/hash.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { agentOf, familyOf, modelOf, oddRun, oddWorld } from './odd.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { eventsOf, toyWorld } from './world.ts';

export const untuned = 'const double A = 300;\nconst double B = 0.9;\nconst int WIDTH = 10;\nint main() {}\n';

export type TunableOptions = {
  readonly task?: Partial<ProgramTask>;
  /** Null: the constants change nothing but noise. */
  readonly worth?: ((values: Readonly<Record<string, number>>, seed: number) => number) | null;
  readonly fresh?: boolean;
};

export const searched = Array.from({ length: 24 }, (_, at) => `s${String(at).padStart(3, '0')}`);

export function tunableTask({ task, worth = usualWorth, fresh = true }: TunableOptions = {}): ProgramTask {
  return {
    language: 'cpp',
    direction: 'maximise',
    scoring: 'absolute',
    template: untuned,
    cases: searched,
    best: {},
    timeLimitMs: 1000,
    ...(fresh
      ? {
          fresh: (first, count) =>
            Array.from({ length: count }, (_, at) => `f${String(first + at).padStart(3, '0')}`),
        }
      : {}),
    async evaluate(source, cases) {
      const values = valuesIn(source);
      const compiled = !source.includes('#error');
      const outcomes = compiled ? cases.map((name) => outcomeOf(name, values, worth)) : [];
      const message = compiled ? '' : 'main.cpp:1: #error';
      const scores = outcomes.map(({ score }) => score ?? 0);
      return {
        score: scores.reduce((sum, each) => sum + each, 0) / Math.max(1, scores.length),
        data: { compiled, message, cases: outcomes, backend: 'none' },
      };
    },
    ...task,
  };
}

export function valuesIn(source: string): Record<string, number> {
  const declared = source.matchAll(/const \w+ (?<name>\w+) = (?<value>[^;]+);/g);
  return Object.fromEntries([...declared].map(({ groups }) => [groups?.name ?? '', Number(groups?.value)]));
}

function outcomeOf(
  name: string,
  values: Readonly<Record<string, number>>,
  worth: TunableOptions['worth'],
): CaseOutcome {
  const seed = Number(name.slice(1)) + (name.startsWith('f') ? 1000 : 0);
  const cpuMs = values.WIDTH === undefined || values.WIDTH <= 50 ? 100 : 950;
  const base = 1000 + 500 * Math.sin(seed * 12.9898);
  // Other values are other luck in each case, as with programs that draw random numbers.
  const luck = randomFromKey(`${name} ${values.A} ${values.B} ${values.WIDTH}`);
  const jitter = worth === null ? (luck - 0.5) * 200 : 0;
  const score = Math.round(base + jitter + (worth?.(values, seed) ?? 0));
  return {
    name,
    verdict: 'AC',
    score,
    cpuMs,
    wallMs: cpuMs,
    memoryBytes: 1,
    message: '',
    features: {},
    head: '',
  } as CaseOutcome;
}

function usualWorth({ A = 1, B = 0, WIDTH = 0 }: Readonly<Record<string, number>>, seed: number): number {
  const best = 20 * (1 + 0.3 * Math.sin(seed));
  return WIDTH / 10 - 60 * Math.log(A / best) ** 2 - 300 * (B - 0.3) ** 2;
}

export function tunableFamily(options: TunableOptions = {}): Family {
  return familyOf({
    program: tunableTask(options),
    async grade({ answer }) {
      return { score: answer?.type === 'source' ? 1 : 0, explanation: 'looked at' };
    },
  });
}

/** To its end, and replayed: no model is there to be asked. */
export async function tuned(
  settings: Partial<ParameterSearchSettings>,
  options: TunableOptions & { readonly limits?: Record<string, number>; readonly io?: Partial<Io> } = {},
) {
  const model = modelOf(() => {
    throw new Error('A model was asked.');
  });
  const world = toyWorld({
    folder: temporaryFolder(),
    model,
    agents: [parameterSearch],
    families: [tunableFamily(options)],
    io: options.io ?? {},
  });
  const spec = oddRun({
    agent: 'parameter-search',
    settings: { source: untuned, ...settings },
    limits: options.limits ?? {},
  });
  try {
    const end = await (await startRun(world, spec)).done;
    const events = await eventsOf(world, 'run');
    const replay = await replayRun(world, 'run');
    return { end, events, replay, view: foldTuning(events) };
  } finally {
    await world.store.close();
  }
}

/** The operator `tune` of the evolution, in a run of its own. */
export async function operated(tuning: Partial<Tuning>, options: TunableOptions = {}): Promise<Tuned | null> {
  let made: Tuned | null = null;
  const agent = agentOf(async () => ({ end: 'gave-up' }), {
    async solve(problem, run) {
      const usual = { source: untuned, cases: searched, evaluations: 40, best: {} };
      const whole = { ...usual, ...tuning };
      made = await tune(run, problem.program ?? tunableTask(), whole);
      return { end: 'gave-up' };
    },
  });
  const world = oddWorld({ agent, family: tunableFamily(options) });
  const end = await (await startRun(world, oddRun())).done;
  await world.store.close();
  if (end.error) throw new Error(end.error.message);
  return made;
}
