/**
 * The ensemble: plan, ask several strategies, vote, correct itself. Every stage is one function below; the strategies
 * are the same functions that are agents of their own, each in a branch, asked until the vote cannot change any more.
 */
import type { Solution } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { LimitReached } from '../../core/errors.ts';
import type { Answer } from '../../core/problem.ts';
import { answerText, type ClusterNote, type DecisionNote } from '../../notes/ensemble.ts';
import { count, oneLine } from '../../text/format.ts';
import { modelSettings } from '../kit/asking.ts';
import { answerOf, Meter, NoAnswerError, questionTurn, systemTurn, type Task } from './asking.ts';
import { makePlan } from './planner.ts';
import { type Poll, pollOf, sampleStrategies, savedTokens, votesIn } from './poll.ts';
import { ensemblePrompts } from './prompts.ts';
import { ensembleSettings, type Strategy, typicalCalls } from './settings.ts';
import { type Count, explainVote } from './vote.ts';

export const ensemble = defineAgent({
  name: 'ensemble',
  settings: ensembleSettings,
  needs: ['parse', 'equal'],
  roles: ['planner', 'solver', 'reviewer', 'summariser'],
  usual: ({ strategies: { python } }) => typicalCalls(python, { plans: 1 }),
  demands: ({ strategies: { python, reasoning } }) =>
    [...python, ...reasoning].every((strategy) => strategy === 'chain') ? {} : { languages: ['python'] },
  prompts: ensemblePrompts,

  async solve(problem, run, settings) {
    const hints: string[] = [];
    const plan = await makePlan(taskIn({ problem, run, settings, hints }), settings.planner);
    run.note('plan', plan);
    const poll = pollOf({ problem, run, settings, plan, hints });
    const list = settings.strategies[plan.recommendation];

    await sampleStrategies(poll, list);
    await sampleWhileClose(poll, list);
    const votes = votesIn(poll);
    noteVote(poll, votes, list);

    const decision = await decideAnswer(poll, votes);
    run.note('decision', decision);
    return solutionOf(decision, poll);
  },
});

type EnsembleContext = Pick<Poll, 'problem' | 'run' | 'settings' | 'hints'>;

function taskIn({ problem, run, settings, hints }: EnsembleContext, asides: readonly string[] = []): Task {
  const { temperature: _, ...others } = modelSettings(settings);
  const { reminders } = settings;
  return { problem, run, modelSettings: others, meter: new Meter(), reminders, hints, asides };
}

/** One answer more may win, or break a tie. Where there is no answer at all, nothing is close. */
async function sampleWhileClose(poll: Poll, list: readonly Strategy[]): Promise<void> {
  const { maxSamples = list.length, votesToWin } = poll.settings;
  while (poll.limit === null && poll.items.length < maxSamples) {
    const { clusters, winner, isTie } = votesIn(poll);
    const [first] = clusters;
    if (!first || (winner && !isTie)) return;
    const missing = isTie ? 1 : Math.ceil(votesToWin - first.weight);
    const most = Math.min(Math.max(1, missing), maxSamples - poll.items.length);
    const next = Array.from({ length: most }, (_, at) => list[(poll.items.length + at) % list.length] ?? []);
    await sampleStrategies(poll, next.flat());
  }
}

function noteVote(poll: Poll, count: Count, list: readonly Strategy[]): void {
  const { run, settings, items, samples, spared } = poll;
  const winner = count.winner ? count.clusters.indexOf(count.winner) : -1;
  run.note('vote', {
    clusters: count.clusters,
    toWin: settings.votesToWin,
    winner: winner < 0 ? null : winner,
    isTie: count.isTie,
    explanation: explainVote(count, settings, samples),
    asked: items.length,
    extra: Math.max(0, items.length - list.length),
    spared: spared.map(({ strategy, begun }) => ({ strategy, begun })),
    savedTokensEstimate: savedTokens(poll),
  });
}

