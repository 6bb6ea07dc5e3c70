/** Commands of `ahc` that come with a later version: they take any words, do nothing, and say so. */
import type { Command } from 'commander';
import { UnavailableError } from '../../core/errors.ts';
import type { CommandFile } from '../command.ts';

export function ahcLater(name: string): CommandFile {
  return {
    define(command: Command) {
      command.argument('[words...]').allowUnknownOption();
    },
    async run() {
      throw new UnavailableError({
        what: `\`polya ahc ${name}\` is not there yet.`,
        why: 'This version has the workspace of a contest and its evaluation.',
        fix: 'What is there: `polya ahc --help`.',
      });
    },
  };
}
