/** A question on the page: who said what, how the vote was decided, and what the answer was compared with. Pure. */
import type { Event } from '../../core/event.ts';
import { foldRun, type RunView } from '../../core/fold.ts';
import { answerText, type EnsembleNotes, ensembleNotesOf, type SampleNote } from '../../notes/ensemble.ts';
import { withoutGold } from '../../notes/note.ts';
import type { Block, Panel } from '../../notes/panel.ts';
import { count, grouped, oneLine } from '../../text/format.ts';
import { text } from '../../text/json.ts';
import { findDecisive } from './study/measure.ts';
import { spentInBranch } from './study/spent.ts';
import { failureWords, remarks, voteLines } from './vote-text.ts';

/** None where nothing was put to a vote and nothing is known to compare with. */
export function panels(events: readonly Event[]): readonly Panel[] {
  const view = foldRun(events);
  const notes = ensembleNotesOf(events);
  const gold = text(view.header?.problem.detail ?? {}, 'gold');
  const isVoted = notes.plan !== null || notes.samples.length > 0 || notes.decision !== null;
  if (!isVoted && gold === '') return [];
  const decisive = findDecisive(notes, view.header?.agent.settings.weights);
  // The sentence above already explains the decision.
  const vote = notes.vote && { ...notes.vote, explanation: '' };
  const lines = voteLines({ ...notes, vote, decisive });
  return [
    {
      title: isVoted ? 'Vote' : 'Answer',
      sentence: sentenceOf(view, notes),
      blocks: [
        ...gradeBlocks(view, gold),
        ...clusterBlocks(view, notes),
        ...sampleBlocks(events, notes),
        ...lines.map((line): Block => ({ kind: 'text', text: line })),
        ...correctionBlocks(notes),
      ],
    },
  ];
}

const deciders = {
  vote: 'The vote chose',
  plurality: 'No answer won the vote, and most voices are for',
  'self-correction': 'No answer won the vote, and the self-correction says',
  abstention: 'No answer was chosen',
} as const;

function sentenceOf({ end }: RunView, { decision, samples, vote }: EnsembleNotes): string {
  if (!end) return `At work: ${count(samples.length, 'sample')} so far.`;
  const answer = end.solution?.answer;
  if (!answer && !decision) return 'There is no answer.';
  const text = answer ? oneLine(answerText(answer)) : 'no answer';
  const correct = end.grade?.correct;
  const judged =
    correct === undefined || correct === null
      ? ''
      : correct
        ? ', and that is right'
        : ', and that is not the gold answer';
  const head = decision
    ? `${deciders[decision.by]}${decision.by === 'abstention' ? '' : ` ${text}`}`
    : `The answer is ${text}`;
  return `${head}${judged}. ${vote && decision ? oneLine(vote.explanation) : ''}`.trim();
}

function gradeBlocks({ end, header }: RunView, gold: string): readonly Block[] {
  if (gold === '') return [];
  const profile = text(header?.problem.detail ?? {}, 'profile');
  const why = withoutGold(end?.grade?.explanation ?? '', end?.grade?.correct ? null : gold);
  const tone = end?.grade?.correct ? 'good' : 'bad';
  const compared: readonly Block[] =
    profile === '' ? [] : [{ kind: 'facts', facts: [{ label: 'compared as', value: profile }] }];
  return [...compared, ...(why === '' ? [] : [{ kind: 'text', text: why, tone } as const])];
}

/** Answers that are one and the same, the heaviest first. */
function clusterBlocks({ end }: RunView, { vote, decision, samples }: EnsembleNotes): readonly Block[] {
  if (!vote) return [];
  const all = vote.clusters.reduce((sum, { weight }) => sum + weight, 0);
  const nameOf = (number: number): string =>
    samples.find((sample) => sample.number === number)?.name ?? `sample ${number}`;
  const rows = vote.clusters.map((cluster) => {
    const isSelected = cluster.samples.some((number) => decision?.samples.includes(number));
    const correct = isSelected ? end?.grade?.correct : undefined;
    return {
      cells: [
        oneLine(answerText(cluster.answer)),
        String(cluster.weight),
        all === 0 ? '' : `${Math.round((100 * cluster.weight) / all)} %`,
        cluster.samples.map(nameOf).join(', '),
      ],
      isMarked: isSelected,
      ...(typeof correct === 'boolean' ? { tone: correct ? ('good' as const) : ('bad' as const) } : {}),
    };
  });
  const columns = [
    { title: 'answer' },
    { title: 'weight', isNumber: true },
    { title: 'share', isNumber: true },
    { title: 'said by' },
  ];
  return [{ kind: 'table', title: `Votes, ${vote.toWin} to win`, columns, rows }];
}

function sampleBlocks(events: readonly Event[], { samples, vote }: EnsembleNotes): readonly Block[] {
  if (samples.length === 0) return [];
  const seqs = new Map(
    events.flatMap(({ kind, body, seq }) =>
      kind === 'note' && body.kind === 'sample' ? [[text(body.data, 'name'), seq] as const] : [],
    ),
  );
  const votedOf = ({ number, answer }: SampleNote): string => {
    const cluster = vote?.clusters.find((each) => each.samples.includes(number));
    return cluster && answer && answerText(cluster.answer) !== answerText(answer)
      ? oneLine(answerText(cluster.answer))
      : '';
  };
  const rows = samples.map((sample) => ({
    cells: [
      sample.name || sample.strategy,
      sample.answer ? oneLine(answerText(sample.answer)) : '–',
      votedOf(sample),
      grouped(spentInBranch(events, sample.name).tokens),
      [remarks(sample), sample.failed === null ? '' : oneLine(sample.detail)].filter(Boolean).join(': '),
    ],
    seq: seqs.get(sample.name) ?? 0,
    ...(sample.failed === null ? {} : { tone: 'bad' as const }),
  }));
  const columns = [
    { title: 'sample' },
    { title: 'answer' },
    { title: 'counted as' },
    { title: 'tokens', isNumber: true },
    { title: 'remarks' },
  ];
  return [{ kind: 'table', title: 'Samples', columns, rows }];
}

function correctionBlocks({ decision }: EnsembleNotes): readonly Block[] {
  const { selfCorrection = null } = decision ?? {};
  if (!selfCorrection) return [];
  const { answer, failed, detail } = selfCorrection;
  const text = answer ? oneLine(answerText(answer)) : failureWords(failed ?? detail);
  return [{ kind: 'text', text: `Self-correction: ${text}`, tone: answer ? 'good' : 'bad' }];
}
