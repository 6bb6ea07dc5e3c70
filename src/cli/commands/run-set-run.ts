/**
 * `polya run-set run`: the rows of a file, some at once, under one budget; all is checked before the first begins. And
 * `run-set resume`: what is missing, and only that; with a larger budget where the old one was used up.
 */
import { resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { SetRow } from '../../core/store.ts';
import { modelNameOf } from '../../models/catalogue.ts';
import { absoluteModelName } from '../../open/models.ts';
import type { Journals, JournalsOptions } from '../../open/options.ts';
import { setReasons } from '../../open/set-json.ts';
import { requireOwn } from '../../open/trust/trust.ts';
import { prepareRows, resumeSet } from '../../studies/run-set/execute.ts';
import { parseRunSet } from '../../studies/run-set/file.ts';
import { type RunSet, setOf } from '../../studies/run-set/plan.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import { type CommandFile, hooksForSet, type Shell } from '../contract.ts';
import type { SetStart, TellSet } from '../drive-set.ts';
import { liveWorkers, resumedBy } from '../giving-out.ts';
import { dryRunWords, readOnlyOptions } from '../launch.ts';
import { launchOpenSet, launchSet, type SetRunOptions, setRunOptions } from '../launch-set.ts';
import { backendIn, budgetOptions, promptsIn } from '../options.ts';
import { readText } from '../readable.ts';
import { changedPlan, type SetOptions, setArgument, setOptions, withSet } from '../sets.ts';

export const runSetRun: CommandFile = {
  define(command) {
    const options = setRunOptions(command.argument('<file>', 'the run-set, in YAML (docs/run-sets.md)'));
    const example = '\nExample: polya run-set run examples/run-sets/practice.yaml';
    bringOptions(options).addHelpText('after', example);
  },
  run: async (shell, command) => {
    const options = command.opts<SetRunOptions & BringOptions>();
    const [file = ''] = command.args;
    const path = resolve(shell.folder, file);
    const fix = 'Name a YAML file; docs/run-sets.md describes its form.';
    const modelName = (model: string, provider?: string): string =>
      absoluteModelName(provider === undefined ? model : modelNameOf({ provider, model }), shell.folder);
    const dirs = new Map<string, ReturnType<typeof promptsIn>>();
    const promptsOf = (folder: string) => {
      const prompts = dirs.get(folder) ?? promptsIn(shell, { prompts: folder });
      dirs.set(folder, prompts);
      return prompts;
    };
    requireOwn(path, shell.env);
    const plan = parseRunSet(readText(path, `The run-set ${path}`, { fix }), { file, modelName, promptsOf });
    return launchSet(shell, options, { ...plan, world: broughtIn(shell, options) });
  },
};

export const runSetResume: CommandFile = {
  define(command) {
    const options = setOptions(budgetOptions(setArgument(command)));
    bringOptions(options).option('--dry-run', dryRunWords);
  },
  run: (shell, command) => {
    const options = command.opts<ResumeOptions & BringOptions>();
    return resumeRunSet(shell, command.processedArgs[0], { options, opening: broughtIn(shell, options) });
  },
};

type ResumeOptions = SetOptions & { readonly dryRun?: boolean };

type Resumed = {
  readonly options: ResumeOptions;
  /** How Polya is opened for it. */
  readonly opening: JournalsOptions;
  /** Prints the result in place of the table, the JSON and the CSV. */
  readonly tell?: TellSet;
  /** The command that goes on with it, to be followed by its id; default: `run-set resume`. */
  readonly goOn?: string;
  /** One that has ended is shown again instead of being refused. */
  readonly isAlwaysShown?: boolean;
};

/** Goes on with what is missing. Resolves to the exit code. */
export async function resumeRunSet(shell: Shell, name: string, resumed: Resumed): Promise<number> {
  const { options, opening, goOn = 'run-set resume', isAlwaysShown = false } = resumed;
  const workers = await liveWorkers(shell, options);
  const work = async (polya: Journals, row: SetRow): Promise<number> => {
    const reason = row.ending?.reason;
    if (typeof reason === 'string' && reason !== 'budget' && !isAlwaysShown) {
      throw new UserError({
        code: 'run-set-ended',
        what: `Run-set ${row.id} has ended: ${setReasons[reason] ?? reason}.`,
        fix: `\`polya run-set show ${row.id}\` shows it.`,
      });
    }
    const before = setOf(row);
    const hooks = await hooksForSet(shell, before.plan);
    const set: RunSet = { ...before, plan: changedPlan(before.plan, options) };
    const prepared = await prepareRows(polya.world, set);
    const runner = await resumedBy(shell, polya, { set, prepared }, workers, goOn);
    const start: SetStart = async (observer) =>
      resumeSet(polya.world, set, { prepared, observer, runner: await runner() });
    const isForPeople = !options.json && !options.csv;
    const [own] = hooks.flatMap(({ tellsSet }) => (isForPeople && tellsSet?.(set.plan)) || []);
    const report: TellSet | undefined = resumed.tell ?? (own && (() => own(shell, polya, set)));
    const code = await launchOpenSet(shell, polya, { set, prepared, start, options, tell: report, goOn });
    if (!options.dryRun) for (const { tellResumedSet } of hooks) tellResumedSet?.(shell, set);
    return code;
  };
  return withSet(shell, name, work, {
    ...opening,
    ...backendIn(options),
    ...readOnlyOptions(options),
    ...(workers.length > 0 ? { keyless: true } : {}),
  });
}
