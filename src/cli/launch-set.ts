/**
 * A command that starts many runs: they are the rows of one run-set, under one budget. All but what is its own is done
 * here: options, checks of every row, --dry-run, the estimate, the live table, --notify, --json, --csv, how to go on,
 * the exit code. It is written so:
 *
 *     define: (command) => setRunOptions(command.argument('<file>', 'the problems')).option('--own <…>', …),
 *     run(shell, command) {
 *       const options = command.opts<SetRunOptions & Own>();
 *       const rows = problems.map((problem) => ({ name, family, problem, agent: 'verify-loop', settings: { … } }));
 *       return launchSet(shell, options, { name: 'proofs', rows, concurrency: 4, tell: (result) => { … } });
 *     }
 *
 * A row may name models, settings and limits of its own; what the user says on the command line goes before them.
 */
import type { Command } from 'commander';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { newRunId } from '../run/run-id.ts';
import { beginSet, type SetObserver } from '../studies/run-set/execute.ts';
import type { RowPlan, RunSet, SetPlan } from '../studies/run-set/plan.ts';
import { type PreparedRows, prepareRows } from '../studies/run-set/prepare.ts';
import { usualModels } from './bring.ts';
import type { Shell } from './contract.ts';
import { driveSet, restEstimate, type SetStart, setEstimate, type TellSet } from './drive-set.ts';
import { showSet } from './dry-set.ts';
import { withPolya } from './journals.ts';
import {
  backendIn,
  baseUrlsOf,
  budgetOptions,
  limitsOf,
  type ModelOptions,
  modelOption,
  modelSettingsOf,
  modelsOf,
  type PromptOptions,
  promptsIn,
  promptsOption,
  type RowLimitOptions,
  requireModel,
  rowLimitOptions,
} from './options.ts';
import { withScratch } from './scratch.ts';
import { changedPlan, type SetOptions, setOptions } from './sets.ts';

export type SetRunOptions = SetOptions &
  ModelOptions &
  PromptOptions &
  RowLimitOptions & { readonly dryRun?: boolean };

export type RowOfMany = Pick<RowPlan, 'name' | 'family' | 'problem' | 'agent'> & Partial<RowPlan>;

/** What is a command's own of the set that it starts. */
export type ManyRuns = Pick<SetPlan, 'name'> &
  Partial<Pick<SetPlan, 'concurrency' | 'budget' | 'stopWhen' | 'stopWithin'>> & {
    readonly rows: readonly RowOfMany[];
    /** How Polya is opened for it. */
    readonly world?: JournalsOptions;
    /** A sentence for whoever names no model. */
    readonly modelAdvice?: string;
    /** Prints the result, in the place of the table, the JSON and the CSV of the set; `polya` reads its journals. */
    readonly tell?: TellSet;
    /** Called when all is checked, before the first row begins. */
    readonly watch?: (set: RunSet, polya: Journals) => Promise<SetObserver>;
    readonly goOn?: string;
  };

/**
 * `--model`, `--provider`, `--base-url`, `--setting`, `--prompts`, the shared budget, `--concurrency`, limits of each row, `--backend`,
 * `--notify`, `--dry-run`, `--json`, `--csv`.
 */
export function setRunOptions(command: Command): Command {
  return setOptions(rowLimitOptions(budgetOptions(promptsOption(modelOption(command))))).option(
    '--dry-run',
    'check every row and show what would be run; call nothing',
  );
}

/** Resolves to the exit code. What is wrong with the options is thrown before anything is opened. */
export async function launchSet(shell: Shell, options: SetRunOptions, many: ManyRuns): Promise<number> {
  const plan = await planOf(shell, options, many);
  const opening = { ...many.world, ...backendIn(options) };
  if (options.dryRun) {
    return withScratch(shell, {}, (scratch) =>
      withPolya(
        scratch,
        async (polya) => {
          const set = newSet(polya, plan);
          const prepared = await prepareRows(polya.world, set);
          return showSet(shell, polya, { set, prepared, output: options });
        },
        opening,
      ),
    );
  }
  return withPolya(shell, (polya) => begin(shell, polya, { ...many, plan, options }), opening);
}

