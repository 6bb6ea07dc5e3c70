/** Options that several commands share: models, limits, prompts. Numbers are checked here, before anything is done. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Limits } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import { isInside, mostTextBytes, plainText, readPlainFileSync } from '../io/plain-file.ts';
import { modelForms, modelNameOf, parseModelChoice } from '../models/catalogue.ts';
import { absoluteModelName } from '../open/models.ts';
import type { JournalsOptions } from '../open/options.ts';
import { requireOwn } from '../open/trust/trust.ts';
import type { Shell } from './contract.ts';
import { parseModelSettings, settingForms } from './model-settings.ts';
import {
  parseAnyInteger,
  parseInteger,
  parseList,
  portNumber,
  positive,
  type Since,
  since,
} from './option-values.ts';
import { readable } from './readable.ts';

export { parseInteger, parseList, positive, type Since, since };

export type BudgetOptions = { readonly budget?: number; readonly maxTokens?: number };
export type RowLimitOptions = { readonly maxToolCalls?: number; readonly maxMinutes?: number };
export type LimitOptions = BudgetOptions & RowLimitOptions;

export type ModelOptions = {
  readonly model?: readonly string[];
  readonly provider?: string;
  readonly setting?: readonly string[];
  readonly baseUrl?: readonly string[];
};
export type PromptOptions = { readonly prompts?: string };

export function budgetOptions(command: Command): Command {
  return command
    .option('--budget <usd>', 'end before this many dollars are spent', positive)
    .option('--max-tokens <number>', 'end before this many tokens are used', parseInteger(1));
}

/** Limits that may change while a run is at work. */
export function changedLimitOptions(command: Command): Command {
  return budgetOptions(
    command.option('--max-tool-calls <number>', 'end after this many tool calls', parseInteger(1)),
  );
}

export function limitOptions(command: Command): Command {
  return changedLimitOptions(command).option('--max-minutes <number>', 'end after this time', positive);
}

/** Limits of each run of many; they share the budget. */
export function rowLimitOptions(command: Command): Command {
  return command
    .option('--max-tool-calls <number>', 'end each run after this many tool calls', parseInteger(1))
    .option('--max-minutes <number>', 'end each run after this time', positive);
}

export function limitsOf(options: LimitOptions): Limits {
  const { maxToolCalls, budget, maxTokens, maxMinutes } = options;
  return named({
    toolCalls: maxToolCalls,
    costUsd: budget,
    tokens: maxTokens,
    wallMs: maxMinutes && Math.round(maxMinutes * 60_000),
  });
}

