/**
 * The report on runs of questions, system by system: a system is an agent with its settings and its models. What a table,
 * JSON and CSV show is made of this. Pure.
 */
import { canonicalJson } from '../../../core/json.ts';
import { holm } from '../../../core/statistics/holm.ts';
import {
  type Accuracy,
  accuracyOf,
  addSpent,
  type Chances,
  type Comparison,
  compare,
  type Spent,
} from './compare.ts';
import type { Measured } from './measure.ts';
import { counted, type StrategyReport, strategyReports, type VoteReport, voteReport } from './members.ts';

export type Group = {
  /** `subject`, `level`; `planned type` is what a planner said. */
  readonly by: string;
  readonly name: string;
  readonly runs: number;
  readonly accuracy: Accuracy;
  readonly spent: Spent;
};

export type SystemReport = {
  readonly name: string;
  readonly models: Measured['models'];
  readonly runs: number;
  readonly accuracy: Accuracy;
  /** Questions that were right in at least one of their runs. */
  readonly rightOnce: number;
  readonly spent: Spent;
  readonly possiblyBilled: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Ended, and graded by nobody although there is a gold answer: a provider was down, a defect. */
  readonly ungraded: number;
  readonly groups: readonly Group[];
  readonly strategies: readonly StrategyReport[];
  readonly vote: VoteReport | null;
};

export type SystemComparison = Comparison & {
  readonly firstName: string;
  readonly secondName: string;
  /** By Holm, where several are compared with the first. */
  readonly corrected: number;
};

export type Report = {
  readonly systems: readonly SystemReport[];
  /** Each with the first. */
  readonly comparisons: readonly SystemComparison[];
};

/** Runs of one agent in two sets are two systems, `origin` being what tells them apart. */
export type Placed = { readonly origin: string; readonly run: Measured };

export function reportOn(placed: readonly Placed[], chances: Chances): Report {
  const systems = systemsIn(placed);
  const reports = systems.map(({ name, runs }) => reportOnSystem(name, runs, chances));
  const [first, ...others] = systems;
  const compared = first
    ? others.map((other) => ({ other, ...compare(first.runs, other.runs, chances) }))
    : [];
  const corrected = holm(compared.map(({ p }) => p));
  return {
    systems: reports,
    comparisons: compared.map(({ other, ...comparison }, at) => ({
      ...comparison,
      firstName: first?.name ?? '',
      secondName: other.name,
      corrected: corrected[at] ?? comparison.p,
    })),
  };
}

type System = { readonly name: string; readonly runs: readonly Measured[] };

function systemsIn(placed: readonly Placed[]): readonly System[] {
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

/** By what it does not have in common with the others. */
function nameOf(of: Placed, all: readonly Placed[]): string {
  const differs = (part: (each: Placed) => string, among: readonly Placed[]) =>
    new Set(among.map(part).filter((text) => text !== '')).size > 1;
  const alike = all.filter(({ run }) => run.agent === of.run.agent);
  const settingsOf = ({ run }: Placed) => canonicalJson(run.settings);
  const modelsOf = ({ run }: Placed) => specsOf(run.models).map(withoutFolder).join(' ');
  const parts = [
    of.run.agent,
    differs(({ origin }) => origin, all) ? of.origin : '',
    differs(modelsOf, all) ? modelsOf(of) : '',
    differs(settingsOf, alike) ? settingsOf(of) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `scripted:/home/me/replies.yaml` by the name of its file. */
function withoutFolder(spec: string): string {
  return spec.replace(/:\/.*\//, ':');
}

function specsOf(models: Measured['models']): readonly string[] {
  const names = Object.entries(models).map(([role, { spec }]) =>
    role === 'default' ? spec : `${role}=${spec}`,
  );
  return [...new Set(names)].sort();
}

function reportOnSystem(name: string, runs: readonly Measured[], chances: Chances): SystemReport {
  return {
    name,
    models: Object.assign({}, ...runs.map(({ models }) => models)),
    runs: runs.length,
    accuracy: accuracyOf(runs),
    rightOnce: new Set(runs.filter(({ isRight }) => isRight).map(({ question }) => question)).size,
    spent: addSpent(runs.map(({ spent }) => spent)),
    possiblyBilled: runs.reduce((sum, { possiblyBilled }) => sum + possiblyBilled, 0),
    outcomes: counted(runs.map(({ outcome }) => outcome)),
    ungraded: runs.filter(({ gold, isRight }) => gold !== null && isRight === null).length,
    groups: groupsIn(runs),
    strategies: strategyReports(runs, chances),
    vote: voteReport(runs),
  };
}

const plannedType = 'planned type';

function groupsIn(runs: readonly Measured[]): readonly Group[] {
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
      ...{ by, name, runs: members.length },
      accuracy: accuracyOf(members),
      spent: addSpent(members.map(({ spent }) => spent)),
    }));
  });
}