/** A set that is gone on with. Resolves to the exit code. */
export async function launchOpenSet(
  shell: Shell,
  polya: Journals,
  { set, prepared, options, start, ...own }: Opened,
): Promise<number> {
  if (options.dryRun) return showSet(shell, polya, { set, prepared, output: options });
  shell.err.write(`Estimate: ${await restEstimate(polya, set, prepared)}\n`);
  return driveSet(shell, polya, { set, start, output: options, ...(await ownOf(polya, set, own)) });
}

type Own = Pick<ManyRuns, 'tell' | 'watch' | 'goOn'>;

async function ownOf(polya: Journals, set: RunSet, { tell, watch, goOn }: Own) {
  return {
    ...(tell ? { tell } : {}),
    ...(watch ? { watch: await watch(set, polya) } : {}),
    ...(goOn ? { goOn } : {}),
  };
}

type Opened = Own & {
  readonly set: RunSet;
  readonly prepared: PreparedRows;
  readonly start: SetStart;
  readonly options: SetOptions & { readonly dryRun?: boolean };
};

async function begin(
  shell: Shell,
  polya: Journals,
  { plan, options, ...own }: Own & { plan: SetPlan; options: SetOptions },
): Promise<number> {
  const set = newSet(polya, plan);
  const prepared = await prepareRows(polya.world, set);
  shell.err.write(`Estimate: ${await setEstimate(polya, prepared)}\n`);
  return driveSet(shell, polya, {
    set,
    start: (observer) => beginSet(polya.world, set, { prepared, observer }),
    output: options,
    ...(await ownOf(polya, set, own)),
  });
}

function newSet({ world }: Journals, plan: SetPlan): RunSet {
  const createdAtMs = world.io.clock.now();
  return { id: newRunId(createdAtMs, world.io.chance), createdAtMs, plan };
}

async function planOf(shell: Shell, options: SetRunOptions, many: ManyRuns): Promise<SetPlan> {
  const { name, rows, concurrency = 1, budget = {}, stopWhen = 'never', stopWithin, modelAdvice } = many;
  const files = many.world?.code?.files ?? [];
  const named = modelsOf(shell, options);
  const isBare = rows.some((row) => Object.keys(row.models ?? {}).length === 0);
  const usual = isBare && Object.keys(named).length === 0 ? await usualModels(shell, files) : {};
  if (isBare) requireModel({ ...usual, ...named }, modelAdvice);
  const baseUrls = baseUrlsOf(options);
  const modelSettings = modelSettingsOf(options);
  const { budget: _budget, maxTokens: _tokens, ...ofEachRow } = options;
  const limits = limitsOf(ofEachRow);
  const prompts = promptsIn(shell, options);
  const changed = rows.map(
    (row): RowPlan => ({
      settings: {},
      ...row,
      models: { ...(Object.keys(row.models ?? {}).length > 0 ? row.models : usual), ...named },
      baseUrls: { ...row.baseUrls, ...baseUrls },
      modelSettings: mergedSettings(row.modelSettings ?? {}, modelSettings),
      limits: { ...row.limits, ...limits },
    }),
  );
  const stop = { stopWhen, ...(stopWithin === undefined ? {} : { stopWithin }) };
  return changedPlan(
    {
      ...{ name, concurrency, budget, ...stop, prompts, rows: changed },
      ...(files.length > 0 ? { code: files } : {}),
    },
    options,
  );
}

/** Setting by setting: what its user says now goes before what stands in the row. */
function mergedSettings(before: RowPlan['modelSettings'], now: RowPlan['modelSettings']) {
  const roles = [...Object.keys(before), ...Object.keys(now)];
  return Object.fromEntries(roles.map((role) => [role, { ...before[role], ...now[role] }]));
}
