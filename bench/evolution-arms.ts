/**
 * One search of the real agent on a cheap world within so many model calls, or so many cases; and what the best of as
 * many drawn programs comes to, exactly, from a table of drawn programs. Both have the same mishaps: `broken` of all
 * replies do not compile, and each repair, of two at most, saves `repaired` of them at the price of a call.
 */
import type { Agent } from '../src/core/agent.ts';
import type { Event } from '../src/core/event.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Message } from '../src/core/model.ts';
import type { Family, ProblemSpec } from '../src/core/problem.ts';
import { programEvaluationIn } from '../src/core/program.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { mean } from '../src/core/statistics/bootstrap.ts';
import { fakeClock } from '../src/io/clock.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { readJournal } from '../src/run/load.ts';
import { startRun } from '../src/run/start.ts';
import { benchSettings } from './evolution.ts';
import type { SearchWorld } from './evolution-worlds.ts';
import { openWorld } from './world.ts';

const [broken, repaired, repairs] = [0.15, 0.6, 2];

/** Of so many programs' worth: what `calls` calls buy, or `cases` cases for each of them. */
export type Budget = { readonly of: 'calls' | 'cases'; readonly programs: number };

/** `spread`: the standard deviation of what drawn programs are worth. */
export type Table = { readonly spread: number; bestOf(budget: Budget): number };

const forSpread = 2_000;

/** So many drawn programs, the best in the cases of a search first; what they are worth is asked where it counts. */
export async function tableOf(world: SearchWorld, size: number): Promise<Table> {
  const { next } = seededChance(`${world.id} table`);
  const drawn: { readonly shown: number; readonly source: string }[] = [];
  for (let at = 0; at < size; at += 1) {
    const source = world.drawn(next);
    drawn.push({ shown: await shownOf(world, source), source });
  }
  const worths = drawn.slice(0, forSpread).map(({ source }) => world.worthOf(source));
  const middle = mean(worths) ?? 0;
  const spread = Math.sqrt(mean(worths.map((worth) => (worth - middle) ** 2)) ?? 0);
  const ordered = drawn.toSorted((a, b) => b.shown - a.shown).map(({ source }) => source);
  const worthAt = (at: number): number => world.worthOf(ordered[at] ?? world.program);
  return { spread, bestOf: (budget) => expectedBest(ordered.length, worthAt, goodPrograms(budget)) };
}

async function shownOf({ task }: SearchWorld, source: string): Promise<number> {
  const context = { signal: new AbortController().signal } as Parameters<typeof task.evaluate>[2];
  const { cases } = programEvaluationIn(await task.evaluate(source, task.cases, context));
  return mean(cases.map(({ score }) => score ?? 0)) ?? 0;
}

/** The chance of each number of programs that work. Cases are spent by what compiles alone. */
function goodPrograms({ of, programs }: Budget): readonly number[] {
  if (of === 'cases') return Array.from({ length: programs + 1 }, (_, at) => (at === programs ? 1 : 0));
  // chance[calls][good]: by the last call of each program.
  let chance = [[1]];
  for (let used = 1; used <= programs; used += 1) {
    const row = Array.from({ length: used + 1 }, () => 0);
    const add = (before: number, gained: number, share: number): void => {
      for (const [good, p] of (chance[before] ?? []).entries())
        row[good + gained] = (row[good + gained] ?? 0) + p * share;
    };
    add(used - 1, 1, 1 - broken);
    for (let tries = 1; tries <= repairs && tries < used; tries += 1) {
      add(used - 1 - tries, 1, broken * (1 - repaired) ** (tries - 1) * repaired);
    }
    if (used > repairs) add(used - 1 - repairs, 0, broken * (1 - repaired) ** repairs);
    chance = [...chance, row];
  }
  const ended = chance[programs] ?? [];
  // A program that is under way when the calls are over does not count.
  const rest = Array.from({ length: programs + 1 }, (_, good) => {
    const underWay = [1, 2].reduce((sum, ago) => {
      const left = broken * (1 - repaired) ** (ago - 1);
      return sum + left * (chance[programs - ago]?.[good] ?? 0);
    }, 0);
    return (ended[good] ?? 0) + underWay;
  });
  return rest;
}

/** Of draws without putting back, from programs in the order of how good they look. */
function expectedBest(size: number, worthAt: (at: number) => number, good: readonly number[]): number {
  const lefts = good.map(() => 1);
  let expected = (good[0] ?? 0) * worthAt(size - 1);
  for (let at = 0; at < size; at += 1) {
    let weight = 0;
    for (const [count, share] of good.entries()) {
      if (count === 0 || share === 0) continue;
      const left = lefts[count] ?? 0;
      const first = left * Math.min(1, count / (size - at));
      weight += share * first;
      lefts[count] = left - first;
    }
    if (weight > 0) expected += weight * worthAt(at);
    if (good.every((share, count) => count === 0 || share < 1e-9 || (lefts[count] ?? 0) < 1e-4)) break;
  }
  return expected;
}

export type Searched = { readonly worth: number; readonly calls: number; readonly cases: number };

const caseMs = 1000;

type SearchAsked = {
  readonly seed: string;
  readonly budget: Budget;
  readonly settings: JsonObject;
  readonly onEvents?: (events: readonly Event[]) => void;
};

