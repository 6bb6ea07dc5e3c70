/** A command that starts one run, all but what is its own; `commands/ask.ts` is an example. `launchLife` goes on with a run. */
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Limits } from '../core/agent.ts';
import { exitCodes } from '../core/errors.ts';
import { previewRun } from '../open/journals.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { environmentOf } from '../open/store.ts';
import { newRunId } from '../run/hash.ts';
import type { RunHandle } from '../run/live.ts';
import { previewLife } from '../run/preview.ts';
import { beginRun, prepareRun, type RunSpec } from '../run/start.ts';
import type { Observer } from '../run/world.ts';
import { exitCodeOf } from '../text/labels.ts';
import { runInBackground } from './background.ts';
import { modelsFor, usualModels } from './bring.ts';
import { hooksFor, print, type RunResult, type Shell } from './contract.ts';
import { drive, live, readRun } from './drive.ts';
import { type DryRun, dryRunJson, dryRunText } from './dry-run.ts';
import { estimate, estimateText, nobodyAskedText, usualOf } from './estimate.ts';
import { withHome } from './journals.ts';
import {
  type BackendOption,
  backendIn,
  choicesOf,
  type LimitOptions,
  limitOptions,
  type ModelOptions,
  modelOption,
  type PromptOptions,
  promptsOption,
  requireModel,
  viewOption,
} from './options.ts';
import { defaultBudget } from './user-settings.ts';

export type LaunchOptions = {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly background?: boolean;
};

export type RunOptions = ModelOptions & PromptOptions & LimitOptions & LaunchOptions & BackendOption;

/** The command's own part of the run that it starts. */
type OneRun = Pick<RunSpec, 'family' | 'problem' | 'agent' | 'settings' | 'seed'> & {
  /** Where its user names none. */
  readonly limits?: Limits;
  /** How Polya is opened for it. */
  readonly world?: JournalsOptions;
  /** False: a dry run has a cache of its own, too. */
  readonly keepsCache?: boolean;
  /** A sentence for a user who names no model. */
  readonly modelAdvice?: string;
  /** Prints the result, in the place of the report on the run; `polya` reads its journal. */
  readonly tell?: (result: RunResult, polya: Journals) => void | Promise<void>;
};

export const dryRunWords = 'show what would be run and the first request; call nothing';

export function launchOptions(command: Command): Command {
  return viewOption(command).option('--dry-run', dryRunWords).option('--json', 'print the result as JSON');
}

/** `--model`, `--provider`, `--base-url`, `--setting`, `--prompts`, the limits, `--dry-run`, `--json`. */
export function runOptions(command: Command): Command {
  return launchOptions(limitOptions(promptsOption(modelOption(command))));
}

/** A dry run asks nobody: no terminal and no key is needed, no port is opened, and nobody is told where to answer. */
export function readOnlyOptions({
  dryRun,
}: {
  readonly dryRun?: boolean;
}): Pick<JournalsOptions, 'person' | 'keyless'> {
  return dryRun ? { person: nobodyAsked, keyless: true } : {};
}

/** In the background another process asks a person: this one must not hold the port. */
export function answerLaterOptions(
  { person, loud, err }: Shell,
  { background }: Pick<LaunchOptions, 'background'>,
): Pick<JournalsOptions, 'person'> {
  if (!background) return {};
  const announce = (line: string): unknown => (loud ?? err).write(`${line}\n`);
  return { person: { terminal: person, announce, isLater: true } };
}

const nobodyAsked: JournalsOptions['person'] = {
  terminal: { write: () => undefined, readLine: async () => null, alone: (work) => work() },
  announce: () => undefined,
  isLater: true,
};

/** Resolves to the exit code. What is wrong with the options is thrown before anything is opened. */
export async function launchRun(shell: Shell, options: RunOptions, run: OneRun): Promise<number> {
  const { limits, world = {}, keepsCache, modelAdvice, tell, ...own } = run;
  const { models: named, limits: ownLimits, ...choices } = choicesOf(shell, options);
  const defaults = named.default === undefined ? await usualModels(shell, world.code?.files) : {};
  requireModel({ ...defaults, ...named }, modelAdvice);
  const budget = defaultBudget(shell.env);
  const work = async (polya: Journals): Promise<number> => {
    const { io } = polya.world;
    const id = newRunId(io.clock.now(), io.chance);
    const models = { ...modelsFor(await polya.world.agent(own.agent), defaults), ...named };
    const spec = { id, ...own, ...choices, models, limits: { ...limits, ...budget, ...ownLimits } };
    if (options.dryRun) return showRun(shell, polya, spec, options);
    const start = await readyRun(shell, polya, spec);
    if (options.background) return runDetached(shell, polya, spec, { ...options, code: world.code?.files });
    if (!tell) return drive(shell, polya, { start, isJson: Boolean(options.json) });
    const { end } = await live(shell, polya, start);
    await tell(await readRun(shell, polya, id), polya);
    return exitCodeOf(end);
  };
  const opening = {
    ...world,
    ...backendIn(options),
    ...answerLaterOptions(shell, options),
    ...readOnlyOptions(options),
  };
  return withHome(shell, work, { opening, isScratch: options.dryRun, keepsCache });
}

