/**
 * A command that starts one run. All but what is its own is done here: options, checks, --dry-run, the estimate, the
 * live view, --notify, --json, the exit code. It is written so:
 *
 *     define: (command) => runOptions(command.argument('<text>', 'the question')).option('--own <…>', …),
 *     run(shell, command) {
 *       const options = command.opts<RunOptions & Own>();
 *       return launchRun(shell, options, { family: 'plain', problem: { … }, agent: 'single-call', settings: { … } });
 *     }
 *
 * A command whose programs run in the sandbox puts `backendOption` around its options. `launchLife` is for runs that go
 * on; `launch-set.ts` for commands that start many.
 */
import type { Command } from 'commander';
import type { Limits } from '../core/agent.ts';
import { previewRun } from '../open/journals.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import type { RunHandle } from '../run/live.ts';
import { previewLife } from '../run/preview.ts';
import { newRunId } from '../run/run-id.ts';
import { beginRun, prepareRun, type RunSpec } from '../run/start.ts';
import type { Observer } from '../run/world.ts';
import { harmlessJson } from '../text/format.ts';
import { exitCodeOf } from '../text/labels.ts';
import { usualModels } from './bring.ts';
import type { Shell, Tell } from './contract.ts';
import { drive, live, readRun } from './drive.ts';
import { type DryRun, dryRunJson, dryRunText } from './dry-run.ts';
import { estimate, estimateText, nobodyAskedText, usualOf } from './estimate.ts';
import { withPolya } from './journals.ts';
import { type NotifyOptions, notifyOption } from './notify.ts';
import {
  type BackendOption,
  backendIn,
  baseUrlsOf,
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
} from './options.ts';
import type { RunResult } from './run-result.ts';
import { withScratch } from './scratch.ts';

export type LaunchOptions = NotifyOptions & { readonly dryRun?: boolean; readonly json?: boolean };

export type RunOptions = ModelOptions & PromptOptions & LimitOptions & LaunchOptions & BackendOption;

/** What is a command's own of the run that it starts. */
export type OneRun = Pick<RunSpec, 'family' | 'problem' | 'agent' | 'settings' | 'seed'> & {
  /** Where its user names none. */
  readonly limits?: Limits;
  /** How Polya is opened for it. */
  readonly world?: JournalsOptions;
  /** False: a dry run has a cache of its own, too. */
  readonly keepsCache?: boolean;
  /** A sentence for whoever names no model. */
  readonly modelAdvice?: string;
  /** Prints the result, in the place of the report on the run; `polya` reads its journal. */
  readonly tell?: (result: RunResult, polya: Journals) => void | Promise<void>;
};

export const dryRunWords = 'show what would be run and the first request; call nothing';

export function launchOptions(command: Command): Command {
  return notifyOption(command).option('--dry-run', dryRunWords).option('--json', 'print the result as JSON');
}

/** `--model`, `--provider`, `--base-url`, `--setting`, `--prompts`, the limits, `--notify`, `--dry-run`, `--json`. */
export function runOptions(command: Command): Command {
  return launchOptions(limitOptions(promptsOption(modelOption(command))));
}

/** Resolves to the exit code. What is wrong with the options is thrown before anything is opened. */
export async function launchRun(shell: Shell, options: RunOptions, run: OneRun): Promise<number> {
  const { limits, world = {}, keepsCache, modelAdvice, tell, ...own } = run;
  const named = modelsOf(shell, options);
  const models = Object.keys(named).length > 0 ? named : await usualModels(shell, world.code?.files);
  requireModel(models, modelAdvice);
  const chosen = {
    models,
    baseUrls: baseUrlsOf(options),
    modelSettings: modelSettingsOf(options),
    prompts: promptsIn(shell, options),
  };
  const specIn = (polya: Journals): RunSpec => {
    const id = newRunId(polya.world.io.clock.now(), polya.world.io.chance);
    return { id, ...own, ...chosen, limits: { ...limits, ...limitsOf(options) } };
  };
  const opening = { ...world, ...backendIn(options) };
  if (options.dryRun) {
    return withScratch(shell, { keepsCache }, (scratch) =>
      withPolya(scratch, (polya) => showRun(shell, polya, specIn(polya), options), opening),
    );
  }
  return withPolya(
    shell,
    async (polya) => {
      const start = await readyRun(shell, polya, specIn(polya));
      if (!tell) return drive(shell, polya, { ...options, start, isJson: Boolean(options.json) });
      const { id, end } = await live(shell, polya, start, options);
      await tell(await readRun(shell, polya, id), polya);
      return exitCodeOf(end);
    },
    opening,
  );
}

/** How a run comes to life that is not new. */
export type Life = {
  readonly begin: (world: Journals['world'], observer?: Observer) => Promise<RunHandle>;
  /** What is known of what is to come. */
  readonly estimate: string;
  readonly tell?: Tell;
};

/** A run that is resumed, or a fork: shown with --dry-run, else brought to its end. Resolves to the exit code. */
export function launchLife(
  shell: Shell,
  polya: Journals,
  { begin, estimate: rest, ...options }: Life & LaunchOptions,
): Promise<number> {
  if (options.dryRun) return showLife(shell, polya, begin, { ...options, estimate: rest });
  shell.err.write(`Estimate: ${rest}\n`);
  const start = (observer: Observer) => begin(polya.world, observer);
  return drive(shell, polya, { ...options, start, isJson: Boolean(options.json) });
}

/** What brings the run to life, after its estimate was told. */
export async function readyRun(
  shell: Shell,
  { world }: Journals,
  spec: RunSpec,
): Promise<(observer: Observer) => Promise<RunHandle>> {
  const prepared = await prepareRun(world, spec);
  const first = await previewRun(world, prepared);
  const usual = usualOf(await world.agent(spec.agent));
  const told = first.end ? nobodyAskedText(first.end) : estimateText(estimate(prepared.header, first, usual));
  const { decided = '' } = prepared.header.agent;
  shell.err.write(`Estimate: ${[told, decided].filter(Boolean).join('; ')}\n`);
  return (observer) => beginRun(world, prepared, observer);
}

/** Shows how a run would go on, or how its fork would begin. Resolves to the exit code. */
export async function showLife(
  shell: Shell,
  { world }: Journals,
  begin: Life['begin'],
  { json, estimate: rest }: { readonly json?: boolean; readonly estimate: string },
): Promise<number> {
  const { header, first } = await previewLife(world, begin);
  return tellDryRun(shell, { header, first, agent: await world.agent(header.agent.name), rest }, { json });
}

/** Shows a run that is not begun. Resolves to the exit code. */
export async function showRun(
  shell: Shell,
  { world }: Journals,
  spec: RunSpec,
  options: Pick<LaunchOptions, 'json'>,
): Promise<number> {
  const { header, ...prepared } = await prepareRun(world, spec);
  const first = await previewRun(world, { header, ...prepared });
  return tellDryRun(shell, { header, first, agent: await world.agent(spec.agent) }, options);
}

function tellDryRun(
  { out }: Shell,
  dryRun: DryRun,
  { json }: { readonly json?: boolean | undefined },
): number {
  out.write(json ? `${harmlessJson(dryRunJson(dryRun), 2)}\n` : dryRunText(out, dryRun));
  return 0;
}
