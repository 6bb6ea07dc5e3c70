/** What a run answered and how that was judged, in the words of every table, summary and page. Pure. */
import type { RunEnd } from '../core/event.ts';
import type { Answer } from '../core/problem.ts';
import { grouped, oneLine, truncate } from '../text/format.ts';

type AnsweredRunEnd = Pick<RunEnd, 'solution' | 'grade'>;

/**
 * The answer in one line of at most `maxCharacters`: what was handed in, or the answers to the parts. Null where the run
 * has not answered. A program is named by its language and length.
 */
export function answerLine(end: AnsweredRunEnd | null, maxCharacters = 200): string | null {
  const parts = end?.grade?.answers ?? [];
  const answer = end?.solution?.answer;
  if (answer) return truncate(oneLine(answerSummary(answer)), maxCharacters);
  if (parts.length === 0) return null;
  return truncate(
    parts.map((part) => `${part.stage}: ${oneLine(part.answer)}${judgement(part.correct)}`).join('; '),
    maxCharacters,
  );
}

function answerSummary(answer: Answer): string {
  if (answer.type === 'text') return answer.text;
  if (answer.type === 'grids') return JSON.stringify(answer.attempts);
  return `${answer.language}, ${grouped(answer.source.split('\n').length)} lines`;
}

function judgement(correct: boolean | null): string {
  if (correct === null) return ' (not judged)';
  return correct ? ' (right)' : ' (wrong)';
}
