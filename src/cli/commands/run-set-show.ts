/** `polya run-set show`: what became of the rows, from their journals; while they are at work too. */
import type { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { setOf } from '../../studies/run-set/plan.ts';
import { readRows } from '../../studies/run-set/rows.ts';
import type { CommandFile } from '../contract.ts';
import { tellSet } from '../drive-set.ts';
import { type SetOptions, withSet } from '../sets.ts';

export const runSetShow: CommandFile = {
  define(command: Command) {
    command
      .argument('<run-set>', 'its id, the beginning or end of it, or `last`')
      .option('--json', 'print it as JSON')
      .option('--csv', 'print it as CSV, a line a row');
  },
  run: (shell, command) =>
    withSet(shell, command.processedArgs[0], async ({ world }, row) => {
      const set = setOf(row);
      const reason = typeof row.ending?.reason === 'string' ? row.ending.reason : null;
      const rows = await readRows(world.store, set);
      tellSet(shell, { set, reason, pid: row.owner?.pid ?? null, rows }, command.opts<SetOptions>());
      return exitCodes.ok;
    }),
};
