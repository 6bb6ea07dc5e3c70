/** The options of `solve`, and the choices that they make. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { changedSettings } from '../../../cli/agent-settings.ts';
import type { Shell } from '../../../cli/contract.ts';
import { dryRunWords } from '../../../cli/launch.ts';
import {
  type BudgetOptions,
  backendOption,
  budgetOptions,
  choicesOf as choicesOfRun,
  type ModelOptions,
  modelOption,
  type PromptOptions,
  parseInteger,
  positive,
  promptsOption,
  viewOption,
} from '../../../cli/options.ts';
import { UserError } from '../../../core/errors.ts';
import { isJsonObject } from '../../../core/json.ts';
import { searchSettings } from '../../../notes/search-settings.ts';
import { conflict, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';
import type { SolveChoices } from './plan.ts';

export type SolveOptions = WorkspaceOptions &
  ModelOptions &
  PromptOptions &
  BudgetOptions & {
    readonly sessionName?: string;
    /** True: given without a name. */
    readonly sessionId?: string | true;
    readonly interactive?: boolean;
    readonly problemFile?: string;
    /** False: `--no-images`. */
    readonly images?: boolean;
    readonly from?: readonly string[];
    readonly cases?: string;
    readonly islands?: number;
    readonly set?: readonly string[];
    readonly foreground?: boolean;
    readonly dryRun?: boolean;
  };

/** In the order in which `--help` shows them. */
const settingOptions = [
  searchSettings.timeLimitSeconds,
  searchSettings.maxGenerations,
  searchSettings.populationSize,
].map(({ key, schema, initial, option }) => ({
  key,
  option: new Option(option.flags, `${option.about} (default: ${key}, ${initial})`).argParser(
    schema.isInt ? parseInteger(schema.minValue ?? 0, schema.maxValue ?? undefined) : positive,
  ),
}));

/** Options that stand for keys. One that is not given has no value, so that no default overrides a file. */
export const solveKeys = {
  ...Object.fromEntries(settingOptions.map(({ key, option }) => [option.attributeName(), key])),
  backend: 'sandbox.backend',
  provider: 'llm.provider',
};

export function solveOptions(command: Command): Command {
  command
    .option('--session-name <name>', 'the name of the session and of its folder (default: by the time)')
    .option(
      '--session-id [session]',
      'go on with a session, by name or id (without one: the newest); what is given beside it holds from here on',
    );
  for (const { option } of settingOptions) command.addOption(option);
  command
    .option(
      '--interactive',
      'confirm analysis, strategies, first programs and start, and talk to the session; with --session-id, one that runs, too',
    )
    .option('--problem-file <file>', "another statement than the workspace's problem/problem.md")
    .option('--no-images', "leave the statement's pictures out, for models that cannot see")
    .option('--from <file...>', 'begin with these C++ programs of yours')
    .option('-c, --cases <list>', 'search on these cases alone, as in 0-99,120')
    .option(
      '--islands <number>',
      'lines of search that keep apart (default: as many as there is room for, at most 3)',
      parseInteger(1, 64),
    )
    .option('--set <key=value>', 'another setting of the search; may be repeated', together)
    .option('--foreground', 'stay attached, with a live view; Ctrl-C stops the session')
    .option('--dry-run', dryRunWords);
  return viewOption(budgetOptions(promptsOption(modelOption(backendOption(workspaceOptions(command))))));
}

/** For an option KEY=VALUE that may be repeated. */
export function together(value: string, before: readonly string[] = []): readonly string[] {
  if (!value.includes('=')) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return [...before, value];
}

/** Refuses options that exclude each other, before anything is looked for. */
export function checkOptions({ interactive, sessionName, sessionId, json, foreground }: SolveOptions): void {
  if (interactive && (json || foreground)) {
    throw conflict(
      `--interactive and ${json ? '--json' : '--foreground'} exclude each other.`,
      'Leave one of the two out; `polya ahc tell --json` says one thing, and prints what became of it.',
      'It talks to a session that lives in the background.',
    );
  }
  if (sessionName !== undefined && sessionId !== undefined) {
    const why = 'The one names a new session, the other one that goes on.';
    throw conflict('--session-name and --session-id exclude each other.', undefined, why);
  }
  if (json && foreground) {
    const fix = 'Leave one of the two out; `polya ahc status --json` prints what came of it.';
    throw conflict('--foreground shows the session live, and prints no JSON.', fix);
  }
}

export function choicesOf(shell: Shell, options: SolveOptions): SolveChoices {
  const { cases, islands, from, problemFile, images, interactive, sessionId, set = [] } = options;
  // A session that has begun has been confirmed.
  const confirms = interactive && sessionId === undefined ? { confirm: true } : {};
  const agentSettings = { ...confirms, ...changedSettings({}, set) };
  if (Object.values(agentSettings).some(isJsonObject) && set.some((each) => /^[^=]*\./.test(each))) {
    const fix = `Write --set operators='{"change": 1}'.`;
    throw new UserError({ code: 'setting-form', what: '--set takes whole settings.', fix });
  }
  return {
    ...choicesOfRun(shell, options),
    agentSettings,
    cases,
    islands,
    from,
    problemFile,
    images: images === false ? images : undefined,
  };
}
