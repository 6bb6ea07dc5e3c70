/** `polya aoc run`: one day, one language, one model. All that can be wrong is found before a run exists. */
import type { Command } from 'commander';
import { changedSettings } from '../../../cli/agent-settings.ts';
import type { CommandFile } from '../../../cli/contract.ts';
import { launchRun, type RunOptions, runOptions } from '../../../cli/launch.ts';
import { addOptions, backendOption, collectRepeated, named } from '../../../cli/options.ts';
import { languageIds as aocLanguages, languageOf } from '../../../families/aoc/reference.ts';
import {
  allowRunningEventOption,
  type DayOptions,
  dayOptions,
  type EventOptions,
  eventSetting,
  type FileOptions,
  puzzleOf,
  siteOf,
} from '../day-options.ts';
import listed from '../options.json' with { type: 'json' };

type Options = RunOptions &
  DayOptions &
  FileOptions &
  EventOptions & {
    readonly lang: string;
    readonly reminders?: number;
    readonly fromTools?: boolean;
    readonly maxWrongAnswers?: number;
    readonly outputCharacters?: number;
    readonly set?: readonly string[];
  };

/** A run without any limit could go on for ever. */
const usualToolCalls = 50;

export const aocRun: CommandFile = {
  define(command: Command) {
    dayOptions(command).requiredOption(
      '--lang <language>',
      `the language of the programs: ${aocLanguages.join(', ')}`,
    );
    addOptions(runOptions(command), listed.run).option(
      '--set <name=value>',
      'a setting of the agent tool-loop, as calls=text for a server without a parser for tool calls; may be repeated',
      collectRepeated,
    );
    backendOption(allowRunningEventOption(addOptions(command, listed.files))).addHelpText(
      'after',
      '\nExamples:\n  polya aoc run --site practice --year 2000 --day 1 --lang python --model scripted/aoc-practice-day1\n  polya aoc run --statement day.md --input input.txt --lang cpp --model openai-compatible/NAME',
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const { maxWrongAnswers, outputCharacters, reminders } = options;
    const statement = options.fromTools ? 'from-tools' : undefined;
    // Before the model is looked for: it may have faults of its own.
    const lang = languageOf(options.lang);
    return launchRun(shell, options, {
      family: 'aoc',
      problem: { ...puzzleOf(shell, options), lang, maxWrongAnswers, outputCharacters },
      agent: 'tool-loop',
      settings: { ...named({ reminders, statement }), ...changedSettings({}, options.set ?? []) },
      limits: { toolCalls: usualToolCalls },
      world: eventSetting(options),
      // Pages of the real site stay, so that the run that follows a dry run does not ask for them again.
      keepsCache: siteOf(options) === 'aoc',
      modelAdvice: '`--model scripted/aoc-practice-day1` costs nothing and solves practice day 1 in Python.',
    });
  },
};
