/** The past contests that are known here, and the questions one may ask of them. Pure but for the index it is given. */
import type { IndexTexts } from '../../../core/io.ts';
import { nearestOf } from '../config/nearest.ts';
import type { PastContest } from './record.ts';
import { type Criteria, type Library, type Searched, searched } from './search.ts';
import { type Similar, similarTo } from './similar.ts';
import { namesOf } from './vocabulary.ts';

export interface ContestDatabase {
  /** In the order of their ids. */
  readonly all: readonly PastContest[];
  /** Sentences: entries of the user's that were skipped, and why. */
  readonly warnings: readonly string[];
  search(criteria: Criteria): Searched;
  find(id: string): PastContest | null;
  /** The known id that may have been meant. */
  nearest(id: string): string | null;
  /** At most `limit`, the most alike first, without the contest `except`. */
  similar(text: string, limit: number, except?: string): readonly Similar[];
}

export function contestDatabase(
  all: readonly PastContest[],
  { index, warnings = [] }: { readonly index: IndexTexts; readonly warnings?: readonly string[] },
): ContestDatabase {
  let made: Library | undefined;
  const library = (): Library => {
    made ??= {
      contests: all,
      index: index(all.map((contest) => ({ id: contest.contest_id, fields: fieldsOf(contest) }))),
    };
    return made;
  };
  const byId = new Map(all.map((contest) => [contest.contest_id, contest]));
  return {
    all,
    warnings,
    search: (criteria) => searched(library(), criteria),
    find: (id) => byId.get(id.trim().toLowerCase()) ?? null,
    nearest: (id) => byNumber(id, byId) ?? nearestOf(id.trim(), [...byId.keys()]),
    similar: (text, limit, except) =>
      similarTo(library(), index, text)
        .filter(({ contest }) => contest.contest_id !== except)
        .slice(0, limit),
  };
}

/** `30`, `AHC 30` and `#030` mean `ahc030`. */
function byNumber(id: string, byId: ReadonlyMap<string, PastContest>): string | null {
  const [, digits] = /^(?:ahc)?[\s#_-]*(\d{1,3})$/i.exec(id.trim()) ?? [];
  const meant = `ahc${digits?.padStart(3, '0')}`;
  return digits !== undefined && byId.has(meant) ? meant : null;
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
export function aboutOf(contest: PastContest): string {
  const { title, problem_summary, problem_summary_ja, tags } = contest;
  const saidOf = (tag: string): readonly string[] => {
    const [own = tag, ...others] = namesOf(tag);
    const inJapanese = others.filter((name) => /\P{ASCII}/u.test(name));
    return inJapanese.length > 0 ? inJapanese : [own];
  };
  return [title, problem_summary, problem_summary_ja, ...tags.flatMap(saidOf)].join('\n');
}
