/**
 * The search on a contest that comes with Polya, with compiler, sandbox and official tool: against the best of proposals
 * that do not build on one another, after as many cases. In the place of a model a script changes the constants that the
 * program marks, by chance. What comes out is judged on cases that neither has seen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evolution } from '../src/agents/search/evolution.ts';
import type { Agent } from '../src/core/agent.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Family } from '../src/core/problem.ts';
import { isBetter, type ProgramEvaluation, programEvaluationIn, shareOfBest } from '../src/core/program.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { bootstrapMean, mean } from '../src/core/statistics/bootstrap.ts';
import { ahcFamily } from '../src/families/ahc/family.ts';
import { layout } from '../src/families/ahc/layout.ts';
import { createIo } from '../src/io/files.ts';
import { localFiles } from '../src/io/local-files.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { ahcParts } from '../src/open/families/ahc/parts.ts';
import { startRun } from '../src/run/start.ts';
import { chooseSandbox } from '../src/sandbox/choose.ts';
import { practiceWorkspace, solutionFile } from '../test/ahc/practice-workspace.ts';
import { agentOf } from '../test/support/odd.ts';
import { benchSettings } from './evolution.ts';
import type { Bench, Row } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openWorld } from './world.ts';

/** The first twelve were looked at before the number of islands was left to the search. */
const seeds = Array.from({ length: 12 }, (_, at) => `seed ${at + 13}`);
const candidates = 16;
const program = readFileSync(solutionFile('tunable'), 'utf8');

export const evolutionContestBench: Bench = {
  name: 'evolution-contest',
  note: 'Parcels (polya002), two constants; the model is a script. Shares are of the better of all scores seen, on 50 cases that nobody searched on.',
  run: async () => {
    const pairs: Pair[] = [];
    for (const seed of seeds) {
      const search = await searched(seed, evolution, searchSettings);
      const floor = await searched(seed, bestOf(search.cases), {});
      const apart = await searched(seed, evolution, { ...searchSettings, islands: 2 });
      pairs.push({ ours: search.source, floor: floor.source, apart: apart.source });
    }
    return judged(pairs);
  },
};

const searchSettings: JsonObject = {
  ...benchSettings,
  given: [{ name: 'tunable.cpp', source: program }],
  searchCases: 10,
  maxGenerations: 2,
  populationSize: candidates / 2,
  operators: { change: 1, rewrite: 0, tune: 0 },
};

/** `apart`: the same search on two islands, which have eight candidates each. */
type Pair = { readonly ours: string; readonly floor: string; readonly apart: string };

type Searched = { readonly source: string; readonly cases: number };

async function searched(seed: string, agent: Agent, settings: JsonObject): Promise<Searched> {
  const counted = { cases: 0 };
  await using world = openWorld({ agent, model: changing(seed) });
  using folder = temporaryFolder();
  const { family, io } = contestIn(folder.path, counted);
  const spec = {
    id: 'run',
    family: 'ahc',
    problem: { workspace: workspaceIn(folder.path), cases: '0-49' },
    agent: agent.name,
    settings,
    models: { default: 'bench' },
    seed,
  };
  const end = await (await startRun({ ...world, io, family: async () => family }, spec)).done;
  const answer = end.solution?.answer;
  if (answer?.type !== 'source') throw new Error(`The search came to nothing: ${end.error?.message}`);
  return { source: answer.source, cases: counted.cases };
}

function workspaceIn(folder: string): string {
  const workspace = practiceWorkspace(folder);
  writeFileSync(join(workspace, layout.statement), '# Parcels\n');
  return workspace;
}

/** Without grading, which is a look of its own at what came out. */
function contestIn(folder: string, counted: { cases: number }) {
  const own = ahcFamily(ahcParts(localFiles(folder), process.env));
  const family: Family = {
    ...own,
    open: (spec) => {
      const { program: task, spec: same } = own.open(spec);
      if (!task) throw new Error('The contest offers no program.');
      const evaluate: typeof task.evaluate = async (source, cases, context) => {
        const evaluation = await task.evaluate(source, cases, context);
        counted.cases += programEvaluationIn(evaluation).cases.length;
        return evaluation;
      };
      return { spec: same, program: { ...task, evaluate } };
    },
  };
  const identity = { tool: 'polya', version: '0' };
  return { family, io: createIo({ sandbox: chooseSandbox(), filesFolder: folder, identity }) };
}

function changing(seed: string) {
  return scriptedModel({
    id: 'bench',
    script: ({ branch, index, request }) => {
      const { next } = seededChance(`${seed} ${branch} ${index}`);
      const shown = request.messages
        .map(({ content }) => (typeof content === 'string' ? content : ''))
        .join('\n');
      const source = /```cpp\n([\s\S]*?)```/.exec(shown)?.[1] ?? program;
      return { text: `IDEA: by chance\n\n\`\`\`cpp\n${changed(source, next).trimEnd()}\n\`\`\`` };
    },
  });
}

