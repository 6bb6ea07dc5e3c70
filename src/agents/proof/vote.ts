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

type Judged = Pick<ProofNoteData<'report'>, 'pass' | 'points' | 'report'> & {
  readonly parts?: ProofNoteData<'report'>['parts'];
};

export type Tally<T> = {
  readonly pass: boolean;
  /** Of all who reported, by their numbers from 1 on: also of those who did while the others were called off. */
  readonly ballots: readonly (T & Ballot)[];
  readonly votes: { readonly yes: number; readonly no: number; readonly of: number };
};

/** `name`: of the branch in which several graders vote. `place`: where the reports are noted as of. */
type Vote = { readonly name: string; readonly rule: VoteRule; readonly place: Attempt['place'] };

/** `onReport` takes a report before its grader is done with it: it counts if the grader is called off then. */
type Grade<T> = (here: Run, onReport: (report: T) => void, grader: number) => Promise<T>;

/**
 * Throws what a grader failed of only where the others do not decide without it. All reports are noted, also those of a
 * vote that was never decided, because they were paid for.
 */
export async function gatherVotes<T extends Judged>(
  run: Run,
  vote: Vote,
  grade: Grade<T>,
): Promise<Tally<T>> {
  const ballots = new Map<number, T & Ballot>();
  const inOrder = () => [...ballots.values()].toSorted((a, b) => a.grader - b.grader);
  const cast = async (here: Run, grader: number): Promise<T & Ballot> => {
    const keep = (report: T) => {
      const ballot = { ...report, grader };
      ballots.set(grader, ballot);
      return ballot;
    };
    return keep(await grade(here, keep, grader));
  };
  try {
    await untilDecided(run, vote, cast);
    return tallyOf(inOrder(), vote.rule);
  } finally {
    for (const { grader, pass, points, report, parts = [] } of inOrder()) {
      const detail = parts.length === 0 ? {} : { parts: [...parts] };
      note(run, 'report', { ...vote.place, grader, pass, points, ...detail, report });
    }
  }
}

async function untilDecided(
  run: Run,
  { name, rule }: Vote,
  cast: (here: Run, grader: number) => Promise<Ballot>,
): Promise<void> {
  if (rule.graders === 1) return void (await cast(run, 1));
  const branches = Array.from({ length: rule.graders }, (_, at) => {
    return [`grader-${at + 1}`, (here: Run) => cast(here, at + 1)] as const;
  });
  const results = await run.branch(name, (here) =>
    here.until(Object.fromEntries(branches), (ended) => decided(countOf(ended), rule) !== null),
  );
  if (decided(countOf(results), rule) === null) throw failureIn(results);
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
