/**
 * The report on runs of questions, system by system: a system is an agent with its settings and its models. Of a vote it
 * tells what it is worth against its members: how good each strategy would have been alone, by its first sample of each
 * run, and how often the ensemble was right where that was wrong. What a table, JSON and CSV show is made of this. Pure.
 */
import { UserError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/json.ts';
import { accuracyOf, type Comparison, compare, type Probabilities } from '../../../core/statistics/graded.ts';
import { holm } from '../../../core/statistics/paired.ts';
import type { Measured, Member } from './measure.ts';
import { addSpent, addTwo, type Spent } from './spent.ts';

export type Report = ReturnType<typeof reportOn>;
export type SystemReport = ReturnType<typeof reportOnSystem>;
export type SystemComparison = Report['comparisons'][number];
export type Group = SystemReport['groups'][number];
export type StrategyReport = ReturnType<typeof strategyReports>[number];
export type VoteReport = NonNullable<ReturnType<typeof voteReport>>;

/** Runs of one agent in two sets are two systems, `origin` being what tells them apart. */
export type Placed = { readonly origin: string; readonly run: Measured };

/** `against`: the number of the system that the others are compared with, from 1 on, or a part of its name. */
export function reportOn(placed: readonly Placed[], chances: Probabilities, against = '1') {
  const systems = groupSystems(placed);
  const reports = systems.map(({ name, runs }) => reportOnSystem(name, runs, chances));
  const first = systems.length > 0 ? baseline(systems, against) : undefined;
  const siblings = systems.filter((system) => system !== first);
  const compared = first
    ? siblings.map((other) => ({ other, ...compare(first.runs, other.runs, chances) }))
    : [];
  // Two systems with no question in common are not compared, and what is not compared corrects nothing.
  const tested = compared.filter(({ questions }) => questions > 0);
  const corrected = holm(tested.map(({ p }) => p));
  return {
    systems: reports,
    /** Each with the baseline. */
    comparisons: compared.map(({ other, ...comparison }) => ({
      ...comparison,
      firstName: first?.name ?? '',
      secondName: other.name,
      /** By Holm, where several are compared with the baseline. */
      corrected: corrected[tested.findIndex((each) => each.other === other)] ?? comparison.p,
    })),
  };
}

function baseline(systems: readonly System[], against: string): System {
  const system = /^\d+$/.test(against) ? systems[Number(against) - 1] : undefined;
  const found = system ? [system] : systems.filter(({ name }) => name.includes(against));
  const exact = systems.find(({ name }) => name === against) ?? found[0];
  if (exact && (found.length === 1 || exact.name === against)) return exact;
  throw new UserError({
    code: 'no-such-system',
    what: `${found.length === 0 ? 'No system has' : `${found.length} systems have`} "${against}" in the name.`,
    fix: `Name one by its number or its name: ${systems.map(({ name }, at) => `${at + 1} (${name})`).join(', ')}.`,
  });
}

type System = { readonly name: string; readonly runs: readonly Measured[] };

function groupSystems(placed: readonly Placed[]): readonly System[] {
  const groups = new Map<string, { readonly of: Placed; readonly runs: Measured[] }>();
  for (const each of placed) {
    const { agent, settings, models } = each.run;
    const key = canonicalJson([each.origin, agent, settings, specsOf(models)]);
    const known = groups.get(key);
    if (known) known.runs.push(each.run);
    else groups.set(key, { of: each, runs: [each.run] });
  }
  const all = [...groups.values()].map(({ of }) => of);
  return [...groups.values()].map(({ of, runs }) => ({ name: nameOf(of, all), runs }));
}

/** A name from the parts in which the system differs from the others. */
function nameOf(of: Placed, all: readonly Placed[]): string {
  const differs = (part: (each: Placed) => string, options: readonly Placed[]) =>
    new Set(options.map(part).filter((text) => text !== '')).size > 1;
  const similar = all.filter(({ run }) => run.agent === of.run.agent);
  const settingsOf = ({ run }: Placed) => canonicalJson(run.settings);
  const prefix = sharedProvider(all);
  const modelsOf = ({ run }: Placed) =>
    specsOf(run.models)
      .map((spec) => withoutFolder(spec.startsWith(prefix) ? spec.slice(prefix.length) : spec))
      .join(' ');
  const parts = [
    of.run.agent,
    differs(({ origin }) => origin, all) ? of.origin : '',
    differs(modelsOf, all) ? modelsOf(of) : '',
    differs(settingsOf, similar) ? settingsOf(of) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `openai/` where all models are of that provider. */
function sharedProvider(all: readonly Placed[]): string {
  const specs = all.flatMap(({ run }) => specsOf(run.models));
  const [prefix = ''] = /^[\w.-]+\//.exec(specs[0] ?? '') ?? [];
  return specs.every((spec) => spec.startsWith(prefix)) ? prefix : '';
}

/** `scripted:/home/me/replies.yaml` by the name of its file. */
function withoutFolder(spec: string): string {
  return spec.replace(/:\/.*\//, ':');
}

/** `openai/gpt-5.1`, or `role=MODEL` for a model of one role. */
export function specsOf(models: Measured['models']): readonly string[] {
  const names = Object.entries(models).map(([role, { spec }]) =>
    role === 'default' ? spec : `${role}=${spec}`,
  );
  return [...new Set(names)].sort();
}

function reportOnSystem(name: string, runs: readonly Measured[], chances: Probabilities) {
  const models: Measured['models'] = Object.assign({}, ...runs.map((run) => run.models));
  return {
    name,
    models,
    runs: runs.length,
    accuracy: accuracyOf(runs),
    /** Questions that were right in at least one of their runs. */
    rightOnce: new Set(runs.filter(({ isRight }) => isRight).map(({ question }) => question)).size,
    spent: addSpent(runs.map(({ spent }) => spent)),
    possiblyBilled: runs.reduce((sum, { possiblyBilled }) => sum + possiblyBilled, 0),
    outcomes: countNames(runs.map(({ outcome }) => outcome)),
    /** Why runs are not right: of each outcome how many, and the reasons from the commonest on. */
    reasons: collectReasons(runs),
    /** Problems that ask what another one asks, word for word: they are one question. */
    twins:
      new Set(runs.map(({ problem }) => problem)).size - new Set(runs.map(({ question }) => question)).size,
    /** Ended, and not graded although there is a gold answer: a provider was down, a defect. */
    ungraded: runs.filter(({ gold, isRight }) => gold !== null && isRight === null).length,
    groups: groupsIn(runs),
    strategies: strategyReports(runs, chances),
    vote: voteReport(runs),
  };
}

function collectReasons(runs: readonly Measured[]) {
  const failed = runs.filter((run) => isWrong(run) && run.outcome !== 'wrong');
  return [...Map.groupBy(failed, ({ outcome }) => outcome)].map(([outcome, members]) => ({
    outcome,
    runs: members.length,
    // What follows the first sentence is of one run alone: its answer, its last words.
    reasons: Object.entries(countNames(members.map(({ why }) => firstSentence(why))))
      .map(([why, number]) => ({ why, runs: number }))
      .toSorted((a, b) => b.runs - a.runs),
  }));
}

const firstSentence = (why: string): string => /^.*?[.!?](?=\s|$)/.exec(why)?.[0] ?? why;

/** Graded as wrong, or ended without anything that could be graded. */
export function isWrong({ isRight, outcome }: Measured): boolean {
  return isRight === false || (isRight === null && outcome !== 'answered');
}

const plannedType = 'planned type';

function groupsIn(runs: readonly Measured[]) {
  const columns = [...new Set(runs.flatMap(({ types }) => Object.keys(types)))];
  const keys: readonly (readonly [string, (run: Measured) => string | null])[] = [
    ...columns.map((column) => [column, ({ types }: Measured) => types[column] ?? null] as const),
    [plannedType, ({ plan }) => plan && (plan.problemType.trim() || 'not said')],
  ];
  return keys.flatMap(([by, keyOf]) => {
    const groups = Map.groupBy(runs, keyOf);
    const named = [...groups].flatMap(([name, members]) => (name === null ? [] : [{ name, members }]));
    const sorted = named.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return sorted.map(({ name, members }) => ({
      /** `subject`, `level`; `planned type` is what a planner said. */
      by,
      name,
      runs: members.length,
      accuracy: accuracyOf(members),
      spent: addSpent(members.map(({ spent }) => spent)),
    }));
  });
}

export function strategyReports(runs: readonly Measured[], chances: Probabilities) {
  const names = [...new Set(runs.flatMap(({ members }) => members.map(({ strategy }) => strategy)))];
  return names.map((strategy) => {
    const samples = runs.flatMap((run) => ofStrategy(run, strategy).map((member) => ({ run, member })));
    const graded = samples.map(({ run, member }) => ({ question: run.question, isRight: member.isRight }));
    return {
      strategy,
      samples: samples.length,
      answered: samples.filter(({ member }) => member.answer !== null).length,
      /** Why the others have no answer, and how often. */
      failures: countNames(samples.flatMap(({ member }) => member.failed ?? [])),
      /** How the replies of those ended that failed as `cut-off`. */
      cuts: countNames(samples.flatMap(({ member }) => (member.failed === null ? [] : (member.cut ?? [])))),
      /** The accuracy of its samples; those without an answer are wrong. */
      accuracy: accuracyOf(graded),
      spent: addSpent(samples.map(({ member }) => member.spent)),
      /** Runs whose vote would have ended otherwise without it. */
      decisive: runs.filter(({ decisive }) => decisive.includes(strategy)).length,
      /** Runs in which the answer that was handed in is one of its own. */
      handedIn: runs.filter((run) => isSubmitted(run, strategy)).length,
      repairs: samples.reduce((sum, { member }) => sum + member.repairs, 0),
      /** Right alone, by its first sample, against the ensemble; null where there is no ensemble. */
      alone: soleSupporters(runs, strategy, chances),
    };
  });
}

/** How often each of them is there. */
export function countNames(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Null where no run voted. */
export function voteReport(runs: readonly Measured[]) {
  const voted = runs.filter(({ decision }) => decision !== null);
  if (voted.length === 0) return null;
  const paths = [...new Set(voted.map(({ decision }) => decision?.by ?? ''))].sort();
  const late = voted.reduce((sum, run) => sum + lateMembers(run), 0);
  const saved = voted.map(({ vote }) => (vote ? vote.savedTokensEstimate : 0));
  return {
    runs: voted.length,
    /** How often each way of deciding came about, and how often it was right. */
    decidedBy: paths.map((by) => {
      const decided = voted.filter(({ decision }) => decision?.by === by);
      return { by, runs: decided.length, right: decided.filter(({ isRight }) => isRight === true).length };
    }),
    /** A member had the right answer, and the ensemble handed in none or another. */
    lostRight: voted.filter(
      ({ isRight, members }) => isRight === false && members.some((member) => member.isRight === true),
    ).length,
    extraSamples: voted.reduce((sum, { vote }) => sum + (vote?.extra ?? 0), 0),
    /** Broken off, or never asked. */
    sparedSamples: voted.reduce((sum, { vote }) => sum + (vote?.spared.length ?? 0), 0) - late,
    /** They have answered, when the vote was decided already. */
    lateSamples: late,
    /** An estimate; null where it is not known. */
    savedTokens: saved.includes(null) ? null : saved.reduce((sum: number, each) => sum + (each ?? 0), 0),
    /** Calls of the planner and the self-correction, and cancelled samples. */
    beside: disagreeing(voted),
    unknownRecommendations: voted.filter(({ plan }) => plan !== null && plan.recommended !== 'stated').length,
  };
}

/** The vote calls these samples spared, because it never saw their answers. */
function lateMembers({ members, vote }: Measured): number {
  if (!vote || vote.spared.length === 0) return 0;
  const counts = new Set(vote.clusters.flatMap(({ samples }) => samples));
  const delayed = members.filter(({ answer, number }) => answer !== null && !counts.has(number));
  return Math.min(delayed.length, vote.spared.length);
}

function ofStrategy({ members }: Measured, strategy: string): readonly Member[] {
  return members.filter((member) => member.strategy === strategy);
}

function isSubmitted({ decision, members }: Measured, strategy: string): boolean {
  const numbers = decision?.samples ?? [];
  return members.some((member) => member.strategy === strategy && numbers.includes(member.number));
}

/** Runs that have no sample of it say nothing: it was not asked, or broken off when the vote was decided. */
function soleSupporters(
  runs: readonly Measured[],
  strategy: string,
  chances: Probabilities,
): Comparison | null {
  const pairs = runs.flatMap((run) => {
    const [first] = run.decision ? ofStrategy(run, strategy) : [];
    return first ? [{ run, first }] : [];
  });
  if (pairs.length === 0) return null;
  // A run is a pair of its own: its first sample and its outcome belong to the same draw.
  const keyed = (pick: (pair: (typeof pairs)[number]) => boolean | null) =>
    pairs.map((pair) => ({ question: pair.run.runId, isRight: pick(pair) }));
  return compare(
    keyed(({ first }) => first.isRight),
    keyed(({ run }) => run.isRight),
    chances,
  );
}

function disagreeing(runs: readonly Measured[]): Spent {
  const all = addSpent(runs.map(({ spent }) => spent));
  const inside = addSpent(runs.flatMap(({ members }) => members.map(({ spent }) => spent)));
  const sibling = addTwo(all, -1, inside);
  return { ...sibling, costUsd: Math.max(0, sibling.costUsd), timeMs: 0 };
}
