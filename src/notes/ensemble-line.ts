/** What an ensemble and its strategies write down of themselves, in a line for people. Null for all other notes. Pure. */

import type { EventOf } from '../core/event.ts';
import { clip, count, oneLine } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import type { Tone } from '../text/paint.ts';
import { answerText, ensembleNotesOf } from './ensemble.ts';

type NoteLine = { readonly text: string; readonly tone: Tone };

const mostAnswerCharacters = 60;

export function describeEnsembleNote(event: EventOf<'note'>): EventLine | null {
  const line = noteLine(event);
  return line && { ...line, isQuiet: false };
}

function noteLine(event: EventOf<'note'>): NoteLine | null {
  const { plan, samples, vote, decision } = ensembleNotesOf([event]);
  const [sample] = samples;
  const shown = (answer: Parameters<typeof answerText>[0]) =>
    clip(oneLine(answerText(answer)), mostAnswerCharacters);
  if (plan) {
    const way = plan.recommendation === 'python' ? 'use Python' : 'use reasoning';
    const doubt = plan.recommended === 'stated' ? '' : ` (the recommendation is ${plan.recommended})`;
    return { text: `plan: ${plan.problemType || 'no type'}, ${way}${doubt}`, tone: 'strong' };
  }
  if (sample) {
    const { strategy, answer, failed, detail, repairs, review } = sample;
    const how = [repairs > 0 ? count(repairs, 'repair') : '', review ? `review: ${review}` : ''].filter(
      Boolean,
    );
    const after = how.length > 0 ? ` (${how.join(', ')})` : '';
    if (answer) return { text: `${strategy} says ${shown(answer)}${after}`, tone: 'accent' };
    return { text: `${strategy} has no answer: ${detail || failed}${after}`, tone: 'warn' };
  }
  if (vote) return { text: `vote: ${vote.explanation}`, tone: vote.winner === null ? 'warn' : 'good' };
  if (!decision) return null;
  const { by, answer, explanation } = decision;
  const tone = by === 'abstention' ? 'bad' : by === 'vote' ? 'good' : 'warn';
  return { text: `decision by ${by}: ${answer ? shown(answer) : 'no answer'}. ${explanation}`, tone };
}
