/**
 * The past contests as one database: found by id, by what a statement has in common with them (similar.ts), and by
 * criteria, all of which must hold. Each criterion tells how many contests it leaves by itself, and how many there would
 * be without it, so that an empty result says which one to give up. Pure but for the indices it is given.
 */
import type { IndexTexts, TextIndex } from '../../../core/io.ts';
import { nearestOf } from '../../../text/nearest.ts';
import type { PastContest } from './record.ts';
import {
  type ContestIndex,
  findConcept,
  findSimilar,
  namesOf,
  type SimilarContest,
  slug,
} from './similar.ts';

export interface ContestDatabase {
  /** In the order of their ids. */
  readonly all: readonly PastContest[];
  /** Sentences: entries of the user's that were skipped, and why. */
  readonly warnings: readonly string[];
  search(criteria: Criteria): SearchOutcome;
  find(id: string): PastContest | null;
  /** The known id that may have been meant. */
  nearest(id: string): string | null;
  /** At most `limit`, the most alike first, without the contest `except`. */
  similar(text: string, limit: number, except?: string): readonly SimilarContest[];
}

export function contestDatabase(
  all: readonly PastContest[],
  { index, warnings = [] }: { readonly index: IndexTexts; readonly warnings?: readonly string[] },
): ContestDatabase {
  let contestIndex: ContestIndex | undefined;
  const library = (): ContestIndex => {
    const texts = () => all.map((contest) => ({ id: contest.contest_id, fields: fieldsOf(contest) }));
    contestIndex ??= { contests: all, index: index(texts()) };
    return contestIndex;
  };
  const byId = new Map(all.map((contest) => [contest.contest_id, contest]));
  return {
    all,
    warnings,
    search: (criteria) => searchContests(library(), criteria),
    find: (id) => byId.get(id.trim().toLowerCase()) ?? null,
    nearest: (id) => byNumber(id, byId) ?? nearestOf(id.trim(), [...byId.keys()]),
    similar: (text, limit, except) =>
      findSimilar(library(), index, text)
        .filter(({ contest }) => contest.contest_id !== except)
        .slice(0, limit),
  };
}

