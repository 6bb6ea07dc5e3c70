/** A whole program of the template that `init` knows, a reading of the input, and what is printed. Pure. */

import type { PlainAnswer } from './answer.ts';
import { kindsIn, printingCode } from './code.ts';
import { type Talk, talkingCode } from './talk.ts';
import { solutionTemplate } from './templates.ts';
import type { Understood } from './understanding.ts';

export function answeringProgram(understood: Understood, answer: PlainAnswer): string {
  const printing = printingCode(answer, kindsIn(understood.steps));
  return programThat([...beginning(understood), `  // A plain answer: ${answer.told}.`, ...printing]);
}

export function talkingProgram(understood: Understood, talk: Talk): string {
  const talking = talkingCode(talk);
  return programThat([...beginning(understood), `  // A plain talk: ${talk.told}.`, ...talking]);
}

function beginning({ reading, isWhole }: Understood): readonly string[] {
  if (reading === null) return ['  // How the input is read is not understood; this answer does without it.'];
  return isWhole
    ? reading
    : [...reading, '  // The rest of the input is not read: its format was not understood.'];
}

/** Where no answer is known. */
export function readingProgram({ reading, isWhole }: Understood): string {
  if (reading === null || !isWhole) return solutionTemplate;
  return programThat([...reading, '  // Print an answer here: what is valid says the statement.']);
}

function programThat(body: readonly string[]): string {
  const isHint = (line: string) => line.includes('// Read the input as');
  return solutionTemplate
    .split('\n')
    .flatMap((line) => (isHint(line) ? body : [line]))
    .join('\n');
}
