/** `polya runs delete`: all of the named runs or none of them. */
import { dirname } from 'node:path';
import { exitCodes, JournalError, UserError } from '../../core/errors.ts';
import type { RunRow } from '../../core/store.ts';
import { count } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { findRuns, tellStore, withRun } from '../journals.ts';

export const runsDelete: CommandFile = {
  define(command) {
    command
      .argument('<runs...>', 'their ids, the beginnings or ends of them, or `last`')
      .option('--yes', 'do not ask');
  },
  async run(shell, command) {
    const names: string[] = command.processedArgs[0];
    return withRun(shell, names[0] ?? '', async ({ world, home }) => {
      tellStore(shell, home);
      const rows = await findRuns(world.store, names);
      refuseLiving(rows);
      const isSure = command.opts<{ yes?: boolean }>().yes || (await ask(shell, rows, home));
      if (!isSure) {
        shell.err.write('Nothing was deleted.\n');
        return exitCodes.cancelled;
      }
      for (const { id } of rows) {
        await world.store.delete(id);
        shell.out.write(`Deleted run ${id}.\n`);
      }
      return exitCodes.ok;
    });
  },
};

function refuseLiving(rows: readonly RunRow[]): void {
  const running = rows.find(({ owner }) => owner !== null);
  if (!running) return;
  throw new JournalError({
    code: 'run-alive',
    what: `Run ${running.id} is alive in process ${running.owner?.pid}; nothing was deleted.`,
    fix: `Stop it first with \`polya runs stop ${running.id}\`.`,
  });
}

async function ask(shell: Shell, rows: readonly RunRow[], home: string): Promise<boolean> {
  const ids = rows.map(({ id }) => id).join(', ');
  const runs = `${count(rows.length, 'run')}${dirname(home) === shell.folder ? '' : ` of the store ${home}`}`;
  if (shell.isInteractive) return shell.confirm(`Delete ${runs} for good: ${ids}?`, false);
  throw new UserError({
    code: 'not-confirmed',
    what: `${runs} would be deleted for good: ${ids}.`,
    why: 'There is no terminal to ask at.',
    fix: 'Add --yes to delete without being asked.',
  });
}
