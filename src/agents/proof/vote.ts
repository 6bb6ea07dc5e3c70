/**
 * Independent graders who vote, and stop as soon as their vote is decided. Each works in a branch of its own, so that
 * requests that are alike to the last byte stay apart. It knows nothing of what they look at.
 */
import type { BranchResult, Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import { note, type ProofNoteData } from '../../notes/proof.ts';
import type { Attempt } from './attempt.ts';

type VoteRule = { readonly graders: number; readonly vote: 'majority' | 'unanimous' };

export type Ballot = { readonly grader: number; readonly pass: boolean };

type Judged = Pick<ProofNoteData<'report'>, 'points' | 'report' | 'parts'> & { readonly pass: boolean };

export type Tally<T> = {
  readonly pass: boolean;
  /** Of all who came to a vote, by their numbers from 1 on: also of those who did while the others were called off. */
  readonly ballots: readonly (T & Ballot)[];
  readonly votes: { readonly yes: number; readonly no: number; readonly of: number };
};

/** `name`: of the branch in which several graders vote. `place`: where the reports are noted as of. */
type Vote = { readonly name: string; readonly rule: VoteRule; readonly place: Attempt['place'] };

/** `hear` takes a grader's report before it votes. */
type Grade<T> = (here: Run, hear: (report: string) => void, grader: number) => Promise<T>;

/**
 * Throws what a grader failed of only where the others do not decide without it. All reports are noted, also those of
 * graders who were called off before they voted, and of a vote that was never decided, because they were paid for.
 */
export async function voted<T extends Judged>(run: Run, vote: Vote, grade: Grade<T>): Promise<Tally<T>> {
  const reports = new Map<number, ProofNoteData<'report'>>();
  const { place } = vote;
  const judged = async (here: Run, grader: number): Promise<T & Ballot> => {
    const hear = (report: string) => {
      reports.set(grader, { ...place, grader, pass: null, points: null, report });
    };
    const ballot = await grade(here, hear, grader);
    const { pass, points, parts = [], report } = ballot;
    const detail = parts.length === 0 ? {} : { parts: [...parts] };
    reports.set(grader, { ...place, grader, pass, points, ...detail, report });
    return { ...ballot, grader };
  };
  try {
    return await tallied(run, vote, judged);
  } finally {
    const inOrder = [...reports.values()].toSorted((a, b) => a.grader - b.grader);
    for (const report of inOrder) note(run, 'report', report);
  }
}

async function tallied<T extends Judged>(
  run: Run,
  { name, rule }: Vote,
  judged: (here: Run, grader: number) => Promise<T & Ballot>,
): Promise<Tally<T>> {
  if (rule.graders === 1) return tallyOf([await judged(run, 1)], rule);
  const ballots: (T & Ballot)[] = [];
  const branches = Array.from({ length: rule.graders }, (_, at) => {
    const cast = async (here: Run) => {
      const ballot = await judged(here, at + 1);
      ballots.push(ballot);
      return ballot;
    };
    return [`grader-${at + 1}`, cast] as const;
  });
  const results = await run.branch(name, (here) =>
    here.until(Object.fromEntries(branches), (ended) => decided(countOf(ended), rule) !== null),
  );
  if (decided(countOf(results), rule) === null) throw failureIn(results);
  const inOrder = ballots.toSorted((a, b) => a.grader - b.grader);
  return tallyOf(inOrder, rule);
}

/** A limit takes precedence over other failures, because it ends the run. */
function failureIn(results: readonly BranchResult<unknown>[]): Error {
  const errors = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const limit = errors.find((error) => error instanceof LimitReached);
  return limit ?? errors[0] ?? new Error('The vote was not decided, and no grader failed.');
}

type Count = { readonly yes: number; readonly no: number };

/** The result that the missing votes cannot change; null while they can. */
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