export async function searchOn(
  world: SearchWorld,
  agent: Agent,
  { seed, budget, settings, onEvents }: SearchAsked,
): Promise<Searched> {
  const spent = { calls: 0, cases: 0 };
  const clock = fakeClock(0);
  const { task } = world;
  const evaluate: typeof task.evaluate = async (source, names, context) => {
    const evaluation = await task.evaluate(source, names, context);
    const { length } = programEvaluationIn(evaluation).cases;
    spent.cases += length;
    if (budget.of === 'cases') clock.advance(length * caseMs);
    return evaluation;
  };
  const timed = budget.of === 'cases' ? { timeLimitMs: caseMs / 0.9, casesAtOnce: 1 } : {};
  const family: Family = {
    name: 'bench',
    load: async () => spec,
    open: () => ({ spec, program: { ...task, ...timed, evaluate } }),
  };
  const seconds = (budget.programs * task.cases.length * caseMs) / 1000;
  const model = replying(world, seed, () => {
    spent.calls += 1;
  });
  await using opened = openWorld({ agent, model });
  const io = { ...opened.io, clock };
  const asked = {
    id: 'run',
    family: 'bench',
    problem: {},
    agent: agent.name,
    seed,
    models: { default: 'bench' },
    ...(budget.of === 'calls' ? { limits: { modelCalls: budget.programs } } : {}),
    prompts: Object.fromEntries(
      Object.keys(agent.prompts).flatMap((name) => {
        const words = asks[name];
        return words === undefined ? [] : [[name, words]];
      }),
    ),
    settings: settings.own === true ? {} : { ...settingsOf(agent), timeLimitSeconds: seconds, ...settings },
  };
  const end = await (await startRun({ ...opened, io, family: async () => family }, asked)).done;
  if (end.outcome === 'error') throw new Error(`A search ended in an error: ${end.error?.message}`);
  if (onEvents) onEvents((await readJournal(opened.store, 'run')).events);
  const answer = end.solution?.answer;
  return { ...spent, worth: world.worthOf(answer?.type === 'source' ? answer.source : world.program) };
}

/** No call goes to anything but programs, and each agent would use all that it is given. */
function settingsOf(agent: Agent): JsonObject {
  const common = { heldOutCases: 0 };
  const operators = { change: 0.7, rewrite: 0.3, tune: 0 };
  if (agent.name === 'best-of-n') return { ...common, programs: 10_000, atOnce: 1 };
  return { ...benchSettings, ...common, operators, maxGenerations: 10_000 };
}

/** The script knows by these what it is asked for, however the real words change. */
const asks: Readonly<Record<string, string>> = {
  firstProgram: 'ASKED: first',
  change: 'ASKED: change',
  rewrite: 'ASKED: rewrite',
  crossover: 'ASKED: crossover',
  opening: 'Improve programs.',
  repairCompile: '{{program}}\nASKED: repair',
  repairCases: '{{program}}\nASKED: repair',
  drawn: 'ASKED: first',
  failed: 'ASKED: repair',
};

const spec: ProblemSpec = {
  ...{
    family: 'bench',
    id: 'bench-1',
    title: 'Bench',
    reference: {},
    contentHash: 'bench',
    stages: [],
    detail: {},
  },
  statement: [{ type: 'text', text: 'Print what is best.' }],
  brief: { task: 'do well', answerFormat: 'a program', criteria: 'more is better', environment: '' },
};

/** Changes by what it is asked and shown; how it fails does not depend on that. */
function replying(world: SearchWorld, seed: string, onCall: () => void) {
  const tries = new Map<string, number>();
  return scriptedModel({
    id: 'bench',
    script: ({ branch, index, role, request }) => {
      onCall();
      const { next } = seededChance(`${world.id} ${seed} ${branch} ${role} ${index}`);
      const texts = request.messages.map(textIn).toReversed();
      const asked = /ASKED: (\w+)/.exec(texts[0] ?? '')?.[1] ?? 'change';
      // In a conversation the program is the one that was last replied.
      const [shown = world.program, other = shown] =
        texts.map(programsIn).find(({ length }) => length > 0) ?? [];
      const before = tries.get(shown) ?? 0;
      if (asked === 'change') tries.set(shown, before + 1);
      const made = madeBy[asked]?.(world, { shown, other, before, next }) ?? shown;
      const breaks = next() < (asked === 'repair' ? 1 - repaired : broken);
      const source = breaks ? `${made.trimEnd()}\nBROKEN\n` : made;
      return { text: `IDEA: ${asked} ${Math.floor(next() * 1e9)}\n\n\`\`\`cpp\n${source.trimEnd()}\n\`\`\`` };
    },
  });
}

const programsIn = (text: string): readonly string[] =>
  [...text.matchAll(/```cpp\n([\s\S]*?)```/g)].map(([, program = '']) => program);

function textIn({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

type Shown = {
  readonly shown: string;
  readonly other: string;
  readonly before: number;
  readonly next: () => number;
};

const madeBy: Readonly<Record<string, (world: SearchWorld, shown: Shown) => string>> = {
  first: (world, { next }) => world.drawn(next),
  change: (world, { shown, before, next }) => world.changed(shown, before, next),
  rewrite: (world, { shown, next }) => world.rewritten(shown, next),
  crossover: (world, { shown, other, next }) => world.joined(shown, other, next),
  repair: (_world, { shown }) => shown.replaceAll(/^BROKEN\n/gm, ''),
};
