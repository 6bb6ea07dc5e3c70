/** Asks for several proposals at once, runs all on the same first cases, and goes on with the best of them. */
import type { ProgramEvaluation } from '../../../core/program.ts';
import { write } from '../../../notes/evolution.ts';
import { sumOf } from '../asking.ts';
import type { Slot } from '../generations.ts';
import { evaluateOn, shuffled } from '../race.ts';
import { type Search, sideBySide } from '../search.ts';
import { type CarriedOut, carryOut, type Work } from './carry-out.ts';
import type { Plan } from './plan.ts';

/** `begun`: what it came to on the first cases; null where there was nothing to choose among. */
type Chosen = { readonly made: CarriedOut; readonly begun: ProgramEvaluation | null };

export async function bestOfChildren(work: Work, plan: Plan, slot: Slot): Promise<Chosen> {
  const { search, run, doing } = work;
  const { children } = search.settings;
  // A repair and a tuning are no choice among ideas.
  const isChoice = plan.operator !== 'initial' && plan.operator !== 'repair' && plan.operator !== 'tune';
  if (children === 1 || !isChoice) return { made: await carryOut(work, plan), begun: null };
  const names = Array.from({ length: children }, (_, at) => `child-${at + 1}`);
  const made = await sideBySide(run, names, String, (name, here) =>
    carryOut({ ...work, run: here, asker: { ...work.asker, place: names.indexOf(name) } }, plan),
  );
  const able = distinct(search, made, plan);
  const [first] = made;
  if (able.length === 0 && first) return { made: joined(first, made), begun: null };
  doing(`compares ${able.length} proposals for ${slot.id}`);
  const cases = shuffled(run, search.cases.search).slice(0, Math.min(...search.settings.raceAfter));
  const found: Chosen[] = [];
  for (const each of able) {
    const begun = await evaluateOn(run, each.source ?? '', cases);
    search.points.learn(begun.cases);
    found.push({ made: each, begun });
  }
  const [best] = found.toSorted((a, b) => worthOf(search, b) - worthOf(search, a));
  if (!best) throw new Error('There is no proposal to choose.');
  for (const each of made.filter((other) => other !== best.made)) {
    const because = reasonAgainst(search, each, found.find((child) => child.made === each) ?? null);
    write(run, 'passed-over', { id: slot.id, summary: each.summary, because });
  }
  return { made: joined(best.made, made), begun: best.begun };
}

/** Proposals with a program that is new here and in the search. */
function distinct(search: Search, made: readonly CarriedOut[], plan: Plan): readonly CarriedOut[] {
  const parents = 'parent' in plan ? [plan.parent.id] : [];
  const seen = new Set<string>();
  return made.filter(({ source }) => {
    if (source === null || seen.has(source.trim())) return false;
    seen.add(source.trim());
    const nearest = search.novelty.nearest({ id: '', source, parents });
    return (nearest?.likeness ?? 0) < search.settings.noveltyThreshold;
  });
}

function worthOf({ points, settings }: Search, { begun }: Chosen): number {
  const mean = begun?.compiled ? points.meanOf(begun.cases, settings) : null;
  return mean ?? Number.NEGATIVE_INFINITY;
}

function reasonAgainst(search: Search, { source, detail }: CarriedOut, child: Chosen | null): string {
  if (!child) return source === null ? detail : 'too much like a program that is known';
  if (child.begun?.compiled === false) return 'does not compile';
  if (worthOf(search, child) === Number.NEGATIVE_INFINITY) return 'fails on one of the first cases';
  return `another was better on the first ${child.begun?.cases.length ?? 0} cases`;
}

/** All were paid for, whichever was chosen. */
function joined(chosen: CarriedOut, all: readonly CarriedOut[]): CarriedOut {
  const sum = (pick: (each: CarriedOut) => number | null) => all.map(pick).reduce(sumOf, 0);
  return {
    ...chosen,
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum(({ tokens }) => tokens.output) },
    calls: sum(({ calls }) => calls) ?? 0,
    costUsd: sum(({ costUsd }) => costUsd),
    parameters: { ...chosen.parameters, children: all.length },
  };
}
