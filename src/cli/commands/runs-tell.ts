/** `polya runs tell`: puts a note into a run's mailbox; its agent reads it at its next look. */
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import type { CommandFile } from '../contract.ts';
import { withRun } from '../journals.ts';

export const runsTell: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .argument('<text>', 'what its agent should know');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async ({ world }, row) => {
      const text: string = command.processedArgs[1];
      if (row.ended) throw endedError(row.id);
      if (text.trim() === '')
        throw new UserError({
          code: 'nothing-tell-text-empty',
          what: 'There is nothing to tell: the text is empty.',
        });
      await world.store.post(row.id, { kind: 'tell', text, atMs: world.io.clock.now() });
      const when = row.owner ? 'at its next look' : 'when it is resumed';
      shell.out.write(`Run ${row.id} reads it ${when}.\n`);
      return exitCodes.ok;
    }),
};

function endedError(id: string): UserError {
  return new UserError({
    code: 'ended-error',
    what: `Run ${id} has ended: nobody would read it.`,
    fix: `\`polya runs fork ${id} --at N --hint TEXT\` goes on from one of its events with a hint.`,
  });
}