/** Without what is undefined: it would take away a default over which it is spread. */
export function named<T>(options: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export type BackendOption = { readonly backend?: string };

/** Of every command that starts or goes on with something; `runProgram` does what they say. */
export function viewOption(command: Command): Command {
  return command
    .option('--view', 'show it in a browser while it runs and afterwards, until Ctrl-C (docs/view.md)')
    .addOption(new Option('-q, --quiet', 'print the result alone').conflicts('verbose'))
    .option('-v, --verbose', 'show every step, and all that models write, programs and data too');
}

/** Which sandbox: found by probing unless it is named. */
export function backendOption(command: Command): Command {
  return command.option(
    '--backend <name>',
    'the sandbox: bubblewrap, docker, or none (default: the first of these two that works; none only by name)',
  );
}

export function backendIn({ backend }: BackendOption): Pick<JournalsOptions, 'backend'> {
  return backend === undefined ? {} : { backend };
}

export function modelOption(command: Command): Command {
  return command
    .option(
      '--model <[role=]model>',
      'the model, of all roles or of one; may be given once for each role',
      collectRepeated,
    )
    .option('--provider <name>', 'the provider of models that are named without one')
    .option(
      '--base-url <[role=]url>',
      'where the API of the model is, in place of its variable such as OPENAI_COMPATIBLE_BASE_URL; the journal remembers it',
      collectRepeated,
    )
    .option(
      '--setting <[role.]name=value>',
      `a setting of the model, of all roles or of one: ${settingForms}; may be repeated`,
      collectRepeated,
    );
}

/** For an option that may be given several times. */
export function collectRepeated(value: string, before: unknown): readonly string[] {
  return Array.isArray(before) ? [...before, value] : [value];
}

/** All that these options say of a run. */
export function choicesOf(shell: Shell, options: ModelOptions & PromptOptions & LimitOptions) {
  return {
    models: modelsOf(shell, options),
    baseUrls: baseUrlsOf(options),
    modelSettings: modelSettingsOf(options),
    prompts: promptsIn(shell, options),
    limits: limitsOf(options),
  };
}

function modelSettingsOf({ setting = [] }: ModelOptions): ReturnType<typeof parseModelSettings> {
  return parseModelSettings(setting);
}

/** By role, `default` for all. What is no usable address is told when its model is looked for. */
export function baseUrlsOf({ baseUrl = [] }: ModelOptions): Record<string, string> {
  const byRole: Record<string, string> = {};
  for (const text of baseUrl) {
    const { role = 'default', url = '' } =
      /^(?:(?<role>[A-Za-z][\w/-]*)=)?(?<url>.*)$/s.exec(text)?.groups ?? {};
    if (Object.hasOwn(byRole, role)) {
      throw new UserError({
        code: 'base-url-twice',
        what: `The base URL${role === 'default' ? '' : ` of the role ${role}`} is given twice.`,
        fix: 'Give it once for all roles and once for each role: `--base-url grader=http://…`.',
      });
    }
    byRole[role] = url.trim();
  }
  return byRole;
}

/** By role, under names that hold in any folder. */
export function modelsOf(shell: Shell, { model = [], provider }: ModelOptions): Record<string, string> {
  const { default: forAll, byRole } = parseModelChoice(model);
  const selected = forAll === null ? byRole : { default: forAll, ...byRole };
  return Object.fromEntries(
    Object.entries(selected).map(([role, name]) => {
      const text = provider === undefined ? name : modelNameOf({ provider, model: name });
      const lasting = absoluteModelName(text, shell.folder);
      const [, file] = /^scripted:(.+)$/s.exec(lasting) ?? [];
      if (file !== undefined) requireOwn(file, shell.env);
      return [role, lasting];
    }),
  );
}

/** `advice` is a sentence on which one would do. */
export function requireModel(
  models: Readonly<Record<string, string>>,
  advice = 'With `--model manual` you answer yourself; POLYA_MODEL, or `model` in polya.config.ts, names one for all runs.',
): void {
  if (Object.keys(models).length > 0) return;
  throw new UserError({
    code: 'no-model-named',
    what: 'No model is named.',
    why: `Models are written ${modelForms.join(', ')}.`,
    fix: `Give one with --model. ${advice}`,
  });
}

export function promptsOption(command: Command): Command {
  return command.option(
    '--prompts <folder>',
    'take NAME.md from this folder in the place of the prompt NAME (see `polya agents --export-prompts`)',
  );
}

export function promptsIn(shell: Shell, { prompts }: PromptOptions): Record<string, string> {
  if (prompts === undefined) return {};
  const folder = resolve(shell.folder, prompts);
  const fix = 'Name a folder that `polya agents NAME --export-prompts` has made.';
  const files = readable(`The folder of prompts ${folder}`, () => readdirSync(folder), { fix });
  const found = files
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const path = join(folder, name);
      requireOwn(path, shell.env);
      rejectOutsideLink(path, folder);
      // A pipe of that name has been put there by somebody who wants this to wait.
      const read = () => plainText(readPlainFileSync(path, mostTextBytes));
      const text = readable(`The prompt ${path}`, read, { fix });
      // The newline that ends a file is not part of the prompt.
      return [name.slice(0, -'.md'.length), text.replaceAll('\r\n', '\n').replace(/\n$/, '')];
    });
  if (found.length > 0) return Object.fromEntries(found);
  throw new UserError({
    code: 'no-prompts',
    what: `There are no prompts in ${folder}.`,
    why: 'A prompt is a file NAME.md.',
    fix: 'Make them with `polya agents --export-prompts`, and change them.',
  });
}

/** A prompt is sent to a model: a link in a stranger's folder of prompts could send any file of the user's. */
function rejectOutsideLink(path: string, folder: string): void {
  if (!existsSync(path) || isInside(path, folder)) return;
  throw new UserError({
    code: 'prompt-outside',
    what: `The prompt ${path} is a link to a file outside of its folder, and is not read.`,
    why: 'What it leads to would be sent to the model.',
    fix: 'Copy the file into the folder of prompts.',
  });
}

/** The texts of options by their flags, as tables in JSON have them; with what else is to be said of some. */
export type OptionTable = Readonly<Record<string, string | OptionRow>>;

/** `low` and `high` bound a whole number; `takes` names what reads its value. */
type OptionRow = {
  readonly about: string;
  readonly choices?: readonly string[];
  readonly low?: number;
  readonly high?: number;
  readonly takes?: string;
  readonly default?: string | number | boolean;
};

const readers = new Map<string | undefined, (value: string, before: unknown) => unknown>(
  Object.entries({
    anyWholeNumber: parseAnyInteger,
    listed: parseList,
    portNumber,
    positive,
    repeated: collectRepeated,
  }),
);

export function optionsIn(all: OptionTable): readonly Option[] {
  return Object.entries(all).map(([flags, told]) => {
    const { about, choices, low, high, takes, ...more } = typeof told === 'string' ? { about: told } : told;
    const option = new Option(flags, about).default(more.default);
    if (choices) return option.choices(choices);
    const reader = low === undefined ? readers.get(takes) : parseInteger(low, high);
    return reader ? option.argParser(reader) : option;
  });
}

export function addOptions(command: Command, all: OptionTable): Command {
  for (const option of optionsIn(all)) command.addOption(option);
  return command;
}
