/**
 * SubmitAnswer: one answer to the part that is open. A right one closes the stage, and so does one that nobody can
 * judge: then only the next part is left to work on.
 */
import { UnavailableError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EffectContext, StageAdvance, Tool, ToolResult } from '../../core/problem.ts';
import { answerOf, isOneValue, ToolMisuseError } from './arguments.ts';
import {
  type AccountGuess,
  acceptedAnswer,
  collectWrongGuesses,
  compareWithTruth,
  countWrongAnswers,
  findGuess,
  lockedUntilMs,
  type WrongGuess,
  wasTooLong,
} from './guesses.ts';
import { type JudgedReply, markdownOf, type StatementPart } from './page.ts';
import type { AocClient } from './sites.ts';
import { type Outcome, resultOf } from './submission.ts';
import { checkPuzzle, clientOf, defineTool, hasOnePart, isLegacyForm, type Puzzle } from './tools.ts';

const longestWaitMs = 2 * 60_000;

export function submitTool(puzzle: Puzzle): Tool {
  return defineTool(
    puzzle,
    'SubmitAnswer',
    async (args, context) => {
      const estimate = parseGuess(puzzle, args, context);
      if (!estimate) throw new ToolMisuseError('all-solved', 'Both parts are already solved.');
      const client = clientOf(puzzle, context);
      return finish(puzzle, client, await judge(client, estimate));
    },
    async (args, context) => {
      const estimate = parseGuess(puzzle, args, context);
      if (!estimate) return null;
      const client = clientOf(puzzle, context);
      const verdict = await verdictBefore(client, estimate);
      return verdict && finish(puzzle, client, outcome(estimate, verdict, 'site'));
    },
  );
}

type Guess = {
  readonly part: 1 | 2;
  readonly answer: string;
  readonly context: Pick<EffectContext, 'io' | 'signal' | 'past' | 'stage' | 'runId'>;
  readonly longestWaitMs: number;
  /** Sentences are sent too. */
  readonly isOfAnyForm: boolean;
};

/** Null where no part is open. */
function parseGuess(puzzle: Puzzle, args: JsonObject, context: EffectContext): Guess | null {
  checkPuzzle(puzzle, args);
  const { stage } = context;
  const part = stage === 'part1' ? 1 : stage === 'part2' ? 2 : null;
  const waitMs = puzzle.settings.longestWaitMs ?? longestWaitMs;
  const isOfAnyForm = isLegacyForm(puzzle);
  return part && { part, answer: answerOf(args), context, longestWaitMs: waitMs, isOfAnyForm };
}

function outcome(
  { part, answer }: Guess,
  verdict: Outcome['verdict'],
  source: Outcome['source'],
  more: Partial<Outcome> = {},
): Outcome {
  return { part, answer, verdict, source, waitedMs: 0, ...more };
}

/** What the site said to the call that was broken off; null where it has to be made again. */
async function verdictBefore(client: AocClient, { part, answer, context }: Guess) {
  const isDuplicate = findGuess(collectWrongGuesses(context.past, context.stage), answer) !== null;
  if (isDuplicate || answer === '') return null;
  const told = (await client.guesses()).findLast((estimate) => {
    return estimate.run === context.runId && estimate.part === part && estimate.answer === answer;
  });
  if (told) return told.verdict;
  // If the day was solved before, nothing was sent.
  const isKnown = (await client.page('kept')).answers[part - 1] !== undefined;
  if (isKnown) return null;
  const page = await client.page('fresh');
  return page.answers[part - 1] === answer ? 'right' : null;
}

async function finish(puzzle: Puzzle, client: AocClient, found: Outcome): Promise<ToolResult> {
  if (found.verdict !== 'right' && found.verdict !== 'unjudged') return resultOf(found);
  const isOnlyPart = hasOnePart(puzzle);
  const isLast = isOnlyPart || found.part === 2;
  const page = await pageAfter(client, found, isOnlyPart);
  const next = isLast ? { to: null, statement: '' } : advanceToPartTwo(page.parts[1]);
  const advance: StageAdvance = found.verdict === 'unjudged' ? { ...next, isUnjudged: true } : next;
  return { ...resultOf({ ...found, isOnlyPart, stars: page.stars }), advance };
}

/** What was kept before the answer knows nothing of what it has opened; what is asked anew is kept for later runs. */
async function pageAfter(client: AocClient, { source, part }: Outcome, isOnlyPart: boolean) {
  const kept = source === 'site' ? null : await client.page('kept');
  const isEnough = kept && (isOnlyPart ? kept.stars === 2 : part === 2 || kept.parts.length === 2);
  return isEnough ? kept : client.page('fresh');
}

