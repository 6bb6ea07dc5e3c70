/**
 * Where a site's verdicts are kept from run to run: all of them by account, and the wrong ones by input too. Which
 * files these are is told to it.
 */
import type { Files } from '../../core/io.ts';
import type { AocClient } from './client.ts';
import { guessLine, parseGuesses } from './memory.ts';
import type { AocReference } from './sites.ts';

type Places = { own(): Promise<string>; wrongOfInput(): Promise<string> };

export function guessMemory(
  files: Files,
  { own, wrongOfInput }: Places,
): Pick<AocClient, 'guesses' | 'remember'> {
  const guessesIn = async (file: string) => parseGuesses((await files.read(file)) ?? '');
  return {
    async guesses() {
      const ofInput = await guessesIn(await wrongOfInput());
      return [...(await guessesIn(await own())), ...ofInput.filter(({ verdict }) => verdict !== 'right')];
    },
    async remember(guess) {
      await files.append(await own(), guessLine(guess));
      if (guess.verdict !== 'right') await files.append(await wrongOfInput(), guessLine(guess));
    },
  };
}

/**
 * A new session of the same person is another account as far as anybody can tell; with the same input, the same answers
 * are wrong. A right one is its account's alone: the site has not heard it from the other.
 */
export function wrongFileOf({ site, year, day }: AocReference, inputHash: string): string {
  return `aoc/${site}/inputs/${year}/${day}/wrong.${inputHash.slice(0, 20)}.jsonl`;
}
