/** `polya run-set resume`: what is missing, and only that; with a larger budget where the old one was used up. */
import { UserError } from '../../core/errors.ts';
import type { SetRow } from '../../core/store.ts';
import type { Journals } from '../../open/options.ts';
import { setReasons } from '../../open/set-json.ts';
import { prepareRows, resumeSet } from '../../studies/run-set/execute.ts';
import { type RunSet, setOf } from '../../studies/run-set/plan.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import { type CommandFile, hooksForSet } from '../contract.ts';
import type { SetStart, TellSet } from '../drive-set.ts';
import { livingWorkers, resumedBy } from '../giving-out.ts';
import { dryRunWords, quietIn } from '../launch.ts';
import { launchOpenSet } from '../launch-set.ts';
import { backendIn, budgetOptions } from '../options.ts';
import { changedPlan, type SetOptions, setArgument, setOptions, withSet } from '../sets.ts';

export const runSetResume: CommandFile = {
  define(command) {
    const options = setOptions(budgetOptions(setArgument(command)));
    bringOptions(options).option('--dry-run', dryRunWords);
  },
  run: async (shell, command) => {
    const options = command.opts<SetOptions & BringOptions & { readonly dryRun?: boolean }>();
    const workers = await livingWorkers(shell, options);
    const work = async (polya: Journals, row: SetRow): Promise<number> => {
      const reason = row.ending?.reason;
      if (typeof reason === 'string' && reason !== 'budget') {
        throw new UserError({
          code: 'run-set-ended',
          what: `Run-set ${row.id} has ended: ${setReasons[reason] ?? reason}.`,
          fix: `\`polya run-set show ${row.id}\` shows it.`,
        });
      }
      const before = setOf(row);
      const hooks = await hooksForSet(shell, before.plan);
      for (const { setResumedBy } of hooks) {
        const instead = await setResumedBy?.(shell, before);
        if (instead) throw instead.refusal;
      }
      const set: RunSet = { ...before, plan: changedPlan(before.plan, options) };
      const prepared = await prepareRows(polya.world, set);
      const runner = await resumedBy(shell, polya, { set, prepared }, workers, 'run-set resume');
      const start: SetStart = async (observer) =>
        resumeSet(polya.world, set, { prepared, observer, runner: await runner() });
      const isForPeople = !options.json && !options.csv;
      const [own] = hooks.flatMap(({ tellsSet }) => (isForPeople && tellsSet?.(set.plan)) || []);
      const tell: TellSet | undefined = own && (() => own(shell, polya, set));
      const code = await launchOpenSet(shell, polya, { set, prepared, start, options, tell });
      if (!options.dryRun) for (const { tellResumedSet } of hooks) tellResumedSet?.(shell, set);
      return code;
    };
    const opening = {
      ...backendIn(options),
      ...broughtIn(shell, options),
      ...quietIn(shell, options),
      ...(workers.length > 0 ? { keyless: true } : {}),
    };
    return withSet(shell, command.processedArgs[0], work, opening);
  },
};