/** One of the marked constants anew within its range, or near where it is. */
function changed(source: string, next: () => number): string {
  const marks = [...source.matchAll(/= (-?[\d.]+);\s*\/\/ tune: (-?[\d.]+)\.\.(-?[\d.]+)/g)];
  const mark = marks[Math.floor(next() * marks.length)];
  if (!mark) return source;
  const [all, value, low, high] = mark;
  const [least, most] = [Number(low), Number(high)];
  const step = Number(value) + (next() + next() - 1) * 0.4 * (most - least);
  const drawn = next() < 0.5 ? least + next() * (most - least) : Math.min(most, Math.max(least, step));
  // Two constants may be written alike: the one that was drawn is changed.
  const written = all.replace(/= -?[\d.]+;/, `= ${drawn.toFixed(3)};`);
  return `${source.slice(0, mark.index)}${written}${source.slice(mark.index + all.length)}`;
}

function bestOf(cases: number): Agent {
  return agentOf(
    async (run) => {
      let [bestSource, bestScore, used] = [program, Number.POSITIVE_INFINITY, 0];
      const names = Array.from({ length: 10 }, (_, at) => String(at * 5).padStart(4, '0'));
      while (used < cases) {
        const source = changed(program, () => run.random());
        const { cases: outcomes } = programEvaluationIn(await run.evaluate(source, names));
        used += Math.max(1, outcomes.length);
        const score = mean(outcomes.map((outcome) => outcome.score ?? Number.POSITIVE_INFINITY)) ?? 0;
        if (score < bestScore) [bestSource, bestScore] = [source, score];
      }
      return { end: 'answered', answer: { type: 'source', language: 'cpp', source: bestSource } };
    },
    { name: 'best-of' },
  );
}

async function judged(pairs: readonly Pair[]): Promise<readonly Row[]> {
  const all = await onUnseen([program, ...pairs.flatMap(({ ours, floor, apart }) => [ours, floor, apart])]);
  const best = new Map<string, number>();
  for (const { cases } of all) {
    for (const { name, score } of cases) {
      const known = best.get(name);
      if (score !== null && (known === undefined || isBetter(score, known, 'minimise')))
        best.set(name, score);
    }
  }
  const shares = all.map(({ cases }) =>
    cases.map(({ name, score }) =>
      score === null ? 0 : shareOfBest(score, best.get(name) ?? null, 'minimise'),
    ),
  );
  const of = (at: number) => mean(shares[at] ?? []) ?? 0;
  const [ours = [], floor = [], apart = []] = [0, 1, 2].map((side) =>
    pairs.map((_, pair) => of(1 + 3 * pair + side)),
  );
  const [evolved, drawn] = [100 * (mean(ours) ?? 0), 100 * (mean(floor) ?? 0)];
  const bare = { floor: null, against: '', ratio: null, aim: null };
  return [
    { ...bare, what: 'share of the best that the search began with', unit: '%', measured: 100 * of(0) },
    {
      ...{
        what: `share of the best after ${candidates} candidates`,
        unit: '%',
        measured: evolved,
        floor: drawn,
      },
      ...{
        against: `best of N after as many cases, ${seeds.length} seeds`,
        ratio: evolved / drawn,
        aim: null,
      },
    },
    { ...bare, ...difference('… evolution less best of N', ours, floor) },
    { ...bare, what: '… on two islands', unit: '%', measured: 100 * (mean(apart) ?? 0) },
    { ...bare, ...difference('… two islands less as many as there is room for', apart, ours) },
  ];
}

/** Paired by seed. */
function difference(what: string, first: readonly number[], second: readonly number[]) {
  const gains = first.map((each, at) => 100 * (each - (second[at] ?? 0)));
  const interval = bootstrapMean(gains, { random: seededChance('contest').next });
  const between = `95 %: ${interval?.low.toFixed(2)} to ${interval?.high.toFixed(2)}`;
  return { what: `${what} (${between})`, unit: '%', measured: mean(gains) ?? 0 };
}

async function onUnseen(sources: readonly string[]): Promise<readonly ProgramEvaluation[]> {
  using folder = temporaryFolder();
  const { family, io } = contestIn(folder.path, { cases: 0 });
  const { signal } = new AbortController();
  const spec = await family.load({ workspace: workspaceIn(folder.path), cases: '50-99' }, io, signal);
  const { program: task } = family.open(spec);
  const found: ProgramEvaluation[] = [];
  for (const source of sources) {
    const context = { io, runId: 'bench', stage: '', past: [], signal };
    found.push(programEvaluationIn((await task?.evaluate(source, task.cases, context)) ?? { data: {} }));
  }
  return found;
}
