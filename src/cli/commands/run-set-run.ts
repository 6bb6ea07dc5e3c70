/** `polya run-set run`: the rows of a file, some at once, under one budget. All is checked before the first begins. */
import { resolve } from 'node:path';
import { modelNameOf } from '../../models/catalogue.ts';
import { lastingModelName } from '../../open/models.ts';
import { requireOwn } from '../../open/trust/trust.ts';
import { parseRunSet } from '../../studies/run-set/file.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile } from '../contract.ts';
import { launchSet, type SetRunOptions, setRunOptions } from '../launch-set.ts';
import { readText } from '../readable.ts';

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
      lastingModelName(provider === undefined ? model : modelNameOf({ provider, model }), shell.folder);
    requireOwn(path, shell.env);
    const plan = parseRunSet(readText(path, `The run-set ${path}`, { fix }), { file, modelName });
    return launchSet(shell, options, { ...plan, world: broughtIn(shell, options) });
  },
};
