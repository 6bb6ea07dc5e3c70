/** How an answer was received, told to a model and to programs. Pure. */
import type { ToolResult } from '../../core/problem.ts';
import type { WrongVerdict } from './guesses.ts';
import type { SiteReply } from './page.ts';

/** The words under which journals, metrics and exports know verdicts. */
type SubmissionVerdict =
  | 'right'
  | WrongVerdict
  | 'empty'
  /** A sentence, or a placeholder for no answer. */
  | 'no-value'
  /** This run has sent as many wrong answers to the part as it may. */
  | 'no-tries-left'
  | Exclude<SiteReply['kind'], 'right' | 'wrong' | 'logged-out'>;

export type Outcome = {
  readonly verdict: SubmissionVerdict;
  /**
   * Who judged. `site`: it was sent. `local`: compared with the known right answer, or not fit to be sent.
   * `memory`: earlier answers tell what the site would say.
   */
  readonly source: 'site' | 'local' | 'memory';
  readonly part: 1 | 2;
  readonly answer: string;
  /** How long the site's locks were waited out. */
  readonly waitedMs: number;
  /** How long the lock lasts that was not waited out. */
  readonly leftMs?: number;
  /** When that is, by this machine's clock. */
  readonly lockedUntilMs?: number;
  /** With `memory`: whose earlier answers. The model is told of this run's own alone. */
  readonly memoryOf?: 'run' | 'account';
  /** With `no-tries-left`: the number of tries. */
  readonly tries?: number;
  /** The site's own words. */
  readonly reply?: string;
  /** Why later runs of the account will not know of it. */
  readonly notKept?: string;
  /** The site's page. */
  readonly rawReply?: string;
  /** The day has one part. */
  readonly isOnlyPart?: boolean;
  /** What the account has of this day, with an answer that was right. */
  readonly stars?: number;
};

const judged: readonly SubmissionVerdict[] = ['right', 'wrong', 'too-high', 'too-low', 'unjudged'];

export function resultOf(outcome: Outcome): ToolResult {
  const memory = outcome.memoryOf === 'run' ? ' Your earlier answers already told so; nothing was sent.' : '';
  return {
    text: texts[outcome.verdict](outcome) + memory,
    isError: judged.includes(outcome.verdict) ? undefined : true,
    data: outcome,
  };
}

const isClosed = ({ part }: Outcome) => `The site says that part ${part} is not open to answers.`;

const texts: Readonly<Record<SubmissionVerdict, (outcome: Outcome) => string>> = {
  right: (outcome) => `That's the right answer! ${whatIsSolved(outcome)}`,
  wrong: () => "That's not the right answer.",
  'too-high': () => "That's not the right answer; your answer is too high.",
  'too-low': () => "That's not the right answer; your answer is too low.",
  empty: () => 'The answer is empty; nothing was sent.',
  'no-value': ({ answer }) =>
    `This is no answer: ${JSON.stringify(answer.slice(0, 80))}. Nothing was sent, and it does not count as a wrong answer. An answer is one number or one word without spaces, without a unit; several values are joined by commas.`,
  unjudged: () => 'Your answer is written down. Nobody here knows whether it is right.',
  'no-tries-left': ({ part, tries = 0 }) =>
    `This run may give ${tries === 1 ? 'one wrong answer' : `${tries} wrong answers`} to a part, and has: nothing was sent, and nothing will be. You cannot solve part ${part} any more; stop here.`,
  'too-recent': ({ leftMs = 0 }) =>
    `You gave an answer too recently: this one was not judged. The site takes the next one in ${Math.ceil(leftMs / 1000)} seconds.`,
  'wrong-level': isClosed,
  finished: isClosed,
  'too-much-data': ({ source }) =>
    `${source === 'local' ? 'This answer is too long; nothing was sent.' : 'The site says that this answer is too long.'} An answer is a number or a short word.`,
  unknown: ({ reply = '' }) =>
    `The site replied with a page that Polya does not know: ${reply.slice(0, 300)}`,
};

function whatIsSolved({ part, isOnlyPart }: Outcome): string {
  if (isOnlyPart) return 'The day is solved.';
  return part === 1 ? 'Part 1 is solved.' : 'Both parts are solved.';
}