function advanceToPartTwo(part: StatementPart | undefined): StageAdvance {
  if (!part) {
    throw new UnavailableError({
      code: 'site-inconsistent',
      what: 'The site accepted the answer to part 1 but does not show part 2.',
      fix: 'Resume the run later: it will look again.',
    });
  }
  // Models stop after part 1 unless they are told to continue and to submit.
  const statement = [
    'Here is part 2; the input stays the same.',
    markdownOf(part),
    'Hand in the answer to part 2 with SubmitAnswer.',
  ].join('\n\n');
  return { to: 'part2', statement };
}

/** No answer of any puzzle is nearly as long; what a model pours out instead is not the site's to take. */
const longestAnswer = 1_000;

/** Answers that are known to be right or wrong are not sent; one that is too early waits. */
export async function judge(client: AocClient, estimate: Guess): Promise<Outcome> {
  const { answer, context } = estimate;
  if (answer === '') return outcome(estimate, 'empty', 'local');
  const own = findGuess(collectWrongGuesses(context.past, context.stage), answer);
  if (own) return outcome(estimate, own, 'memory', { memoryOf: 'run' });
  const known = (await judgeByKnowledge(client, estimate)) ?? tooLong(estimate) ?? noValue(estimate);
  return known ?? noTriesLeft(client, estimate) ?? (await judgeOnOpenPart(client, estimate));
}

function tooLong(guess: Guess): Outcome | null {
  if (guess.answer.length > longestAnswer) return outcome(guess, 'too-much-data', 'local');
  const { past, stage } = guess.context;
  if (!wasTooLong(past, stage, guess.answer)) return null;
  return outcome(guess, 'too-much-data', 'memory', { memoryOf: 'run' });
}

/** Before it is known to be wrong, and counted. */
function noValue(estimate: Guess): Outcome | null {
  return estimate.isOfAnyForm || isOneValue(estimate.answer) ? null : outcome(estimate, 'no-value', 'local');
}

/** A practice site whose folder was deleted has forgotten part 1, which the journal of this run knows to be done. */
async function judgeOnOpenPart(client: AocClient, guess: Guess): Promise<Outcome> {
  const first = await judgeBySite(client, guess, () => judgeByKnowledge(client, guess));
  if (guess.part !== 2 || first.verdict !== 'wrong-level') return first;
  const partOne = acceptedAnswer(guess.context.past, 'part1');
  if (partOne === null) return first;
  const outcome = await resubmit(client, { ...guess, part: 1, answer: partOne });
  if (outcome.verdict !== 'right') throw partTwoClosedError(outcome);
  const second = await judgeBySite(client, guess, () => judgeByKnowledge(client, guess));
  if (second.verdict === 'wrong-level') throw partTwoClosedError(second);
  return { ...second, waitedMs: first.waitedMs + outcome.waitedMs + second.waitedMs };
}

/** Another account may have another input: what it was told to be wrong is not sent to it again. */
async function resubmit(client: AocClient, estimate: Guess): Promise<Outcome> {
  const recalled = async () => judgeByMemory(estimate, await readGuesses(client, estimate));
  return (await recalled()) ?? judgeBySite(client, estimate, recalled);
}

function partTwoClosedError({ reply }: Outcome): UnavailableError {
  return new UnavailableError({
    code: 'part-locked',
    what: 'The site says that part 2 is not open, although this run has solved part 1.',
    why: reply
      ? `To the answer to part 1, handed in again, it said: ${reply.slice(0, 200)}`
      : 'It took the same answer to part 1 for wrong before.',
    fix: 'See that the site knows the account that the run began with, then resume the run.',
  });
}

function noTriesLeft({ maxWrongAnswers }: AocClient, estimate: Guess): Outcome | null {
  const { past, stage } = estimate.context;
  if (maxWrongAnswers === null || countWrongAnswers(past, stage) < maxWrongAnswers) return null;
  return outcome(estimate, 'no-tries-left', 'local', { tries: maxWrongAnswers });
}

/** For a lock of which the site does not say how long it lasts. */
const usualWaitMs = 60_000;

