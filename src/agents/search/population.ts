/** The programs of a search: islands, standings, parents, migration. No model is asked; chance is handed in. */
import type { CaseOutcome } from '../../core/program.ts';
import type { CandidateNote, Strategy } from '../../notes/evolution.ts';
import type { Points, Rules } from './points.ts';

/** A candidate that is settled. */
export type Program = Omit<CandidateNote, 'evaluation'> & {
  /** Those that were measured again, under the load of another program, take the place of those before. */
  outcomes: readonly CaseOutcome[];
  readonly strategy: string;
};

/** A program on an island; other islands may have it too. */
export type Member = { readonly program: Program; readonly isMigrant: boolean; children: number };

/** A candidate that came to nothing, and how often the same was proposed since. */
type Failure = { readonly program: Program; readonly times: number };

export type Island = {
  readonly number: number;
  strategy: Strategy;
  members: Member[];
  /** Recent failures, the newest last, so that the model avoids them. */
  readonly failures: Failure[];
  /** Its next candidate is a program from scratch. */
  wantsFirst: boolean;
};

/** What may be compared at the moment. */
export type Scale = { readonly points: Points; readonly rules: Rules };

const failuresKept = 12;
/** Programs that an island keeps as parents. */
const islandSize = 16;

export function islandOf(number: number, strategy: Strategy): Island {
  return { number, strategy, members: [], failures: [], wantsFirst: false };
}

/** Mean points over the cases of the search; null: worth nothing. */
export function programRank(program: Program, { points, rules }: Scale): number | null {
  return points.meanOf(program.outcomes, rules);
}

/** The best first; of equals, the older. */
export function rankPrograms(programs: readonly Program[], scale: Scale): readonly Program[] {
  return programs
    .map((program) => ({ program, standing: programRank(program, scale) }))
    .filter((each): each is { program: Program; standing: number } => each.standing !== null)
    .toSorted((a, b) => b.standing - a.standing)
    .map(({ program }) => program);
}

/** The one that is ranked first, without ranking the others: it is asked for after each candidate. */
export function bestProgram(programs: readonly Program[], scale: Scale): Program | null {
  let [first, best]: [Program | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const program of programs) {
    const standing = programRank(program, scale);
    if (standing === null || (first && standing <= best)) continue;
    [first, best] = [program, standing];
  }
  return first;
}

export function bestOf(island: Island, scale: Scale): Program | null {
  return bestProgram(programsOf(island), scale);
}

export const programsOf = ({ members }: Island): readonly Program[] => members.map(({ program }) => program);

/** A program of its user's, which its island repairs, and never works on the template instead; null where none failed. */
export function failedUserProgram({ failures }: Island): Program | null {
  return failures.find(({ program }) => program.operator === 'given')?.program ?? null;
}

/** Only what was run on all cases of the search lives on; beyond `islandSize` the worst goes. */
export function settle(island: Island, program: Program, scale: Scale): void {
  if (program.status === 'evaluated') admit(island, { program, isMigrant: false, children: 0 }, scale);
  // Of what was not judged nothing is known that a model could be told.
  else if (program.status !== 'unjudged') recordFailure(island.failures, program);
}

/** A duplicate is told of too, or its model would propose it for ever; it does not make others forgotten each time. */
function recordFailure(failures: Failure[], program: Program): void {
  const { status, operator, summary } = program;
  // A first program that equals another was not a proposal.
  if (status === 'duplicate' && operator === 'initial') return;
  const wasRun = status === 'failed' || status === 'cut' || status === 'compile-error';
  const at = wasRun ? -1 : failures.findIndex((each) => each.program.summary === summary);
  const before = failures[at];
  if (before) failures[at] = { ...before, times: before.times + 1 };
  else failures.push({ program, times: 1 });
  failures.splice(0, failures.length - failuresKept);
}

function admit(island: Island, member: Member, scale: Scale): void {
  island.members.push(member);
  if (island.members.length <= islandSize) return;
  const staying = new Set(rankPrograms(programsOf(island), scale).slice(0, islandSize));
  island.members = island.members.filter(({ program }) => staying.has(program));
}

/**
 * Chooses a parent by the weight 0.7^rank / (1 + children). Ranks, so that neither outliers nor the scale of scores
 * matter; steep, because other islands go other ways; children, so that the best is not asked the same for ever.
 */
export function chooseParent(island: Island, scale: Scale, random: () => number): Member | null {
  const able = island.members.flatMap((member) => {
    const standing = programRank(member.program, scale);
    return standing === null ? [] : [{ member, standing }];
  });
  const weights = able.map(({ member, standing }) => {
    const rank = able.filter((other) => other.standing > standing).length;
    return steepness ** rank / (1 + member.children);
  });
  return able[weightedIndex(weights, random)]?.member ?? null;
}

const steepness = 0.7;

/** A random index with these weights; -1 if there are none. */
export function weightedIndex(weights: readonly number[], random: () => number): number {
  const all = weights.reduce((sum, each) => sum + each, 0);
  let left = random() * all;
  for (const [at, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return at;
  }
  return weights.length - 1;
}

/** In a ring: the best of each that has not come from elsewhere itself, to the next island. */
export function migrate(islands: readonly Island[], scale: Scale) {
  if (islands.length < 2) return [];
  const departures = islands.map((island) => {
    const programs = island.members.filter(({ isMigrant }) => !isMigrant).map(({ program }) => program);
    return rankPrograms(programs, scale)[0];
  });
  const migrations: { readonly program: Program; readonly from: number; readonly to: number }[] = [];
  for (const [at, program] of departures.entries()) {
    const [from, to] = [islands[at], islands[(at + 1) % islands.length]];
    if (!program || !from || !to || programsOf(to).some(({ id }) => id === program.id)) continue;
    admit(to, { program, isMigrant: true, children: 0 }, scale);
    migrations.push({ program, from: from.number, to: to.number });
  }
  return migrations;
}

/** The first that is named wins: `greedy start, then simulated annealing` is annealing, for that is where its time goes. */
const families: readonly (readonly [string, RegExp])[] = [
  ['simulated annealing', /anneal|\bsa\b|焼きなまし|焼き鈍し/i],
  ['beam search', /beam|chokudai|ビームサーチ/i],
  ['monte carlo', /monte.?carlo|mcts|playout|rollout|モンテカルロ/i],
  ['genetic', /genetic|evolutionary|crossover|\bga\b|遺伝/i],
  ['tabu search', /tabu|taboo/i],
  ['large neighbourhood', /large.?neighbou?r|\blns\b|ruin|destroy/i],
  ['flow or matching', /flow|matching|assignment problem|hungarian/i],
  ['dynamic programming', /dynamic.?program|\bdp\b|動的計画/i],
  ['inference', /bayes|particle|posterior|constraint.?propag/i],
  ['decomposition', /decompos|divide|cluster|hierarch|two.?phase/i],
  ['hill climbing', /hill|climb|local.?search|2-?opt|山登り/i],
  ['greedy construction', /greedy|construct|insertion|貪欲/i],
];

/** What a model calls it, as one of the known families where it is one. */
export function familyNamed(words: string): string {
  const plain = words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return families.find(([, pattern]) => pattern.test(words))?.[0] ?? plain.trim();
}

/** The family of a strategy that names none. */
export function familyOf({ name, idea }: Pick<Strategy, 'name' | 'idea'>): string {
  const byName = familyNamed(name);
  return families.some(([family]) => family === byName)
    ? byName
    : familyNamed(idea.split(/[.。]/)[0] || name);
}
