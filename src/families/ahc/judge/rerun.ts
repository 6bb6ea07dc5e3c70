/**
 * Cases that the clock on the wall alone calls late: run again, each alone, to tell a slow program from a busy machine. It
 * knows neither sandbox nor tools: how a case is run again is handed in.
 */
import type { CaseResult } from '../../../core/sandbox.ts';
import { isLateOnWall, type Judged, timesText } from './verdict.ts';

/** `hadShare`: whether a processor was there for it whenever it wanted one. */
export type Late = {
  readonly ran: CaseResult;
  readonly said: Judged;
  readonly input: string;
  readonly hadShare: boolean;
};

/** Null where it was broken off. */
export type RunAgain = (delayed: Late, wallFactor: number) => Promise<Late | null>;

/** Times of the contest's limit that a case has on the wall when it runs alone: longer where the machine was busy before. */
const wallFactors = [2, 4, 8];

/**
 * Each alone. It is late where it had its share of the machine and was late all the same; once one is, so are those that were
 * late beside others while a processor stood idle. What a busy machine leaves open is run again later, and at last not judged.
 */
export async function* judgedAgain(
  delayed: readonly Late[],
  runAgain: RunAgain,
  timeLimitMs: number,
): AsyncGenerator<Late> {
  let open = delayed;
  let isConfirmed = false;
  for (const wallFactor of wallFactors) {
    const left: Late[] = [];
    for (const each of open) {
      if (isConfirmed && each.hadShare) {
        yield each;
        continue;
      }
      const repeated = await runAgain(each, wallFactor);
      const judged = repeated && judgedAlone(each, repeated, timeLimitMs);
      if (judged) yield judged;
      else left.push(each);
      isConfirmed ||= judged?.said.verdict === 'TLE';
    }
    open = left;
  }
  for (const each of open) yield { ...each, said: notJudged(each, timeLimitMs) };
}

/** Null where nothing can be said: the machine was too busy, and what came out may be due to that. */
function judgedAlone(sibling: Late, single: Late, timeLimitMs: number): Late | null {
  const { ran, said, hadShare } = single;
  const reason = `run again alone; beside others: ${timesText(sibling.ran.step, timeLimitMs)}`;
  const message = [said.message, reason].filter(Boolean).join('; ');
  if (!isLateOnWall(ran.step, timeLimitMs)) return { ...single, said: { ...said, message } };
  if (hadShare) {
    const times = timesText(ran.step, timeLimitMs);
    return { ...single, said: { verdict: 'TLE', score: null, message: `${times}; alone as beside others` } };
  }
  // It ended by itself, and its CPU time is what counts. One with a clock of its own may have given up: no output, a failure.
  const isSound = said.verdict === 'AC' && ran.step.stdout.text.trim() !== '';
  return isSound ? { ...single, said: { ...said, message } } : null;
}

function notJudged({ ran }: Late, timeLimitMs: number): Judged {
  const message = `not judged, for the machine was too busy: ${timesText(ran.step, timeLimitMs)}`;
  return { verdict: 'NJ', score: null, message };
}
