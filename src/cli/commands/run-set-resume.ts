/** `polya run-set resume`: what is missing, and only that; with a larger budget where the old one was used up. */
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { SetRow } from '../../core/store.ts';
import { type Polya, prepareRows, type RunSet, resumeSet, setOf } from '../../index.ts';
import { refuseSetOfSessions } from '../ahc/session-run.ts';
import type { CommandFile } from '../command.ts';
import { dryRunWords } from '../launch.ts';
import { launchOpenSet } from '../launch-set.ts';
import { backendIn, budgetOptions } from '../options.ts';
import { setReasons } from '../set-report.ts';
import { changedPlan, type SetOptions, setOptions, withSet } from '../sets.ts';
import type { Shell } from '../shell.ts';

export const runSetResume: CommandFile = {
  define(command: Command) {
    command.argument('<run-set>', 'its id, the beginning or end of it, or `last`');
    setOptions(budgetOptions(command)).option('--dry-run', dryRunWords);
  },
  run: (shell, command) => {
    const options = command.opts<SetOptions & { readonly dryRun?: boolean }>();
    const work = async (polya: Polya, row: SetRow): Promise<number> => {
      const reason = row.ending?.reason;
      if (typeof reason === 'string' && reason !== 'budget') throw ended(row.id, reason);
      const before = setOf(row);
      await refuseSetOfSessions(shell, before);
      const set: RunSet = { ...before, plan: changedPlan(before.plan, options) };
      const prepared = await prepareRows(polya.world, set);
      const code = await launchOpenSet(shell, polya, {
        set,
        prepared,
        start: (observer) => resumeSet(polya.world, set, { prepared, observer }),
        options,
      });
      if (!options.dryRun) tellOfFolder(shell, set);
      return code;
    };
    return withSet(shell, command.processedArgs[0], work, backendIn(options));
  },
};

/** Whoever began it with `arc run` expects its folder to grow; only that command knows where it is. */
function tellOfFolder({ err, calledAs }: Shell, { id, plan }: RunSet): void {
  const isArcRun = plan.rows.every(({ family, agent }) => family === 'arc' && agent === 'induction-graph');
  if (!isArcRun) return;
  err.write(
    `No log, pictures or submission were written: \`${calledAs} arc run --resume ${id}\` does so from the journals, and asks nothing twice.\n`,
  );
}

function ended(id: string, reason: string): UserError {
  return new UserError({
    what: `Run-set ${id} has ended: ${setReasons[reason] ?? reason}.`,
    fix: `\`polya run-set show ${id}\` shows it.`,
  });
}
