/** `polya run-set run`: the rows of a file, some at once, under one budget. All is checked before the first begins. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import {
  beginSet,
  lastingModelName,
  modelNameOf,
  newRunId,
  type Polya,
  parseRunSet,
  prepareRows,
  type RowPlan,
  type RunSet,
  type SetPlan,
} from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { driveSet, setEstimate } from '../drive-set.ts';
import { showSet } from '../dry-set.ts';
import { withPolya } from '../journals.ts';
import {
  backendIn,
  budgetOptions,
  type ModelOptions,
  modelOption,
  modelSettingsOf,
  modelsOf,
  type PromptOptions,
  promptsIn,
  promptsOption,
} from '../options.ts';
import { changedPlan, type SetOptions, setOptions } from '../sets.ts';
import type { Shell } from '../shell.ts';

type Options = SetOptions & ModelOptions & PromptOptions & { readonly dryRun?: boolean };

export const runSetRun: CommandFile = {
  define(command: Command) {
    command.argument('<file>', 'the run-set, in YAML (docs/run-sets.md)');
    setOptions(budgetOptions(promptsOption(modelOption(command))))
      .option('--dry-run', 'check every row and show what would be run; call nothing')
      .addHelpText('after', '\nExample: polya run-set run examples/run-sets/practice.yaml');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const plan = planFrom(shell, command.processedArgs[0], options);
    return options.dryRun
      ? withScratch(shell, (scratch) =>
          withPolya(scratch, (polya) => dryRun(shell, polya, { plan, options }), backendIn(options)),
        )
      : withPolya(shell, (polya) => realRun(shell, polya, { plan, options }), backendIn(options));
  },
};

type Asked = { readonly plan: SetPlan; readonly options: Options };

async function realRun(shell: Shell, polya: Polya, { plan, options }: Asked): Promise<number> {
  const { world } = polya;
  const set = newSet(polya, plan);
  const prepared = await prepareRows(world, set);
  shell.err.write(`Estimate: ${await setEstimate(polya, prepared)}\n`);
  const start = beginSet.bind(null, world, set);
  return driveSet(shell, polya, {
    set,
    start: (observer) => start({ prepared, observer }),
    output: options,
  });
}

async function dryRun(shell: Shell, polya: Polya, { plan, options }: Asked): Promise<number> {
  const set = newSet(polya, plan);
  return showSet(shell, polya, { set, prepared: await prepareRows(polya.world, set), output: options });
}

function newSet({ world }: Polya, plan: SetPlan): RunSet {
  const createdAtMs = world.io.clock.now();
  return { id: newRunId(createdAtMs, world.io.chance), createdAtMs, plan };
}

function planFrom(shell: Shell, file: string, options: Options): SetPlan {
  const modelName = (model: string, provider?: string): string =>
    lastingModelName(provider === undefined ? model : modelNameOf({ provider, model }), shell.folder);
  const plan = changedPlan(parseRunSet(textOf(resolve(shell.folder, file)), { file, modelName }), options);
  const models = modelsOf(shell, options);
  const rows = plan.rows.map((row) => ({
    ...row,
    models: { ...row.models, ...models },
    modelSettings: changedSettings(row.modelSettings, modelSettingsOf(options)),
  }));
  return { ...plan, rows, prompts: promptsIn(shell, options) };
}

/** Setting by setting: what its user says now goes before what the file says. */
function changedSettings(before: RowPlan['modelSettings'], now: RowPlan['modelSettings']) {
  const roles = [...Object.keys(before), ...Object.keys(now)];
  return Object.fromEntries(roles.map((role) => [role, { ...before[role], ...now[role] }]));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError({
      what: `The run-set ${path} cannot be read.`,
      why: error instanceof Error ? `${error.message}.` : '',
      fix: 'Name a YAML file; docs/run-sets.md describes its form.',
    });
  }
}

/** Accounts and pages of the practice site go with it. */
async function withScratch<T>(shell: Shell, work: (shell: Shell) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-dry-run-'));
  try {
    return await work({ ...shell, env: { ...shell.env, POLYA_HOME: folder } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
