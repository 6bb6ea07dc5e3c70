/** `polya aoc run`: one day, one language, one model. All that can be wrong is found before a run exists. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import {
  beginRun,
  newRunId,
  type Polya,
  type PreparedRun,
  prepareRun,
  previewRun,
  type RunSpec,
} from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { drive } from '../drive.ts';
import { dryRunJson, dryRunText } from '../dry-run.ts';
import { estimate, estimateText } from '../estimate.ts';
import { withPolya } from '../journals.ts';
import {
  anyWholeNumber,
  type LimitOptions,
  limitOptions,
  limitsOf,
  type ModelOptions,
  modelOption,
  modelsOf,
  type PromptOptions,
  promptsIn,
  promptsOption,
  requireModel,
  wholeNumber,
} from '../options.ts';
import type { Shell } from '../shell.ts';
import { harmlessJson } from '../text.ts';

type Options = LimitOptions &
  ModelOptions &
  PromptOptions & {
    readonly site: string;
    readonly year: number;
    readonly day: number;
    readonly lang: string;
    readonly seed?: number;
    readonly user?: string;
    readonly reminders?: number;
    readonly dryRun?: boolean;
    readonly json?: boolean;
  };

/** A run without any limit could go on for ever. */
const usualToolCalls = 50;

export const aocRun: CommandFile = {
  define(command: Command) {
    command
      .option('--site <name>', 'whose puzzles: practice', 'aoc')
      .requiredOption('--year <number>', 'the year; the practice site has 2000', wholeNumber(1))
      .requiredOption('--day <number>', 'the day', wholeNumber(1))
      .requiredOption('--lang <language>', 'the language of the programs: python, cpp');
    limitOptions(promptsOption(modelOption(command)))
      .option(
        '--reminders <number>',
        'how often a model that calls no tool is reminded (default: 2)',
        wholeNumber(0),
      )
      .option('--user <name>', 'whose puzzle it is on the practice site (default: you)')
      .option('--seed <number>', 'another input from the practice site', anyWholeNumber)
      .option('--dry-run', 'show what would be run and the first request; call nothing')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        '\nExample: polya aoc run --site practice --year 2000 --day 1 --lang python --model scripted/aoc-practice-day1',
      );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    refuseRealSite(options);
    const models = modelsOf(shell, options);
    requireModel(models);
    const prompts = promptsIn(shell, options);
    const plan = { options, models, prompts };
    return options.dryRun
      ? withScratch(shell, (scratch) => withPolya(scratch, (polya) => dryRun(shell, polya, plan)))
      : withPolya(shell, (polya) => realRun(shell, polya, plan));
  },
};

type Plan = {
  readonly options: Options;
  readonly models: Record<string, string>;
  readonly prompts: Record<string, string>;
};

async function realRun(shell: Shell, polya: Polya, plan: Plan): Promise<number> {
  const prepared = await prepareRun(polya.world, specOf(polya, plan));
  shell.err.write(`Estimate: ${await estimateFor(polya, prepared)}\n`);
  const start = beginRun.bind(null, polya.world, prepared);
  return drive(shell, polya, { start, isJson: Boolean(plan.options.json) });
}

async function dryRun(shell: Shell, polya: Polya, plan: Plan): Promise<number> {
  const prepared = await prepareRun(polya.world, specOf(polya, plan));
  const first = await previewRun(polya.world, prepared);
  const { header } = prepared;
  const text = plan.options.json
    ? `${harmlessJson(dryRunJson(header, first), 2)}\n`
    : dryRunText(shell.out, header, first);
  shell.out.write(text);
  return 0;
}

async function estimateFor(polya: Polya, prepared: PreparedRun): Promise<string> {
  const first = await previewRun(polya.world, prepared);
  return first.end ? 'no model is asked' : estimateText(estimate(prepared.header, first));
}

function specOf({ world }: Polya, { options, models, prompts }: Plan): RunSpec {
  const { site, year, day, lang, user, seed, reminders } = options;
  return {
    id: newRunId(world.io.clock.now(), world.io.chance),
    family: 'aoc',
    problem: {
      site,
      year,
      day,
      lang,
      ...(user === undefined ? {} : { user }),
      ...(seed === undefined ? {} : { seed }),
    },
    agent: 'tool-loop',
    settings: reminders === undefined ? {} : { reminders },
    models,
    limits: { toolCalls: usualToolCalls, ...limitsOf(options) },
    prompts,
  };
}

/** The practice site keeps accounts and pages; a dry run leaves none behind. */
async function withScratch<T>(shell: Shell, work: (shell: Shell) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-dry-run-'));
  try {
    return await work({ ...shell, env: { ...shell.env, POLYA_HOME: folder, XDG_CACHE_HOME: folder } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuseRealSite({ site }: Options): void {
  if (site !== 'aoc') return;
  throw new UserError({
    what: 'The real Advent of Code site cannot be used yet.',
    why: 'Polya does not speak to it before its next version.',
    fix: 'Practise with `--site practice`: the same pages over HTTP, with puzzles of our own.',
  });
}