/** `look` again after each wait, for what is known by then. */
async function judgeBySite(client: AocClient, estimate: Guess, poll: () => Promise<Outcome | null>) {
  const { io, signal, past } = estimate.context;
  let elapsedWaitMs = 0;
  let leftMs = lockedUntilMs(past) - io.clock.now();
  let reply: JudgedReply | null = null;
  for (;;) {
    if (leftMs > 0) {
      if (elapsedWaitMs + leftMs > estimate.longestWaitMs)
        return locked(estimate, reply, elapsedWaitMs, leftMs);
      // At least a second: a site that says 0 must not be asked in circles.
      const pauseMs = Math.max(leftMs, 1_000);
      await io.clock.sleep(pauseMs, signal);
      elapsedWaitMs += pauseMs;
      const known = await poll();
      if (known) return { ...known, waitedMs: elapsedWaitMs };
    }
    reply = await client.submit(estimate.part, estimate.answer);
    if (reply.kind !== 'too-recent')
      return { ...(await judgedReply(client, estimate, reply)), waitedMs: elapsedWaitMs };
    leftMs = Math.max(1, reply.leftMs ?? usualWaitMs);
  }
}

/** Without a reply of the site's to this answer, it was not sent: an earlier one told how long the lock lasts. */
function locked(guess: Guess, reply: JudgedReply | null, waitedMs: number, leftMs: number): Outcome {
  const lockedUntilMs = guess.context.io.clock.now() + leftMs;
  const lock = { waitedMs, leftMs, lockedUntilMs };
  return reply
    ? outcome(guess, 'too-recent', 'site', { ...formatReply(reply), ...lock })
    : outcome(guess, 'too-recent', 'memory', { memoryOf: 'run', ...lock });
}

async function judgedReply(client: AocClient, estimate: Guess, reply: JudgedReply): Promise<Outcome> {
  if (reply.kind === 'unjudged') return outcome(estimate, 'unjudged', 'local');
  if (reply.kind === 'wrong-level' || reply.kind === 'finished') {
    // Solved elsewhere since the page was kept: in a browser, or by another run.
    const outcome = await judgeByTruth(client, estimate, [], 'fresh');
    if (outcome) return { ...outcome, ...formatReply(reply) };
  }
  const verdict = reply.kind === 'wrong' ? (reply.hint ?? 'wrong') : reply.kind;
  const isKept =
    verdict === 'right' || verdict === 'wrong' || verdict === 'too-high' || verdict === 'too-low';
  const notKept = isKept ? await keep(client, estimate, verdict) : undefined;
  return outcome(estimate, verdict, 'site', { ...formatReply(reply), notKept });
}

/** A full disk must not lose what the site has said: the journal of this run has it. Returns why later runs do not. */
async function keep(client: AocClient, { part, answer, context }: Guess, verdict: AccountGuess['verdict']) {
  try {
    await client.remember({ part, answer, verdict, run: context.runId });
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError) return error.message;
    throw error;
  }
}

function formatReply({ told, raw }: JudgedReply): Pick<Outcome, 'reply' | 'rawReply'> {
  return { reply: told, rawReply: raw };
}

async function judgeByKnowledge(client: AocClient, estimate: Guess): Promise<Outcome | null> {
  const estimates = await readGuesses(client, estimate);
  return (await judgeByTruth(client, estimate, estimates)) ?? judgeByMemory(estimate, estimates);
}

async function readGuesses(client: AocClient, guess: Guess): Promise<readonly AccountGuess[]> {
  return (await client.guesses()).filter(({ part }) => part === guess.part);
}

/** The right answer to a part stands on the page of a day that was solved before, or was once accepted. */
async function judgeByTruth(
  client: AocClient,
  estimate: Guess,
  estimates: readonly AccountGuess[],
  age: 'kept' | 'fresh' = 'kept',
): Promise<Outcome | null> {
  const page = await client.page(age);
  const truth =
    page.answers[estimate.part - 1] ?? estimates.find(({ verdict }) => verdict === 'right')?.answer;
  if (truth === undefined) return null;
  if (isOneValue(truth) && noValue(estimate)) return noValue(estimate);
  return outcome(estimate, compareWithTruth(estimate.answer, truth), 'local');
}

function judgeByMemory(guess: Guess, guesses: readonly AccountGuess[]): Outcome | null {
  const incorrect = guesses.flatMap(({ answer, verdict }): WrongGuess[] =>
    verdict === 'right' ? [] : [{ answer, verdict }],
  );
  const verdict = findGuess(incorrect, guess.answer);
  return verdict && outcome(guess, verdict, 'memory', { memoryOf: 'account' });
}
