/**
 * Sends an answer to the site and reads what it says. A short lock is waited out, and then it is looked again whether the
 * answer still has to be sent: other runs go on meanwhile. While a long one lasts, nothing is sent.
 */
import { UnavailableError } from '../../core/errors.ts';
import type { AocClient } from './client.ts';
import { lockedUntilMs } from './guesses.ts';
import { type Guess, judgeByTruth, plain } from './knowledge.ts';
import type { AccountGuess } from './memory.ts';
import type { JudgedReply } from './reply.ts';
import type { Outcome } from './submission.ts';

/** For a lock of which the site does not say how long it lasts. */
const usualWaitMs = 60_000;

/** `look` again after each wait, for what is known by then. */
export async function judgeBySite(
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

function said({ told, raw }: JudgedReply): Pick<Outcome, 'reply' | 'rawReply'> {
  return { reply: told, rawReply: raw };
}
