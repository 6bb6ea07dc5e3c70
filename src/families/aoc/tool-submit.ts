/**
 * SubmitAnswer: one answer to the part that is open. A right one closes the stage, and so does one that nobody can
 * judge: then only the next part is left to work on.
 */
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import type { StageAdvance, Tool, ToolResult } from '../../core/problem.ts';
import type { AocClient } from './client.ts';
import { recall, wrongGuessesOf } from './guesses.ts';
import { judge } from './judge.ts';
import type { Guess } from './knowledge.ts';
import type { AccountGuess } from './memory.ts';
import type { DayPage } from './page.ts';
import { markdownOf, type StatementPart } from './statement.ts';
import { type Outcome, resultOf } from './submission.ts';
import { clientOf, defineTool, hasOnePart, mistake, otherPuzzle, type Puzzle } from './tools.ts';

const longestWaitMs = 2 * 60_000;

export function submitTool(puzzle: Puzzle): Tool {
  return defineTool({
    name: 'SubmitAnswer',
    description: 'Submits your answer to the part that is open: part 1, or part 2 once part 1 is solved.',
    parameters: z.object({
      year: z.int(),
      day: z.int(),
      answer: z.string().describe('The answer, digit by digit.'),
    }),
    async call(args, context) {
      const part = partOf(context.stage);
      const refusal = otherPuzzle(puzzle, args);
      if (refusal) return refusal;
      if (!part) return mistake('Both parts are already solved.', { mistake: 'all-solved' });
      const client = clientOf(puzzle, context);
      const waitMs = puzzle.settings.longestWaitMs ?? longestWaitMs;
      const guess = { part, answer: args.answer.trim(), context, longestWaitMs: waitMs };
      return finish(puzzle, client, await judge(client, guess));
    },
    async reconcile(args, context) {
      const part = partOf(context.stage);
      if (!part || otherPuzzle(puzzle, args)) return null;
      const client = clientOf(puzzle, context);
      const verdict = await verdictBefore(client, { part, answer: args.answer.trim(), context });
      if (!verdict) return null;
      const answer = args.answer.trim();
      return finish(puzzle, client, { verdict, source: 'site', part, answer, waitedMs: 0 });
    },
  });
}

/** What the site said to the call that was broken off; null where it has to be made again. */
async function verdictBefore(
  client: AocClient,
  { part, answer, context }: Omit<Guess, 'longestWaitMs'>,
): Promise<AccountGuess['verdict'] | null> {
  const isRepeated = recall(wrongGuessesOf(context.past, context.stage), answer) !== null;
  if (isRepeated || answer === '') return null;
  const told = (await client.guesses()).findLast((guess) => {
    return guess.run === context.runId && guess.part === part && guess.answer === answer;
  });
  if (told) return told.verdict;
  // Of a day that was solved before, nothing was sent.
  const isKnown = (await client.page('kept')).answers[part - 1] !== undefined;
  if (isKnown) return null;
  const page = await client.page('fresh');
  return page.answers[part - 1] === answer ? 'right' : null;
}

async function finish(puzzle: Puzzle, client: AocClient, outcome: Outcome): Promise<ToolResult> {
  if (outcome.verdict !== 'right' && outcome.verdict !== 'unjudged') return resultOf(outcome);
  const isOnlyPart = hasOnePart(puzzle);
  const isLast = isOnlyPart || outcome.part === 2;
  const page = await pageAfter(client, outcome, isOnlyPart);
  const result = resultOf({ ...outcome, isOnlyPart, stars: page.stars });
  const advance = isLast ? { to: null, statement: '' } : toPartTwo(page.parts[1], outcome);
  return { ...result, advance };
}

/** What was kept before the answer knows nothing of what it has opened; what is asked anew is kept for later runs. */
async function pageAfter(
  client: AocClient,
  { source, part }: Outcome,
  isOnlyPart: boolean,
): Promise<DayPage> {
  const kept = source === 'site' ? null : await client.page('kept');
  const isEnough = kept && (isOnlyPart ? kept.stars === 2 : part === 2 || kept.parts.length === 2);
  return isEnough ? kept : client.page('fresh');
}

function toPartTwo(part: StatementPart | undefined, { verdict }: Outcome): StageAdvance {
  if (part) return { to: 'part2', statement: openingOf(part, verdict === 'right') };
  throw new UnavailableError({
    code: 'site-accepted-answer-part-but',
    what: 'The site accepted the answer to part 1 but does not show part 2.',
    fix: 'Resume the run later: it will look again.',
  });
}

/** Models stop after part 1 unless they are told to go on, and to hand in. */
function openingOf(partTwo: StatementPart, isRight: boolean): string {
  return [
    `Your answer to part 1 is ${isRight ? 'accepted' : 'written down'}. Here is part 2; the input stays the same.`,
    markdownOf(partTwo),
    'Hand in the answer to part 2 with SubmitAnswer.',
  ].join('\n\n');
}

function partOf(stage: string): 1 | 2 | null {
  if (stage === 'part1') return 1;
  return stage === 'part2' ? 2 : null;
}
