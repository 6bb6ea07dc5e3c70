/** How an answer was received, told to a model and to programs. Pure. */
import type { JsonObject } from '../../core/json.ts';
import type { ToolResult } from '../../core/problem.ts';
import type { WrongVerdict } from './guesses.ts';
import type { SiteReply } from './reply.ts';

/** The words under which journals, metrics and exports know verdicts. */
type SubmissionVerdict =
  | 'right'
  | WrongVerdict
  | 'empty'
  | Exclude<SiteReply['kind'], 'right' | 'wrong' | 'logged-out'>;

export type Outcome = {
  readonly verdict: SubmissionVerdict;
  /** Who judged: the site, the page of a day that was solved before, or this run's memory of its earlier answers. */
  readonly source: 'site' | 'local' | 'memory';
  readonly part: 1 | 2;
  readonly answer: string;
  /** How long the site's locks were waited out. */
  readonly waitedMs: number;
  /** How long the lock lasts that was not waited out. */
  readonly leftMs?: number;
  /** The site's own words. */
  readonly reply?: string;
};

export function resultOf(outcome: Outcome): ToolResult {
  const { verdict, source } = outcome;
  const judged =
    verdict === 'right' || verdict === 'wrong' || verdict === 'too-high' || verdict === 'too-low';
  const memory = source === 'memory' ? ' Your earlier answers already told so; nothing was sent.' : '';
  return {
    text: textOf(outcome) + memory,
    ...(judged ? {} : { isError: true }),
    data: dataOf(outcome),
  };
}

function textOf({ verdict, part, leftMs, reply }: Outcome): string {
  switch (verdict) {
    case 'right':
      return `That's the right answer! ${part === 1 ? 'Part 1 is solved.' : 'Both parts are solved.'}`;
    case 'wrong':
      return "That's not the right answer.";
    case 'too-high':
      return "That's not the right answer; your answer is too high.";
    case 'too-low':
      return "That's not the right answer; your answer is too low.";
    case 'empty':
      return 'The answer is empty; nothing was sent.';
    case 'too-recent':
      return `You gave an answer too recently: this one was not judged. The site takes the next one in ${Math.ceil((leftMs ?? 0) / 1000)} seconds.`;
    case 'wrong-level':
    case 'finished':
      return `The site says that part ${part} is not open to answers.`;
    case 'too-much-data':
      return 'The site says that this answer is too long. An answer is a number or a short word.';
    case 'unknown':
      return `The site replied with a page that Polya does not know: ${(reply ?? '').slice(0, 300)}`;
  }
}

function dataOf({ leftMs, reply, ...rest }: Outcome): JsonObject {
  return { ...rest, ...(leftMs === undefined ? {} : { leftMs }), ...(reply === undefined ? {} : { reply }) };
}
