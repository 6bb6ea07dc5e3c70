/** `polya runs answer`: answers the question that a run waits with. */
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { oneLine } from '../../text/format.ts';
import { text as textAt } from '../../text/json.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { withRun } from '../journals.ts';

export const runsAnswer: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .argument('<text>', 'the answer');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id, ended }) => {
      const { view } = await readRun(shell, polya, id);
      const question = view.open.map(({ event }) => event).find(({ kind }) => kind === 'ask');
      // An answer without a question would be taken for the answer to a later one.
      if (ended || question?.kind !== 'ask') throw nothingAsked(id);
      const { store, io } = polya.world;
      await store.post(id, { kind: 'answer', text: command.processedArgs[1], atMs: io.clock.now() });
      shell.out.write(`Answered "${oneLine(textAt(question.body, 'question'))}".\n`);
      return exitCodes.ok;
    }),
};

function nothingAsked(id: string): UserError {
  return new UserError({
    code: 'nothing-asked',
    what: `Run ${id} asks nothing at present.`,
    fix: `\`polya runs tell ${id} TEXT\` gives it a hint.`,
  });
}
