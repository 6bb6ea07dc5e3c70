/** How one run of an ensemble, or of one of its strategies, came to its answer: plan, samples, votes, decision. Pure. */
import type { Output } from '../../cli/contract.ts';
import { answerText, type SampleNote } from '../../notes/ensemble.ts';
import { count, grouped, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { fitToWidth } from '../../text/wrap.ts';
import type { Measured, Member } from './study/measure.ts';

const mostAnswerColumns = 28;

/** Empty where the agent has left no notes. */
export function voteText(output: Output, run: Measured): string {
  const { plan, members, decision } = run;
  if (members.length === 0 && !plan && !decision) return '';
  return `${members.length > 0 ? samplesTable(output, run) : ''}${voteLines(run)
    .map((line) => `${line}\n`)
    .join('')}`;
}

/** Plan, vote and decision, each with why. */
export function voteLines(run: Pick<Measured, 'plan' | 'vote' | 'decision' | 'decisive'>): readonly string[] {
  const { plan, vote, decision } = run;
  return [
    ...(plan ? [`Plan: ${oneLine(plan.problemType) || 'no type'}, ${planWords(plan)}`] : []),
    ...(vote && vote.explanation !== '' ? [`Vote: ${oneLine(vote.explanation)}`] : []),
    ...(vote && vote.spared.length > 0 ? [sparedText(vote)] : []),
    ...(decision ? [`Decision: ${decision.by}. ${oneLine(decision.explanation)}`] : []),
    ...(run.decisive.length > 0 ? [`Decisive: ${run.decisive.join(', ')}`] : []),
  ];
}

function planWords({ recommendation, recommended }: NonNullable<Measured['plan']>): string {
  const word = recommendation === 'python' ? 'use Python' : 'use reasoning';
  return recommended === 'stated' ? word : `${word} (the recommendation is ${recommended})`;
}

function sparedText({ spared, savedTokensEstimate }: NonNullable<Measured['vote']>): string {
  const saved = savedTokensEstimate === null ? '' : `, about ${grouped(savedTokensEstimate)} tokens saved`;
  return `Spared: ${count(spared.length, 'sample')}, the vote being decided${saved}`;
}

function samplesTable(output: Output, { members, vote, gold }: Measured): string {
  const votesOf = ({ number }: Member) =>
    vote?.clusters.findIndex(({ samples }) => samples.includes(number)) ?? -1;
  const head = ['strategy', 'answer', 'vote', ...(gold === null ? [] : ['right']), 'tokens', 'remarks'];
  const rows = members.map((member) => {
    const at = votesOf(member);
    const answer = at < 0 ? undefined : vote?.clusters[at]?.answer;
    return [
      member.strategy,
      member.answer === null ? '–' : fitToWidth(oneLine(member.answer), mostAnswerColumns),
      answer ? fitToWidth(oneLine(answerText(answer)), mostAnswerColumns) : '–',
      ...(gold === null ? [] : [member.isRight ? 'yes' : 'no']),
      grouped(member.spent.tokens),
      remarks(member),
    ];
  });
  return table(output, head, rows);
}

export function remarks(member: Pick<SampleNote, 'failed' | 'cut' | 'repairs' | 'review'>): string {
  const { repairs, review } = member;
  return [
    failureOf(member),
    repairs > 0 ? count(repairs, 'repair') : '',
    review === null ? '' : `review: ${review}`,
  ]
    .filter((each) => each !== '')
    .join(', ');
}

const words: Readonly<Record<string, string>> = {
  program: 'no program worked',
  'no-answer': 'no answer was found in the reply',
  'cut-off': 'the reply was cut off',
  steps: 'all steps were taken',
  refused: 'the model refused',
  model: 'the model failed',
  context: 'the context of its model was full',
  limit: 'a limit was reached',
  unavailable: 'the provider or the sandbox was not there',
};

export function failureWords(reason: string): string {
  return words[reason] ?? reason;
}

/** Why a sample has no answer; empty where it has one. Of a reply that was cut off, also how. */
export function failureOf({ failed, cut }: Pick<SampleNote, 'failed' | 'cut'>): string {
  if (failed === null) return '';
  return cut === undefined ? failureWords(failed) : cutWords(cut);
}

/** A sentence as a part of a list. */
export function cutWords(cut: string): string {
  return cut.replace(/^The/, 'the').replace(/\.$/, '');
}
