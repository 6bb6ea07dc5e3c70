/**
 * Past contests by criteria, all of which must hold. Each criterion tells how many it leaves by itself, and how many there
 * would be without it, so that an empty result says which one to give up. Pure but for the index it is given.
 */
import type { TextIndex } from '../../../core/io.ts';
import { nearestOf } from '../config/nearest.ts';
import type { PastContest } from './record.ts';
import { conceptOf, slug } from './vocabulary.ts';

export type Criteria = {
  /** Parts of an id or of a title. */
  readonly problem?: readonly string[];
  readonly tags?: readonly string[];
  /** Names of algorithms, or parts of them. */
  readonly algorithms?: readonly string[];
  /** Words anywhere in the entry, in English or in Japanese. */
  readonly keywords?: readonly string[];
};

type CriterionKind = 'problem' | 'tag' | 'algorithm' | 'keyword';

export type Criterion = {
  readonly kind: CriterionKind;
  readonly value: string;
  /** How many contests have it. */
  readonly alone: number;
  /** How many would be found without it. */
  readonly without: number;
  /** Where none has it: the nearest tag or algorithm that one has. */
  readonly nearest: string | null;
};

export type Searched = {
  /** The best first; of those that fit alike, the oldest. */
  readonly found: readonly PastContest[];
  readonly criteria: readonly Criterion[];
};

export type ContestIndex = {
  readonly contests: readonly PastContest[];
  /** Of all that the entries say, by their ids. */
  readonly index: TextIndex;
};

type Hits = ReadonlyMap<string, number>;

export function searched(library: ContestIndex, criteria: Criteria): Searched {
  const asked = flat(criteria).map((each) => ({ ...each, hits: hitsOf(library, each) }));
  const idsIn = (list: readonly { readonly hits: Hits }[]): readonly PastContest[] =>
    library.contests.filter(({ contest_id: id }) => list.every(({ hits }) => hits.has(id)));
  const fitOf = ({ contest_id: id }: PastContest): number =>
    asked.reduce((sum, { hits }) => sum + (hits.get(id) ?? 0), 0);
  return {
    found: idsIn(asked).toSorted((a, b) => fitOf(b) - fitOf(a)),
    criteria: asked.map(({ kind, value, hits }, at) => ({
      kind,
      value,
      alone: hits.size,
      without: idsIn(asked.toSpliced(at, 1)).length,
      nearest: hits.size > 0 ? null : nearestKnown(library.contests, kind, value),
    })),
  };
}

type Asked = { readonly kind: CriterionKind; readonly value: string };

function flat({ problem = [], tags = [], algorithms = [], keywords = [] }: Criteria): Asked[] {
  const each = (kind: CriterionKind, values: readonly string[]): Asked[] =>
    values.map((value) => ({ kind, value: value.trim() })).filter(({ value }) => value !== '');
  return [
    ...each('problem', problem),
    ...each('tag', tags),
    ...each('algorithm', algorithms),
    ...each('keyword', keywords),
  ];
}

function hitsOf({ contests, index }: ContestIndex, { kind, value }: Asked): Hits {
  if (kind === 'keyword') return textHits(index, value);
  const test = { problem: isNamed, tag: hasTag, algorithm: usesAlgorithm }[kind];
  return new Map(contests.filter((each) => test(each, value)).map(({ contest_id }) => [contest_id, 0]));
}

/** Every word of it, anywhere. */
function textHits(index: TextIndex, value: string): Hits {
  const words = value.split(/[\s_\u3000]+/).filter((word) => word !== '');
  const [first = new Map<string, number>(), ...others] = words.map((word) => index.find(word));
  const common = [...first].filter(([id]) => others.every((hits) => hits.has(id)));
  return new Map(
    common.map(([id, fit]) => [id, others.reduce((sum, hits) => sum + (hits.get(id) ?? 0), fit)]),
  );
}

function isNamed({ contest_id, title }: PastContest, part: string): boolean {
  return [contest_id, title ?? ''].some((name) => slug(name).includes(slug(part)));
}

/** A tag is a whole word, whatever it is called in; unlike names, whose parts may be given. */
function hasTag({ tags }: PastContest, tag: string): boolean {
  const meant = conceptOf(tag)?.tag ?? slug(tag);
  return tags.some((each) => slug(each) === slug(tag) || (conceptOf(each)?.tag ?? slug(each)) === meant);
}

function usesAlgorithm({ solution_approaches }: PastContest, name: string): boolean {
  const meant = conceptOf(name)?.tag;
  return solution_approaches
    .flatMap(({ algorithms_used }) => algorithms_used)
    .some(
      (each) => slug(each).includes(slug(name)) || (meant !== undefined && conceptOf(each)?.tag === meant),
    );
}

function nearestKnown(contests: readonly PastContest[], kind: CriterionKind, value: string): string | null {
  if (kind === 'tag') return nearestOf(slug(value), [...new Set(contests.flatMap(({ tags }) => tags))]);
  if (kind !== 'algorithm') return null;
  const used = contests.flatMap(({ solution_approaches }) => solution_approaches);
  return nearestOf(value, [...new Set(used.flatMap(({ algorithms_used }) => algorithms_used))]);
}
