/**
 * What is made of one answer. What is known already is not sent: it is told from this run's own answers, from the known
 * right answer, or from what other runs of the account were told.
 */
import { UnavailableError } from '../../core/errors.ts';
import type { AocClient } from './client.ts';
import { acceptedAnswer, recall, wasTooLong, wrongAnswersSent, wrongGuessesOf } from './guesses.ts';
import { judgeBySite } from './judge-by-site.ts';
import { type Guess, guessesOf, judgeByKnowledge, judgeByMemory, plain } from './knowledge.ts';
import type { Outcome } from './submission.ts';

/** No answer of any puzzle is nearly as long; what a model pours out instead is not the site's to take. */
const longestAnswer = 1_000;

export async function judge(client: AocClient, guess: Guess): Promise<Outcome> {
  const { answer, context } = guess;
  if (answer === '') return { ...plain(guess), verdict: 'empty', source: 'local' };
  const own = recall(wrongGuessesOf(context.past, context.stage), answer);
  if (own) return { ...plain(guess), verdict: own, source: 'memory', memoryOf: 'run' };
  const known = (await judgeByKnowledge(client, guess)) ?? tooLong(guess);
  return known ?? noTriesLeft(client, guess) ?? (await judgeOnOpenPart(client, guess));
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
    code: 'part-two-closed',
    what: 'The site says that part 2 is not open, although this run has solved part 1.',
    why: reply
      ? `To the answer to part 1, handed in again, it said: ${reply.slice(0, 200)}`
      : 'It took the same answer to part 1 for wrong before.',
    fix: 'See that the site knows the account that the run began with, then resume the run.',
  });
}

function noTriesLeft({ maxWrongAnswers }: AocClient, guess: Guess): Outcome | null {
  const { past, stage } = guess.context;
  if (maxWrongAnswers === null || wrongAnswersSent(past, stage) < maxWrongAnswers) return null;
  return { ...plain(guess), verdict: 'no-tries-left', source: 'local', tries: maxWrongAnswers };
}
