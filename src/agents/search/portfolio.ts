/**
 * Several engines on one problem: each works for a slice of the calls and begins with the best program that any of them has
 * found; slices go where calls and cases bring most. First programs are drawn, since there is nothing to build on. The
 * engines are agents of their own (core/parts.ts), and know nothing of one another.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { defineAgent, type ProblemWith } from '../../core/define.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Parts } from '../../core/parts.ts';
import { type CaseOutcome, programEvaluationIn } from '../../core/program.ts';
import { noteOfEngine } from '../../notes/engines.ts';
import { described } from '../kit/described.ts';
import { orAtLimit } from '../kit/limit.ts';
import { Choices } from './bandit.ts';
import { bestOfN } from './best-of-n.ts';
import { chosenConstants, liftConstants } from './constants.ts';
import { editAndTest } from './edit-and-test.ts';
import { evolution } from './evolution.ts';
import { Measured, measuring, type Ran } from './measured.ts';
import { parameterSearch } from './parameter-search.ts';
import { sideBySide } from './search.ts';
import texts from './settings.json' with { type: 'json' };
import { callsOfCandidate } from './settings.ts';

const name = 'portfolio';
const engineNames = ['best-of-n', 'evolution', 'edit-and-test', 'parameter-search'] as const;
type EngineName = (typeof engineNames)[number];

const calls = z.int().min(1).max(1_000_000).nullable().default(null);
const fields = {
  engines: z
    .array(z.enum(engineNames))
    .min(1)
    .default([...engineNames]),
  ...{ calls, sliceCalls: calls },
  atOnce: z.int().min(1).max(engineNames.length).default(2),
};
const settingsOfPortfolio = z.strictObject({ ...described(fields, texts.portfolio), ...measuring });
type Settings = z.infer<typeof settingsOfPortfolio>;

const usualCalls = 60;
const slices = 10;
const leastSlice = 4;
const mostConstants = 8;

export const portfolio = defineAgent({
  name,
  settings: settingsOfPortfolio,
  needs: ['program'],
  roles: [],
  parts: [bestOfN, evolution, editAndTest, parameterSearch],
  usual: ({ calls: all }) => ({ turns: all ?? usualCalls, outputTokens: 4_000, carriedTokens: 6_000 }),
  decide: (settings, { limits }) => {
    const all = settings.calls ?? limits.modelCalls ?? usualCalls;
    const sliceCalls = settings.sliceCalls ?? Math.max(leastSlice, Math.round(all / slices));
    const told = `${all} calls for ${settings.engines.join(', ')}, in slices of ${sliceCalls}`;
    return { settings: { ...settings, calls: all, sliceCalls }, told };
  },

  async solve(problem, run, settings, parts) {
    const measured = new Measured(run, name, { task: problem.program, settings });
    const state: State = {
      ...{ problem, settings, parts, measured, choices: new Choices(), known: new Map(), learned: {} },
      ...{ tuned: new Set(), calls: 0 },
    };
    const because = await orAtLimit(
      () => rounds(state, run),
      (message) => message,
    );
    return measured.handIn(run, because);
  },
});

type State = {
  readonly problem: ProblemWith<'program'>;
  readonly settings: Settings;
  readonly parts: Parts;
  readonly measured: Measured;
  readonly choices: Choices;
  /** What engines ran, by source and case: what one has run on all cases is not run again. */
  readonly known: Map<string, Map<string, CaseOutcome>>;
  /** What the first evolution found out about the problem, for those after it. */
  readonly learned: { analysis?: JsonObject[string]; strategies?: JsonObject[string] };
  /** Programs whose constants were searched, and the tuned ones. */
  readonly tuned: Set<string>;
  calls: number;
};

async function rounds(state: State, run: Run): Promise<string> {
  const { settings, measured } = state;
  const all = settings.calls ?? usualCalls;
  for (let round = 1; state.calls < all; round += 1) {
    if (round > 1 && !(await measured.hasTime(run))) return 'The time is over.';
    const engines = chosenEngines(state);
    if (engines.length === 0) return 'No engine has anything left to try.';
    const share = Math.ceil(Math.min(sliceOf(state), all - state.calls) / engines.length);
    const before = measured.ranked()[0] ?? null;
    await sideBySide(
      run,
      engines,
      (engine) => `${round}-${engine}`,
      (engine, here) => slice(state, here, { engine, round, share, before }),
    );
  }
  return 'All calls are made.';
}

/** The first slice is for first programs: the root of what there is room for, as in evolution. */
function sliceOf({ settings, measured }: State): number {
  const all = settings.calls ?? usualCalls;
  const slice = settings.sliceCalls ?? leastSlice;
  return measured.ran.length > 0 ? slice * settings.atOnce : Math.max(leastSlice, Math.round(Math.sqrt(all)));
}

