/** A note of the induction graph, as one line for people. Pure. */

import type { Event } from '../core/event.ts';
import { count, oneLine } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { type InductionStep, inductionNoteOf } from './induction.ts';

/** Null where it is no such note. */
export function describeInductionNote(event: Event): EventLine | null {
  if (event.kind !== 'note') return null;
  return lineOfStep(event) ?? lineOfWhole(event);
}

function lineOfStep(event: Event): EventLine | null {
  const instruction = inductionNoteOf(event, 'instruction');
  if (instruction) return loud(`step ${instruction.step}: ${instructionText(instruction)}`, 'accent');
  const generator = inductionNoteOf(event, 'generator');
  if (generator) return loud(`generator: ${oneLine(generator.status) || '(it said nothing)'}`);
  const program = inductionNoteOf(event, 'program');
  if (program) return loud(`version ${program.step}: ${oneLine(program.rationale) || 'a program'}`, 'accent');
  const execution = inductionNoteOf(event, 'execution');
  if (execution) {
    const failed = execution.errors.filter((error) => error !== null).length;
    return loud(
      `execution: ${failed === 0 ? 'a grid for every input' : `no grid for ${count(failed, 'input')}`}`,
    );
  }
  const verifier = inductionNoteOf(event, 'verifier');
  return verifier && loud(`verifier: ${verificationText(verifier)}`, verifier.passed ? 'good' : 'warn');
}

function lineOfWhole(event: Event): EventLine | null {
  const hypothesis = inductionNoteOf(event, 'hypothesis');
  if (hypothesis) return quiet(`hypothesis ${hypothesis.number} begins`);
  const end = inductionNoteOf(event, 'hypothesis-end');
  if (end)
    return loud(`the hypothesis has ended: ${end.status}${end.detail ? ` (${oneLine(end.detail)})` : ''}`);
  const vote = inductionNoteOf(event, 'vote');
  if (vote) return loud(`vote of ${vote.hypotheses.length}: ${vote.agreement} agree with right train pairs`);
  const unreadable = inductionNoteOf(event, 'unreadable');
  return (
    unreadable &&
    loud(`asked again, the ${unreadable.role}'s reply cannot be used: ${oneLine(unreadable.problem)}`, 'warn')
  );
}

function loud(text: string, tone: EventLine['tone'] = 'plain'): EventLine {
  return { text, tone, isQuiet: false };
}

function quiet(text: string): EventLine {
  return { text, tone: 'faint', isQuiet: true };
}

export function instructionText({
  text,
  revises,
  done,
  confidence,
}: Pick<NonNullable<InductionStep['instruction']>, 'text' | 'revises' | 'done' | 'confidence'>): string {
  const marks = [
    revises === null ? '' : `in the place of ${revises}`,
    `confidence ${confidence}`,
    done ? 'done' : '',
  ];
  return `${oneLine(text) || '(none)'} [${marks.filter(Boolean).join(', ')}]`;
}

export function verificationText({
  passed,
  score,
  pairs,
}: NonNullable<InductionStep['verification']>): string {
  const right = pairs.filter(({ isRight }) => isRight).length;
  return `${passed ? 'passed' : 'not passed'}, ${right} of ${pairs.length} train pairs right, ${(score * 100).toFixed(1)}% of their cells`;
}
