/**
 * What the site said to answers of any run of an account: one JSON object a line, only ever added to, so that no
 * process loses another's. Pure; who reads and writes the file is not known here.
 */
import { z } from 'zod';

const accountGuess = z.object({
  part: z.union([z.literal(1), z.literal(2)]),
  answer: z.string(),
  verdict: z.enum(['right', 'wrong', 'too-high', 'too-low']),
  /** Which run gave it. */
  run: z.string().optional(),
});

export type AccountGuess = z.infer<typeof accountGuess>;

export function guessLine(guess: AccountGuess): string {
  return JSON.stringify(guess);
}

/** Lines that cannot be read are skipped: a full disk may have cut one short. */
export function parseGuesses(text: string): AccountGuess[] {
  return text.split('\n').flatMap((line) => {
    const guess = accountGuess.safeParse(parsedOrNull(line));
    return guess.success ? [guess.data] : [];
  });
}

function parsedOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
