/**
 * What is made of one answer. What is known already is not sent: it is told from this run's own answers, from the known
 * right answer, or from what other runs of the account were told. Short locks of the site are waited out, and then all
 * of this is looked at again: other runs go on meanwhile.
 */
import { UnavailableError } from '../../core/errors.ts';
import type { EffectContext } from '../../core/problem.ts';
import type { AocClient } from './client.ts';
import {
  acceptedAnswer,
  compareWithTruth,
  lockedUntilMs,
  recall,
  type WrongGuess,
  wasTooLong,
  wrongAnswersSent,
  wrongGuessesOf,
} from './guesses.ts';
import type { AccountGuess } from './memory.ts';
import type { JudgedReply } from './reply.ts';
import type { Outcome } from './submission.ts';

export type Guess = {
  readonly part: 1 | 2;
  readonly answer: string;
  readonly context: EffectContext;
  readonly longestWaitMs: number;
};

/** No answer of any puzzle is nearly as long; what a model pours out instead is not the site's to take. */
const longestAnswer = 1_000;

/** For a lock of which the site does not say how long it lasts. */
const usualWaitMs = 60_000;

export async function judge(client: AocClient, guess: Guess): Promise<Outcome> {
  const { answer, context } = guess;
  if (answer === '') return { ...plain(guess), verdict: 'empty', source: 'local' };
  const own = recall(wrongGuessesOf(context.past, context.stage), answer);
  if (own) return { ...plain(guess), verdict: own, source: 'memory', memoryOf: 'run' };
  const known = (await judgeByKnowledge(client, guess)) ?? tooLong(guess);
  return known ?? noTriesLeft(client, guess) ?? (await judgeOnOpenPart(client, guess));
}

async function judgeByKnowledge(client: AocClient, guess: Guess): Promise<Outcome | null> {
  const guesses = await guessesOf(client, guess);
  return (await judgeByTruth(client, guess, guesses)) ?? judgeByMemory(guess, guesses);
}

async function guessesOf(client: AocClient, guess: Guess): Promise<readonly AccountGuess[]> {
  return (await client.guesses()).filter(({ part }) => part === guess.part);
}

function tooLong(guess: Guess): Outcome | null {
  if (guess.answer.length > longestAnswer)
    return { ...plain(guess), verdict: 'too-much-data', source: 'local' };
  const { past, stage } = guess.context;
  if (!wasTooLong(past, stage, guess.answer)) return null;
  return { ...plain(guess), verdict: 'too-much-data', source: 'memory', memoryOf: 'run' };
}

/** A practice site whose folder was deleted has forgotten part 1, which the journal of this run knows to be done. */
async function judgeOnOpenPart(client: AocClient, guess: Guess): Promise<Outcome> {
  const first = await judgeBySite(client, guess, () => judgeByKnowledge(client, guess));
  if (guess.part !== 2 || first.verdict !== 'wrong-level') return first;
  const partOne = acceptedAnswer(guess.context.past, 'part1');
  if (partOne === null) return first;
  const again = await handInAgain(client, { ...guess, part: 1, answer: partOne });
  if (again.verdict !== 'right') throw partTwoClosed(again);
  const second = await judgeBySite(client, guess, () => judgeByKnowledge(client, guess));
  if (second.verdict === 'wrong-level') throw partTwoClosed(second);
  return { ...second, waitedMs: first.waitedMs + again.waitedMs + second.waitedMs };
}

/** Another account may have another input: what it was told to be wrong is not sent to it again. */
async function handInAgain(client: AocClient, guess: Guess): Promise<Outcome> {
  const recalled = async () => judgeByMemory(guess, await guessesOf(client, guess));
  return (await recalled()) ?? judgeBySite(client, guess, recalled);
}

function partTwoClosed({ reply }: Outcome): UnavailableError {
  return new UnavailableError({
    what: 'The site says that part 2 is not open, although this run has solved part 1.',
    why: reply
      ? `To the answer to part 1, handed in again, it said: ${reply.slice(0, 200)}`
      : 'It took the same answer to part 1 for wrong before.',
    fix: 'See that the site knows the account that the run began with, then resume the run.',
  });
}

/** The right answer to a part stands on the page of a day that was solved before, or was once accepted. */
async function judgeByTruth(
  client: AocClient,
  guess: Guess,
  guesses: readonly AccountGuess[],
  age: 'kept' | 'fresh' = 'kept',
): Promise<Outcome | null> {
  const page = await client.page(age);
  const truth = page.answers[guess.part - 1] ?? guesses.find(({ verdict }) => verdict === 'right')?.answer;
  if (truth === undefined) return null;
  return { ...plain(guess), verdict: compareWithTruth(guess.answer, truth), source: 'local' };
}

