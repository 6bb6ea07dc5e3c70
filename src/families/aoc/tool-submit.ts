/**
 * SubmitAnswer: one answer to the part that is open. What this run or the page already knows is not sent again; short
 * locks of the site are waited out; an accepted answer closes the stage.
 */
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import type { EffectContext, StageAdvance, Tool, ToolResult } from '../../core/problem.ts';
import type { AocClient } from './client.ts';
import { compareWithTruth, recall, wrongGuessesOf } from './guesses.ts';
import { toMarkdown } from './markdown.ts';
import type { DayPage } from './page.ts';
import type { JudgedReply } from './reply.ts';
import { type Outcome, resultOf } from './submission.ts';
import { clientOf, defineTool, mistake, otherPuzzle, type Puzzle } from './tools.ts';

const longestWaitMs = 2 * 60_000;
/** For a lock of which the site does not say how long it lasts. */
const usualWaitMs = 60_000;

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
      const outcome = await judge(puzzle, client, { part, answer: args.answer.trim(), context });
      return finish(client, part, outcome);
    },
    async reconcile(args, context) {
      const part = partOf(context.stage);
      if (!part || otherPuzzle(puzzle, args)) return null;
      const client = clientOf(puzzle, context);
      const page = await client.page('fresh');
      const answer = args.answer.trim();
      if (page.answers[part - 1] !== answer) return null;
      return finish(client, part, { verdict: 'right', source: 'site', part, answer, waitedMs: 0 });
    },
  });
}

type Guess = { readonly part: 1 | 2; readonly answer: string; readonly context: EffectContext };

async function judge(puzzle: Puzzle, client: AocClient, guess: Guess): Promise<Outcome> {
  const { part, answer, context } = guess;
  const known = { part, answer, waitedMs: 0 };
  if (answer === '') return { ...known, verdict: 'empty', source: 'local' };
  const remembered = recall(wrongGuessesOf(context.past, context.stage), answer);
  if (remembered) return { ...known, verdict: remembered, source: 'memory' };
  const solvedBefore = judgeByPage(await client.page('kept'), guess);
  return solvedBefore ?? (await judgeBySite(puzzle, client, guess));
}

/** A part that its user solved before, or another run of the same account, has its answer on the page. */
function judgeByPage(page: DayPage, { part, answer }: Guess): Outcome | null {
  const truth = page.answers[part - 1];
  if (truth === undefined) return null;
  return { verdict: compareWithTruth(answer, truth), source: 'local', part, answer, waitedMs: 0 };
}

async function judgeBySite({ settings }: Puzzle, client: AocClient, guess: Guess): Promise<Outcome> {
  const { part, answer, context } = guess;
  let waitedMs = 0;
  for (;;) {
    const reply = await client.submit(part, answer);
    if (reply.kind !== 'too-recent') {
      return { ...(await outcomeOf(client, guess, reply)), waitedMs };
    }
    const leftMs = reply.leftMs ?? usualWaitMs;
    if (waitedMs + leftMs > (settings.longestWaitMs ?? longestWaitMs)) {
      return { verdict: 'too-recent', source: 'site', part, answer, waitedMs, leftMs, reply: reply.told };
    }
    // At least a second: a site that says 0 must not be asked in circles.
    const pauseMs = Math.max(leftMs, 1_000);
    await context.io.clock.sleep(pauseMs, context.signal);
    waitedMs += pauseMs;
  }
}

async function outcomeOf(client: AocClient, guess: Guess, reply: JudgedReply): Promise<Outcome> {
  const { part, answer } = guess;
  if (reply.kind === 'wrong-level' || reply.kind === 'finished') {
    // Solved elsewhere since the page was kept: in a browser, or by another run.
    const solvedElsewhere = judgeByPage(await client.page('fresh'), guess);
    if (solvedElsewhere) return { ...solvedElsewhere, reply: reply.told };
  }
  const verdict = reply.kind === 'wrong' ? (reply.hint ?? 'wrong') : reply.kind;
  return { verdict, source: 'site', part, answer, waitedMs: 0, reply: reply.told };
}

async function finish(client: AocClient, part: 1 | 2, outcome: Outcome): Promise<ToolResult> {
  const result = resultOf(outcome);
  return outcome.verdict === 'right'
    ? { ...result, advance: await advanceFrom(client, part, outcome) }
    : result;
}

async function advanceFrom(client: AocClient, part: 1 | 2, outcome: Outcome): Promise<StageAdvance> {
  // The page that is kept is from before the answer; asking anew also keeps the answers for later runs.
  const page = await client.page(outcome.source === 'site' ? 'fresh' : 'kept');
  if (part === 2) return { to: null, statement: '' };
  const html = page.parts[1];
  if (html === undefined) {
    throw new UnavailableError({
      what: 'The site accepted the answer to part 1 but does not show part 2.',
      fix: 'Resume the run later: it will look again.',
    });
  }
  return { to: 'part2', statement: openingOf(html) };
}

/** Models stop after part 1 unless they are told to go on, and to hand in. */
function openingOf(partTwo: string): string {
  return [
    'Your answer to part 1 is accepted. Here is part 2; the input stays the same.',
    toMarkdown(partTwo),
    'Hand in the answer to part 2 with SubmitAnswer.',
  ].join('\n\n');
}

function partOf(stage: string): 1 | 2 | null {
  if (stage === 'part1') return 1;
  return stage === 'part2' ? 2 : null;
}
