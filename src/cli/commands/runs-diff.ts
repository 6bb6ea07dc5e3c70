/** `polya runs diff`: two runs side by side: how they were begun, where they part, what came of them. */
import type { Command } from 'commander';
import { exitCodes, JournalError } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import { harmlessJson } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import {
  type Compared,
  type Difference,
  differenceJson,
  differenceText,
  findParting,
  headerDifferences,
} from '../diff-report.ts';
import { readRun } from '../drive.ts';
import { findRun, withRun } from '../journals.ts';

export const runsDiff: CommandFile = {
  define(command: Command) {
    command
      .argument('<a>', 'a run: its id, the beginning or end of it, or `last`')
      .argument('<b>', 'another one')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const other = await findRun(polya.world.store, command.processedArgs[1]);
      const difference = between(await compared(shell, polya, id), await compared(shell, polya, other.id));
      if (command.opts<{ json?: boolean }>().json)
        shell.out.write(`${harmlessJson(differenceJson(difference), 2)}\n`);
      else shell.out.write(differenceText(shell.out, difference));
      return exitCodes.ok;
    }),
};

async function compared(shell: Shell, polya: Journals, id: string): Promise<Compared> {
  const { events, damage } = await readJournal(polya.world.store, id);
  const result = await readRun(shell, polya, id);
  const { header } = result.view;
  if (header && !damage) return { ...result, header, events };
  throw new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${id} is damaged${damage ? ` at event ${damage.seq}: ${damage.reason}` : ''}.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}

function between(a: Compared, b: Compared): Difference {
  return {
    a,
    b,
    header: headerDifferences(a.header, b.header),
    parting: findParting(a.events, b.events),
  };
}
