/** `polya run-set run`: the rows of a file, some at once, under one budget. All is checked before the first begins. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { modelNameOf } from '../../models/catalogue.ts';
import { lastingModelName } from '../../open/models.ts';
import { parseRunSet } from '../../studies/run-set/file.ts';
import type { SetPlan } from '../../studies/run-set/plan.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { launchSet, type SetRunOptions, setRunOptions } from '../launch-set.ts';

export const runSetRun: CommandFile = {
  define(command: Command) {
    bringOptions(
      setRunOptions(command.argument('<file>', 'the run-set, in YAML (docs/run-sets.md)')),
    ).addHelpText('after', '\nExample: polya run-set run examples/run-sets/practice.yaml');
  },
  run: async (shell, command) => {
    const options = command.opts<SetRunOptions & BringOptions>();
    const plan = planFrom(shell, command.processedArgs[0]);
    return launchSet(shell, options, { ...plan, world: broughtIn(shell, options) });
  },
};

function planFrom(shell: Shell, file: string): SetPlan {
  const modelName = (model: string, provider?: string): string =>
    lastingModelName(provider === undefined ? model : modelNameOf({ provider, model }), shell.folder);
  return parseRunSet(textOf(resolve(shell.folder, file)), { file, modelName });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError({
      code: 'file-unreadable',
      what: `The run-set ${path} cannot be read.`,
      why: error instanceof Error ? `${error.message}.` : '',
      fix: 'Name a YAML file; docs/run-sets.md describes its form.',
    });
  }
}