/** Where nothing works yet, the first engine alone: the others need a program to begin with. */
function chosenEngines({ settings, measured, choices, tuned }: State): readonly EngineName[] {
  const [first, ...rest] = settings.engines;
  const best = measured.ranked()[0];
  if (!best) return first && first !== 'parameter-search' ? [first] : rest.slice(0, 1);
  const able = settings.engines.filter((engine) => engine !== 'parameter-search' || isTunable(best, tuned));
  const chosen: EngineName[] = [];
  while (chosen.length < Math.min(settings.atOnce, able.length)) {
    const next = choices.operators.choose(able.filter((engine) => !chosen.includes(engine)));
    if (next === null) break;
    chosen.push(next);
  }
  return chosen;
}

function isTunable({ source }: Ran, tuned: ReadonlySet<string>): boolean {
  const lifted = liftConstants(source);
  const constants = chosenConstants(lifted, mostConstants);
  return !tuned.has(source) && constants.length > 0 && lifted.complaints.length === 0;
}

type Slice = {
  readonly engine: EngineName;
  readonly round: number;
  readonly share: number;
  /** The best as the round began: what an engine begins with, and is measured against. */
  readonly before: Ran | null;
};

async function slice(state: State, run: Run, { engine, round, share, before }: Slice): Promise<void> {
  const { measured, parts, choices, problem, learned } = state;
  const spent = { calls: 0, cases: 0 };
  const solution = await parts.solve(engine, {
    problem: within(problem, measured.cases.search),
    run,
    limits: { ...run.limits, modelCalls: share },
    settings: settingsFor(state, engine, { share, before }),
    watch: {
      call: () => {
        state.calls += 1;
        spent.calls += 1;
      },
      evaluated: (of, evaluation) => {
        const { cases } = programEvaluationIn(evaluation);
        spent.cases += cases.length;
        const known = state.known.get(of) ?? new Map<string, CaseOutcome>();
        for (const outcome of cases) known.set(outcome.name, outcome);
        state.known.set(of, known);
      },
      note: (kind, data) => {
        if (engine !== 'evolution') return;
        if (kind === 'analysis') learned.analysis = data.analysis;
        if (kind === 'strategies' && !data.isMore) learned.strategies = data.strategies;
      },
    },
  });
  const answer = solution.answer?.type === 'source' ? solution.answer.source : null;
  if (engine === 'parameter-search') state.tuned.add(before?.source ?? '').add(answer ?? '');
  const worthBefore = before && measured.worthOf(before);
  if (answer !== null && !measured.ran.some(({ source }) => source === answer)) {
    const known = [...(state.known.get(answer)?.values() ?? [])];
    const searched = known.filter((outcome) => measured.cases.search.includes(outcome.name));
    await measured.run(run, answer, engine, searched);
  }
  const own = measured.ran.find(({ source }) => source === answer);
  const worth = own ? measured.worthOf(own) : null;
  const gain = worth === null ? null : worth - (worthBefore ?? worth);
  const usual = { tokens: { input: null, output: null }, costUsd: null, calls: spent.calls };
  choices.operators.learn(engine, { gain, cost: choices.costs.of(usual, spent.cases) });
  const best = measured.ranked()[0];
  noteOfEngine(run, name, 'slice', {
    round,
    engine,
    ...spent,
    gain,
    score: best ? measured.scoreOf(best) : null,
  });
}

/** What an engine is told of its slice goes before what the header says of it. */
function settingsFor(
  { settings, learned }: State,
  engine: EngineName,
  { share, before }: Pick<Slice, 'share' | 'before'>,
): JsonObject {
  const { timeLimitSeconds, timeMargin, onFailure, repairs } = settings;
  const common = { timeLimitSeconds, timeMargin, onFailure, repairs, searchCases: null, heldOutCases: 0 };
  const candidates = Math.max(1, Math.floor(share / callsOfCandidate));
  switch (engine) {
    case 'best-of-n':
      return { ...common, programs: candidates };
    case 'edit-and-test':
      return { ...common, turns: share, source: before?.source ?? null };
    case 'evolution': {
      const given = before ? [{ name: before.name, source: before.source }] : [];
      const size = { maxGenerations: 1, populationSize: candidates, islands: 1, beginnings: 1 };
      return {
        ...common,
        ...learned,
        ...size,
        linesPerIsland: 2,
        given,
        plateauGenerations: 0,
        reevaluateEvery: 0,
      };
    }
    case 'parameter-search':
      return { source: before?.source ?? '', timeLimitSeconds, timeMargin, unseenCases: 0, evaluations: 24 };
  }
}

/** Engines search on the same cases, and none of them chooses on the held-out ones. */
function within(problem: ProblemWith<'program'>, cases: readonly string[]): ProblemWith<'program'> {
  return { ...problem, program: { ...problem.program, cases } };
}
