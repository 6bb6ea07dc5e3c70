/**
 * What the lines of a session say that they do, and which of it is true now: it stands in the notes of a run, and in
 * which calls are open, or have just failed and are made again after a while. Pure.
 */
import type { Event } from '../../../core/event.ts';
import type { RunView } from '../../../core/fold.ts';

export type Doing = { readonly branch: string; readonly island: number; readonly what: string };

/** A call that failed in a branch, which has asked for nothing since. */
export type Failing = { readonly branch: string; readonly why: string };

/** Branches that come and go leave their last words behind; more than this never work at once. */
const mostDoing = 64;

export function doingNow(doing: readonly Doing[], now: Doing): readonly Doing[] {
  return [...doing.filter(({ branch }) => branch !== now.branch), now].slice(-mostDoing);
}

export function failingNow(failing: readonly Failing[], event: Event): readonly Failing[] {
  const others = failing.some(({ branch }) => branch === event.branch)
    ? failing.filter(({ branch }) => branch !== event.branch)
    : failing;
  if (event.kind !== 'model-response' || event.body.status !== 'error') return others;
  const { message, model } = event.body.error;
  if (!model?.retryable) return others;
  return [...others, { branch: event.branch, why: `${model.kind}: ${message}` }];
}

type Busy = {
  readonly doing: readonly Doing[];
  readonly failing: readonly Failing[];
  readonly run: Pick<RunView, 'open'>;
};

/** Lines of work that wait for something now: those whose last words are still true. */
export function busyNow({ doing, failing, run }: Busy): readonly Doing[] {
  // A branch that has handed its work on to branches of its own says nothing of what these do.
  const isOvertaken = ({ branch }: Doing, at: number): boolean =>
    doing.slice(at + 1).some((later) => later.branch !== branch && isWithin(later.branch, branch));
  return doing.flatMap((each, at) => {
    if (each.what === '' || isOvertaken(each, at)) return [];
    if (run.open.some(({ event }) => isWithin(event.branch, each.branch))) return [each];
    const failed = failing.find(({ branch }) => isWithin(branch, each.branch));
    return failed
      ? [{ ...each, what: `${each.what}; the call failed and is made again: ${failed.why}` }]
      : [];
  });
}

function isWithin(branch: string, other: string): boolean {
  return other === '' || branch === other || branch.startsWith(`${other}/`);
}