/** Resolves to the exit code when the run has begun in another process. */
async function runDetached(
  shell: Shell,
  { home, place }: Journals,
  spec: RunSpec,
  { json, backend, code }: Pick<RunOptions, 'json' | 'backend'> & { readonly code?: readonly string[] },
): Promise<number> {
  const logFile = join(home, 'background', `${spec.id}.log`);
  const { folder, env, calledAs } = shell;
  const order = { folder, job: { how: 'start' as const, spec }, backend, code, logFile };
  const { pid, run, addresses } = await runInBackground(order, environmentOf(place.name, env));
  const [address] = addresses;
  const lines = [
    `Run ${run} goes on in the background, in process ${pid}; its output is in ${logFile}.`,
    ...(address === undefined ? [] : [`  answer  ${address}`]),
    `  watch   ${calledAs} runs watch ${run}`,
    `  stop    ${calledAs} runs stop ${run}`,
  ];
  print(shell.out, json ? { run, pid, logFile, answerAt: address } : `${lines.join('\n')}\n`);
  return exitCodes.ok;
}

/** Brings the run to life, after its estimate was told. */
async function readyRun(
  shell: Shell,
  { world }: Journals,
  spec: RunSpec,
): Promise<(observer: Observer) => Promise<RunHandle>> {
  const prepared = await prepareRun(world, spec);
  const first = await previewRun(world, prepared);
  const defaults = usualOf(await world.agent(spec.agent));
  const text = first.end
    ? nobodyAskedText(first.end)
    : estimateText(estimate(prepared.header, first, defaults));
  const { decided = '' } = prepared.header.agent;
  shell.err.write(`Estimate: ${[text, decided].filter(Boolean).join('; ')}\n`);
  return (observer) => beginRun(world, prepared, observer);
}

/** How a run comes to life that is not new. */
type Begin = (runtime: Journals['world'], observer?: Observer) => Promise<RunHandle>;

/** Shows or runs a resumed run or a fork, and resolves to the exit code. `rest`: what is known of what is to come. */
export function launchLife(
  shell: Shell,
  polya: Journals,
  options: LaunchOptions,
  { begin, rest, branch }: { readonly begin: Begin; readonly rest: string; readonly branch?: string },
): Promise<number> {
  const { dryRun, json } = options;
  if (dryRun) return showLife(shell, polya, begin, { json, estimate: rest, branch });
  shell.err.write(`Estimate: ${rest}\n`);
  return drive(shell, polya, {
    start: (observer) => begin(polya.world, observer),
    isJson: Boolean(json),
    tell: async (result, journals, code) => {
      const { tell } = await hooksFor(shell, result.view.header);
      return tell?.(shell, options)(result, journals, code) ?? null;
    },
  });
}

/** Shows how a run would go on, or how its fork would begin. Resolves to the exit code. */
export async function showLife(
  shell: Shell,
  { world }: Journals,
  begin: Begin,
  { json, estimate: rest, branch }: { json?: boolean; estimate: string; branch?: string },
): Promise<number> {
  const { header, first } = await previewLife(world, begin, branch);
  return printDryRun(shell, { header, first, agent: await world.agent(header.agent.name), rest }, json);
}

/** Shows a run that is not begun. Resolves to the exit code. */
export async function showRun(
  shell: Shell,
  { world }: Journals,
  spec: RunSpec,
  { json }: Pick<LaunchOptions, 'json'>,
): Promise<number> {
  const prepared = await prepareRun(world, spec);
  const first = await previewRun(world, prepared);
  return printDryRun(shell, { header: prepared.header, first, agent: await world.agent(spec.agent) }, json);
}

function printDryRun({ out }: Shell, dryRun: DryRun, isJson: boolean | undefined): number {
  print(out, isJson ? dryRunJson(dryRun) : dryRunText(out, dryRun));
  return exitCodes.ok;
}
