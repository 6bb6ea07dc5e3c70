/** `polya ask`: one plain, journaled call. The answer stands on standard output, everything else beside it. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { UserError } from '../../core/errors.ts';
import { isReopenable } from '../../core/history.ts';
import { baseUrlVariableOf, foldRun, newRunId, type Polya, type RunSpec, readJournal } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { live, readRun } from '../drive.ts';
import { withPolya } from '../journals.ts';
import {
  allModels,
  costText,
  exitCodeOf,
  freeBecause,
  modelsText,
  outcomeText,
  tokensText,
} from '../labels.ts';
import { type LaunchOptions, launchOptions, readyRun, showRun } from '../launch.ts';
import {
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
} from '../options.ts';
import { runJson } from '../run-report.ts';
import type { Shell } from '../shell.ts';
import { duration, harmless, harmlessJson } from '../text.ts';

type Options = LimitOptions &
  ModelOptions &
  PromptOptions &
  LaunchOptions & {
    readonly system?: string;
    readonly image?: readonly string[];
    readonly baseUrl?: string;
  };

export const ask: CommandFile = {
  define(command: Command) {
    command.argument('<text>', 'the question');
    launchOptions(limitOptions(promptsOption(modelOption(command))))
      .option('--system <text>', 'instructions that go before the question')
      .option(
        '--image <file>',
        'a picture beside it (PNG, JPEG, GIF, WebP); may be given several times',
        together,
      )
      .option(
        '--base-url <url>',
        'where the API of the model is, in place of its variable such as OPENAI_COMPATIBLE_BASE_URL (for `runs resume`, set the variable)',
        url,
      )
      .addHelpText(
        'after',
        '\nExamples:\n  polya ask "What is 6 times 7?" --model manual\n  polya ask "What is this?" --image cat.png --model openai-compatible/NAME --base-url http://localhost:8080/v1',
      );
  },
  async run(shell, command) {
    const text: string = command.processedArgs[0];
    const options = command.opts<Options>();
    const models = modelsOf(shell, options);
    requireModel(models);
    const prompts = promptsIn(shell, options);
    const there =
      options.baseUrl === undefined ? shell : withBaseUrl(shell, options.baseUrl, Object.values(models));
    return withPolya(there, (polya) => {
      const spec = specOf(shell, polya, { text, options, models, prompts });
      return options.dryRun ? showRun(shell, polya, spec, options) : answer(shell, polya, spec, options);
    });
  },
};

function together(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function url(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new InvalidArgumentError('It must begin with http:// or https://.');
}

/** A question must never go to another address than the one that was named for it. */
function withBaseUrl(shell: Shell, baseUrl: string, models: readonly string[]): Shell {
  const variables = models.map((model) => {
    const variable = baseUrlVariableOf(model);
    if (variable !== null) return [variable, baseUrl];
    throw new UserError({
      what: `The model ${model} has no address: --base-url means nothing to it.`,
      fix: 'Leave it out, or name a model such as `openai-compatible/NAME`.',
    });
  });
  return { ...shell, env: { ...shell.env, ...Object.fromEntries(variables) } };
}

type Question = {
  readonly text: string;
  readonly options: Options;
  readonly models: Record<string, string>;
  readonly prompts: Record<string, string>;
};

function specOf(shell: Shell, { world }: Polya, { text, options, models, prompts }: Question): RunSpec {
  const { image = [], system } = options;
  return {
    id: newRunId(world.io.clock.now(), world.io.chance),
    family: 'plain',
    problem: { text, images: image.map((path) => resolve(shell.folder, path)) },
    agent: 'single-call',
    settings: system === undefined ? {} : { system },
    models,
    modelSettings: modelSettingsOf(options),
    limits: limitsOf(options),
    prompts,
  };
}

async function answer(shell: Shell, polya: Polya, spec: RunSpec, options: Options): Promise<number> {
  const start = await readyRun(shell, polya, spec);
  const { id, end } = await live(shell, polya, start, options);
  const said = end.solution?.answer;
  const text = said?.type === 'text' ? said.text : null;
  const result = await readRun(polya, id);
  if (options.json) shell.out.write(`${harmlessJson({ ...runJson(result), answer: text }, 2)}\n`);
  else if (text !== null) shell.out.write(`${shell.out.isTerminal ? harmless(text) : text}\n`);
  const view = foldRun((await readJournal(polya.world.store, id)).events);
  const models = allModels(view);
  const facts = [
    outcomeText(end),
    freeBecause(models) ? modelsText(models) : costText(view.totals, models),
    `${tokensText(view.totals)} tokens`,
    duration(view.aliveMs),
    `${shell.calledAs} runs ${isReopenable(end) ? 'resume' : 'show'} ${id}`,
  ];
  shell.err.write(`${facts.join(' · ')}\n`);
  return exitCodeOf(end);
}