/** The vote, else a last attempt that knows what failed, else the most votes or none: in this order. */
async function decideAnswer(poll: Poll, count: Count): Promise<DecisionNote> {
  const { winner, clusters } = count;
  const { settings } = poll;
  if (winner) return submitAnswer('vote', winner.answer, winner.samples, 'The votes decided.', null);

  const attempt = settings.selfCorrection && poll.limit === null ? await selfCorrect(poll, count) : null;
  if (attempt?.answer) {
    const why = 'No answer won, and the model was asked once more with the failed answers.';
    return submitAnswer('self-correction', attempt.answer, [], why, attempt);
  }
  const inVain = attempt ? `, and the self-correction came to nothing (${attempt.detail})` : '';
  const before = poll.limit === null ? `No answer won${inVain}` : `${poll.limit} No answer had won`;
  const [first] = clusters;
  if (!first)
    return submitAnswer('abstention', null, [], `${before}; there is no answer to hand in.`, attempt);
  if (settings.fallback === 'abstain')
    return submitAnswer(
      'abstention',
      null,
      [],
      `${before}; nothing is handed in (fallback: abstain).`,
      attempt,
    );
  const why = `${before}; the answer with most votes is handed in (fallback: plurality).`;
  return submitAnswer('plurality', first.answer, first.samples, why, attempt);
}

function submitAnswer(
  by: DecisionNote['by'],
  answer: Answer | null,
  samples: readonly number[],
  explanation: string,
  selfCorrection: DecisionNote['selfCorrection'],
): DecisionNote {
  return { by, answer, samples: [...samples], explanation, selfCorrection };
}

/** Stage four: the question and the failed answers, from another side. */
async function selfCorrect(poll: Poll, { clusters }: Count): Promise<DecisionNote['selfCorrection']> {
  const { run, settings } = poll;
  const answers = clusters.map((cluster) => {
    const { answer, samples } = cluster;
    const times = samples.length > 1 ? ` (${samples.length} times)` : '';
    return `- ${answerText(answer)}${settings.reasons ? defenseOf(poll, cluster) : times}`;
  });
  const aside =
    answers.length > 0
      ? run.prompt('failedAnswers', { answers: answers.join('\n') })
      : run.prompt('noAnswers');
  const meter = new Meter();
  return run.branch('self-correction', async (here) => {
    const task = { ...taskIn({ ...poll, run: here }, [aside]), meter };
    try {
      const turns = [systemTurn(task, 'selfCorrection'), questionTurn(task)];
      const { answer } = await answerOf(task, 'solver', turns);
      return { answer, failed: null, detail: '', tokens: meter.tokens };
    } catch (error) {
      if (!(error instanceof LimitReached || error instanceof NoAnswerError)) throw error;
      const failed = error instanceof LimitReached ? 'limit' : error.reason;
      return { answer: null, failed, detail: error.message, tokens: meter.tokens };
    }
  });
}

/** Who gave an answer, and how the first of them came to it: the last words that do not state it, in a line. */
function defenseOf({ items }: Poll, { samples }: ClusterNote): string {
  const voters = items.filter(({ number }) => samples.includes(number));
  const words = voters[0]?.meter.lastWords ?? '';
  const text = oneLine(words.replaceAll(/^\W*(?:final answer\b.*|\\boxed\{.*\}\W*|```\w*)$/gim, ''));
  const end = text.length > mostReasoning ? `… ${text.slice(-mostReasoning).toWellFormed()}` : text;
  const names = voters.map(({ name }) => name).join(', ');
  return ` (${count(voters.length, 'vote')}: ${names})${end && `\n  It ended: ${end}`}`;
}

const mostReasoning = 240;

/** If a limit left no winner, the agent gives up, with the best answer so far. */
function solutionOf({ by, answer, explanation }: DecisionNote, { limit, samples }: Poll): Solution {
  const isCut = limit !== null && by !== 'vote';
  const detail = by === 'vote' ? undefined : explanation;
  const isContextFull = samples.length > 0 && samples.every(({ failed }) => failed === 'context');
  if (!answer && isContextFull)
    return { end: 'gave-up', limit: 'context', detail: `${samples[0]?.detail} ${detail}` };
  if (!answer) return { end: 'gave-up', detail };
  return { end: isCut ? 'gave-up' : 'answered', answer, detail };
}
