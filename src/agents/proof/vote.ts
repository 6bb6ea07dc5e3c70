/**
 * Independent graders who vote, and stop as soon as their vote is decided. Each works in a branch of its own, so that
 * requests that are alike to the last byte stay apart. It knows nothing of what they look at.
 */
import type { BranchResult, Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import type { ProofNoteData } from '../../notes/proof.ts';
import type { Attempt } from './attempt.ts';
import { note } from './note.ts';

type VoteRule = { readonly graders: number; readonly vote: 'majority' | 'unanimous' };

export type Ballot = { readonly grader: number; readonly pass: boolean };

export type Tally<T> = {
  readonly pass: boolean;
  /** Of all who came to a vote, by their numbers from 1 on: also of those who did while the others were called off. */
  readonly ballots: readonly (T & Ballot)[];
  readonly votes: { readonly yes: number; readonly no: number; readonly of: number };
};

/** Throws what a grader failed of only where the others do not decide without it. */
export async function voted<T extends { readonly pass: boolean }>(
  run: Run,
  { name, rule }: { name: string; rule: VoteRule },
  grade: (here: Run, grader: number) => Promise<T>,
): Promise<Tally<T>> {
  if (rule.graders === 1) return tallyOf([{ ...(await grade(run, 1)), grader: 1 }], rule);
  const numbers = Array.from({ length: rule.graders }, (_, index) => index + 1);
  const ballots: (T & Ballot)[] = [];
  const branches = numbers.map(
    (number) =>
      [
        `grader-${number}`,
        async (here: Run) => {
          const ballot = { ...(await grade(here, number)), grader: number };
          ballots.push(ballot);
          return ballot;
        },
      ] as const,
  );
  const results = await run.branch(name, (here) =>
    here.until(Object.fromEntries(branches), (ended) => decided(countOf(ended), rule) !== null),
  );
  if (decided(countOf(results), rule) === null) throw failureIn(results);
  return tallyOf(
    ballots.toSorted((a, b) => a.grader - b.grader),
    rule,
  );
}

/** A limit goes before other failures: it is the run's own end. */
function failureIn(results: readonly BranchResult<unknown>[]): Error {
  const errors = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const limit = errors.find((error) => error instanceof LimitReached);
  return limit ?? errors[0] ?? new Error('The vote was not decided, and no grader failed.');
}

type Count = { readonly yes: number; readonly no: number };

/** What the vote comes to, whatever those who have not voted will say; null while that is open. */
export function decided({ yes, no }: Count, { graders, vote }: VoteRule): boolean | null {
  const needed = vote === 'unanimous' ? graders : Math.floor(graders / 2) + 1;
  if (yes >= needed) return true;
  return no > graders - needed ? false : null;
}

function countOf(results: readonly BranchResult<{ readonly pass: boolean }>[]): Count {
  const passes = results.flatMap((result) => (result.ok ? [result.value.pass] : []));
  return { yes: passes.filter(Boolean).length, no: passes.filter((pass) => !pass).length };
}

function tallyOf<T>(ballots: readonly (T & Ballot)[], rule: VoteRule): Tally<T> {
  const yes = ballots.filter(({ pass }) => pass).length;
  const count = { yes, no: ballots.length - yes };
  return { pass: decided(count, rule) ?? false, ballots, votes: { ...count, of: rule.graders } };
}

/** The middle one of the points that were given, the lower one of two; null where none were. */
export function medianPoints(ballots: readonly { readonly points: number | null }[]): number | null {
  const given = ballots.flatMap(({ points }) => (points === null ? [] : [points])).toSorted((a, b) => a - b);
  return given[Math.floor((given.length - 1) / 2)] ?? null;
}

type Report = Pick<ProofNoteData<'report'>, 'grader' | 'pass' | 'points' | 'report'>;

/**
 * The reports of one vote, for the journal: also those of graders who were called off before they voted, and of a vote
 * that was never decided, because what was paid for can be read.
 */
export class Reports {
  readonly #byGrader = new Map<number, Report>();

  /** It has been written, and its grader has not voted yet. */
  heard(grader: number, report: string): void {
    this.#byGrader.set(grader, { grader, pass: null, points: null, report });
  }

  voted({ grader, pass, points, report }: Report): void {
    this.#byGrader.set(grader, { grader, pass, points, report });
  }

  tell(run: Run, place: Attempt['place']): void {
    const reports = [...this.#byGrader.values()].toSorted((a, b) => a.grader - b.grader);
    for (const report of reports) note(run, 'report', { ...place, ...report });
  }
}
