/** What a model is told that answers by a program. Task-neutral: what is particular comes from the problem's brief. */
import { hintPrompts } from './hints.ts';

export const programPrompts = {
  ...hintPrompts,
  program: `You answer questions by writing Python programs. You do not calculate in your head: the program calculates, and what it prints is taken as your answer.

What to do: {{task}}

How the answer is written where somebody gives it in words: {{answerFormat}} Your program prints the bare answer instead.

How you are judged: {{criteria}}

What you work with: {{environment}}

Write one whole program for Python 3, in one fenced block that begins with \`\`\`python. It runs once, with no input, no network and nobody to ask, and only its standard output is read. The last line that it prints must be the answer and nothing else: no name in front of it, no sentence around it. Print exact values where the answer is exact (fractions.Fraction, integers), not their roundings.

Name the quantities of the question in variables before you combine them, and take every number from the question as it stands there.`,

  repair: `Your program did not lead to an answer.

The program:

{{code}}

What went wrong:

{{error}}

Find the cause, not only the symptom, and send the whole corrected program in one fenced block that begins with \`\`\`python. The last line that it prints must be the answer and nothing else.`,
} as const;