function judgeByMemory(guess: Guess, guesses: readonly AccountGuess[]): Outcome | null {
  const wrong = guesses.flatMap(({ answer, verdict }): WrongGuess[] =>
    verdict === 'right' ? [] : [{ answer, verdict }],
  );
  const verdict = recall(wrong, guess.answer);
  return verdict && { ...plain(guess), verdict, source: 'memory', memoryOf: 'account' };
}

function noTriesLeft({ maxWrongAnswers }: AocClient, guess: Guess): Outcome | null {
  const { past, stage } = guess.context;
  if (maxWrongAnswers === null || wrongAnswersSent(past, stage) < maxWrongAnswers) return null;
  return { ...plain(guess), verdict: 'no-tries-left', source: 'local', tries: maxWrongAnswers };
}

/** `look` again after each wait, for what is known by then. */
async function judgeBySite(
  client: AocClient,
  guess: Guess,
  look: () => Promise<Outcome | null>,
): Promise<Outcome> {
  const { io, signal, past } = guess.context;
  let waitedMs = 0;
  let leftMs = lockedUntilMs(past) - io.clock.now();
  let reply: JudgedReply | null = null;
  for (;;) {
    if (leftMs > 0) {
      if (waitedMs + leftMs > guess.longestWaitMs) return locked(guess, reply, { waitedMs, leftMs });
      // At least a second: a site that says 0 must not be asked in circles.
      const pauseMs = Math.max(leftMs, 1_000);
      await io.clock.sleep(pauseMs, signal);
      waitedMs += pauseMs;
      const known = await look();
      if (known) return { ...known, waitedMs };
    }
    reply = await client.submit(guess.part, guess.answer);
    if (reply.kind !== 'too-recent') return { ...(await outcomeOf(client, guess, reply)), waitedMs };
    leftMs = Math.max(1, reply.leftMs ?? usualWaitMs);
  }
}

/** Without a reply of the site's to this answer, it was not sent: an earlier one told how long the lock lasts. */
function locked(
  guess: Guess,
  reply: JudgedReply | null,
  { waitedMs, leftMs }: { readonly waitedMs: number; readonly leftMs: number },
): Outcome {
  return {
    ...plain(guess),
    ...(reply ? { ...said(reply), source: 'site' } : { source: 'memory', memoryOf: 'run' }),
    verdict: 'too-recent',
    waitedMs,
    leftMs,
    lockedUntilMs: guess.context.io.clock.now() + leftMs,
  };
}

async function outcomeOf(client: AocClient, guess: Guess, reply: JudgedReply): Promise<Outcome> {
  if (reply.kind === 'unjudged') return { ...plain(guess), verdict: 'unjudged', source: 'local' };
  if (reply.kind === 'wrong-level' || reply.kind === 'finished') {
    // Solved elsewhere since the page was kept: in a browser, or by another run.
    const solvedElsewhere = await judgeByTruth(client, guess, [], 'fresh');
    if (solvedElsewhere) return { ...solvedElsewhere, ...said(reply) };
  }
  const verdict = reply.kind === 'wrong' ? (reply.hint ?? 'wrong') : reply.kind;
  const outcome: Outcome = { ...plain(guess), ...said(reply), verdict, source: 'site' };
  if (verdict !== 'right' && verdict !== 'wrong' && verdict !== 'too-high' && verdict !== 'too-low')
    return outcome;
  return { ...outcome, ...(await keep(client, guess, verdict)) };
}

/** A full disk must not lose what the site has said: the journal of this run has it, if later runs do not. */
async function keep(
  client: AocClient,
  { part, answer, context }: Guess,
  verdict: AccountGuess['verdict'],
): Promise<Pick<Outcome, 'notKept'>> {
  try {
    await client.remember({ part, answer, verdict, run: context.runId });
    return {};
  } catch (error) {
    if (error instanceof UnavailableError) return { notKept: error.message };
    throw error;
  }
}

function plain({ part, answer }: Guess): Pick<Outcome, 'part' | 'answer' | 'waitedMs'> {
  return { part, answer, waitedMs: 0 };
}

function said({ told, raw }: JudgedReply): Pick<Outcome, 'reply' | 'rawReply'> {
  return { reply: told, rawReply: raw };
}
