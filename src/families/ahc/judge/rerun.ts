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
export type RunAgain = (late: Late, wallFactor: number) => Promise<Late | null>;

/** Times of the contest's limit that a case has on the wall when it runs alone: longer where the machine was busy before. */
const wallFactors = [2, 4, 8];

/**
 * Each alone. It is late where it had its share of the machine and was late all the same; once one is, so are those that were
 * late beside others while a processor stood idle. What a busy machine leaves open is run again later, and at last not judged.
 */
export async function* judgedAgain(
  late: readonly Late[],
  runAgain: RunAgain,
  timeLimitMs: number,
): AsyncGenerator<Late> {
  let open = late;
  let isConfirmed = false;
  for (const wallFactor of wallFactors) {
    const left: Late[] = [];
    for (const each of open) {
      if (isConfirmed && each.hadShare) {
        yield each;
        continue;
      }
      const again = await runAgain(each, wallFactor);
      const judged = again && judgedAlone(each, again, timeLimitMs);
      if (judged) yield judged;
      else left.push(each);
      isConfirmed ||= judged?.said.verdict === 'TLE';
    }
    open = left;
  }
  for (const each of open) yield { ...each, said: notJudged(each, timeLimitMs) };
}

/** Null where nothing can be said: the machine was too busy, and what came out may be due to that. */
function judgedAlone(beside: Late, alone: Late, timeLimitMs: number): Late | null {
  const { ran, said, hadShare } = alone;
  const because = `run again alone; beside others: ${timesText(beside.ran.step, timeLimitMs)}`;
  const message = [said.message, because].filter(Boolean).join('; ');
  if (!isLateOnWall(ran.step, timeLimitMs)) return { ...alone, said: { ...said, message } };
  if (hadShare) {
    const times = timesText(ran.step, timeLimitMs);
    return { ...alone, said: { verdict: 'TLE', score: null, message: `${times}; alone as beside others` } };
  }
  // It ended by itself, and its CPU time is what counts. One with a clock of its own may have given up: no output, a failure.
  const isSound = said.verdict === 'AC' && ran.step.stdout.text.trim() !== '';
  return isSound ? { ...alone, said: { ...said, message } } : null;
}

function notJudged({ ran }: Late, timeLimitMs: number): Judged {
  const message = `not judged, for the machine was too busy: ${timesText(ran.step, timeLimitMs)}`;
  return { verdict: 'NJ', score: null, message };
}