/** `30`, `AHC 30` and `#030` mean `ahc030`. */
function byNumber(id: string, byId: ReadonlyMap<string, PastContest>): string | null {
  const [, digits] = /^(?:ahc)?[\s#_-]*(\d{1,3})$/i.exec(id.trim()) ?? [];
  const intended = `ahc${digits?.padStart(3, '0')}`;
  return digits !== undefined && byId.has(intended) ? intended : null;
}

/** The most telling first; tags by all of their names, so that either language finds them. */
function fieldsOf(contest: PastContest): readonly string[] {
  const approaches = contest.solution_approaches;
  const algorithms = approaches.flatMap(({ algorithms_used }) => algorithms_used);
  return [
    `${contest.contest_id}\n${contest.title ?? ''}`,
    contest.tags.flatMap(namesOf).join('\n'),
    algorithms.flatMap(namesOf).join('\n'),
    `${contest.problem_summary ?? ''}\n${contest.problem_summary_ja ?? ''}`,
    `${approaches.flatMap(({ key_ideas }) => key_ideas).join('\n')}\n${contest.sponsor ?? ''}`,
  ];
}

/**
 * What a contest is about, as a text that others are held against. Tags by their names in Japanese where they have some, which
 * have no stems: simulated annealing is no simulation.
 */
export function contestText(contest: PastContest): string {
  const { title, problem_summary, problem_summary_ja, tags } = contest;
  const saidOf = (tag: string): readonly string[] => {
    const [own = tag, ...siblings] = namesOf(tag);
    const inJapanese = siblings.filter((name) => /\P{ASCII}/u.test(name));
    return inJapanese.length > 0 ? inJapanese : [own];
  };
  return [title, problem_summary, problem_summary_ja, ...tags.flatMap(saidOf)].join('\n');
}

export type Criteria = {
  /** Parts of an id or of a title. */
  readonly problem?: readonly string[];
  readonly tags?: readonly string[];
  /** Names of algorithms, or parts of them. */
  readonly algorithms?: readonly string[];
  /** Words anywhere in the entry, in English or in Japanese. */
  readonly keywords?: readonly string[];
};

type SearchCriterion = { readonly kind: 'problem' | 'tag' | 'algorithm' | 'keyword'; readonly value: string };

export type Criterion = SearchCriterion & {
  /** How many contests have it. */
  readonly alone: number;
  /** How many would be found without it. */
  readonly without: number;
  /** Where none has it: the nearest tag or algorithm that one has. */
  readonly nearest: string | null;
};

export type SearchOutcome = {
  /** The best first; of those that fit alike, the oldest. */
  readonly found: readonly PastContest[];
  readonly criteria: readonly Criterion[];
};

type CriterionHits = ReadonlyMap<string, number>;

function searchContests(library: ContestIndex, criteria: Criteria): SearchOutcome {
  const requests = flat(criteria).map((each) => ({ ...each, hits: findHits(library, each) }));
  const idsIn = (list: readonly { readonly hits: CriterionHits }[]): readonly PastContest[] =>
    library.contests.filter(({ contest_id: id }) => list.every(({ hits }) => hits.has(id)));
  const fitOf = ({ contest_id: id }: PastContest): number =>
    requests.reduce((sum, { hits }) => sum + (hits.get(id) ?? 0), 0);
  return {
    found: idsIn(requests).toSorted((a, b) => fitOf(b) - fitOf(a)),
    criteria: requests.map(({ kind, value, hits }, at) => ({
      kind,
      value,
      alone: hits.size,
      without: idsIn(requests.toSpliced(at, 1)).length,
      nearest: hits.size > 0 ? null : nearestKnown(library.contests, { kind, value }),
    })),
  };
}

function flat({ problem = [], tags = [], algorithms = [], keywords = [] }: Criteria): SearchCriterion[] {
  const each = (kind: SearchCriterion['kind'], values: readonly string[]): SearchCriterion[] =>
    values.map((value) => ({ kind, value: value.trim() })).filter(({ value }) => value !== '');
  const names = [...each('problem', problem), ...each('tag', tags), ...each('algorithm', algorithms)];
  return [...names, ...each('keyword', keywords)];
}

function findHits({ contests, index }: ContestIndex, { kind, value }: SearchCriterion): CriterionHits {
  if (kind === 'keyword') return searchText(index, value);
  const test = { problem: isNamed, tag: hasTag, algorithm: usesAlgorithm }[kind];
  return new Map(contests.filter((each) => test(each, value)).map(({ contest_id }) => [contest_id, 0]));
}

/** Every word of it, anywhere. */
function searchText(index: TextIndex, value: string): CriterionHits {
  const words = value.split(/[\s_\u3000]+/).filter((word) => word !== '');
  const [first = new Map<string, number>(), ...siblings] = words.map((word) => index.find(word));
  const common = [...first].filter(([id]) => siblings.every((hits) => hits.has(id)));
  return new Map(
    common.map(([id, fit]) => [id, siblings.reduce((sum, hits) => sum + (hits.get(id) ?? 0), fit)]),
  );
}

function isNamed({ contest_id, title }: PastContest, part: string): boolean {
  return [contest_id, title ?? ''].some((name) => slug(name).includes(slug(part)));
}

/** A tag is a whole word in any language; of a name a part is enough. */
function hasTag({ tags }: PastContest, tag: string): boolean {
  const intended = findConcept(tag)?.tag ?? slug(tag);
  return tags.some((each) => slug(each) === slug(tag) || (findConcept(each)?.tag ?? slug(each)) === intended);
}

function usesAlgorithm({ solution_approaches }: PastContest, name: string): boolean {
  const meant = findConcept(name)?.tag;
  return solution_approaches
    .flatMap(({ algorithms_used }) => algorithms_used)
    .some(
      (each) => slug(each).includes(slug(name)) || (meant !== undefined && findConcept(each)?.tag === meant),
    );
}

function nearestKnown(contests: readonly PastContest[], { kind, value }: SearchCriterion): string | null {
  if (kind === 'tag') return nearestOf(slug(value), [...new Set(contests.flatMap(({ tags }) => tags))]);
  if (kind !== 'algorithm') return null;
  const used = contests.flatMap(({ solution_approaches }) => solution_approaches);
  return nearestOf(value, [...new Set(used.flatMap(({ algorithms_used }) => algorithms_used))]);
}
