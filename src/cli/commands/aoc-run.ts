/** `polya aoc run`: one day, one language, one model. All that can be wrong is found before a run exists. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { JsonObject } from '../../core/json.ts';
import { aocLanguages, newRunId, type Polya, type RunSpec } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import {
  type DayOptions,
  dayOptions,
  type EventOptions,
  eventOption,
  eventSetting,
  type FileOptions,
  fileOptions,
  puzzleOf,
  siteOf,
} from '../day-options.ts';
import { drive } from '../drive.ts';
import { withPolya } from '../journals.ts';
import { type LaunchOptions, launchOptions, readyRun, showRun } from '../launch.ts';
import {
  type BackendOption,
  backendIn,
  backendOption,
  type LimitOptions,
  limitOptions,
  limitsOf,
  type ModelOptions,
  modelOption,
  modelSettingsOf,
  modelsOf,
  type PromptOptions,
  promptsIn,
  promptsOption,
  requireModel,
  wholeNumber,
} from '../options.ts';
import type { Shell } from '../shell.ts';

type Options = LimitOptions &
  ModelOptions &
  PromptOptions &
  DayOptions &
  FileOptions &
  EventOptions &
  BackendOption &
  LaunchOptions & {
    readonly lang: string;
    readonly reminders?: number;
    readonly maxWrongAnswers?: number;
    readonly outputCharacters?: number;
  };

/** A run without any limit could go on for ever. */
const usualToolCalls = 50;

export const aocRun: CommandFile = {
  define(command: Command) {
    dayOptions(command).requiredOption(
      '--lang <language>',
      `the language of the programs: ${aocLanguages.join(', ')}`,
    );
    limitOptions(promptsOption(modelOption(command)))
      .option(
        '--reminders <number>',
        'how often a model that calls no tool is reminded (default: 2)',
        wholeNumber(0, 20),
      )
      .option(
        '--max-wrong-answers <number>',
        'send no more wrong answers to a part (default: 5 on aoc)',
        wholeNumber(0),
      )
      .option(
        '--output-characters <number>',
        'how much of its stdout, and of its stderr, a model reads (default: 6000)',
        wholeNumber(100, 200_000),
      );
    launchOptions(backendOption(eventOption(fileOptions(command)))).addHelpText(
      'after',
      '\nExamples:\n  polya aoc run --site practice --year 2000 --day 1 --lang python --model scripted/aoc-practice-day1\n  polya aoc run --statement day.md --input input.txt --lang cpp --model openai-compatible/NAME',
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const problem = { ...puzzleOf(shell, options), ...settingsOf(options) };
    const models = modelsOf(shell, options);
    requireModel(models);
    const prompts = promptsIn(shell, options);
    const plan = { options, problem, models, prompts };
    const setting = { ...eventSetting(options), ...backendIn(options) };
    return options.dryRun
      ? withScratch(shell, options, (scratch) =>
          withPolya(scratch, (polya) => showRun(shell, polya, specOf(polya, plan), options), setting),
        )
      : withPolya(shell, (polya) => realRun(shell, polya, plan), setting);
  },
};

type Plan = {
  readonly options: Options;
  readonly problem: JsonObject;
  readonly models: Record<string, string>;
  readonly prompts: Record<string, string>;
};

async function realRun(shell: Shell, polya: Polya, plan: Plan): Promise<number> {
  const start = await readyRun(shell, polya, specOf(polya, plan));
  return drive(shell, polya, { ...plan.options, start, isJson: Boolean(plan.options.json) });
}

/** What of the problem is this run's choice. */
function settingsOf({ lang, maxWrongAnswers, outputCharacters }: Options): JsonObject {
  return {
    lang,
    ...(maxWrongAnswers === undefined ? {} : { maxWrongAnswers }),
    ...(outputCharacters === undefined ? {} : { outputCharacters }),
  };
}

function specOf({ world }: Polya, { options, problem, models, prompts }: Plan): RunSpec {
  const { reminders } = options;
  return {
    id: newRunId(world.io.clock.now(), world.io.chance),
    family: 'aoc',
    problem,
    agent: 'tool-loop',
    settings: reminders === undefined ? {} : { reminders },
    models,
    modelSettings: modelSettingsOf(options),
    limits: { toolCalls: usualToolCalls, ...limitsOf(options) },
    prompts,
  };
}

/**
 * The practice site keeps accounts and pages; a dry run leaves none behind. Pages of the real site stay in the user's
 * cache, so that the run that follows does not ask for them again.
 */
async function withScratch<T>(
  shell: Shell,
  options: DayOptions,
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-dry-run-'));
  try {
    const cache = siteOf(options) === 'aoc' ? {} : { XDG_CACHE_HOME: folder };
    return await work({ ...shell, env: { ...shell.env, POLYA_HOME: folder, ...cache } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
