/** A command that starts the rows of a run-set under one budget. What the user says goes before the settings of a row. */
import type { Command } from 'commander';
import { exitCodes } from '../core/errors.ts';
import { previewRun } from '../open/journals.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { formatSpent, outcomeOf } from '../open/set-json.ts';
import { newRunId } from '../run/hash.ts';
import { previewLife } from '../run/preview.ts';
import { resumeRun } from '../run/resume.ts';
import { beginSet, type PreparedRows, prepareRows, type SetObserver } from '../studies/run-set/execute.ts';
import { mergedSettings, type RowPlan, type RunSet, type SetPlan } from '../studies/run-set/plan.ts';
import { isDone, type RowResult, readRows } from '../studies/run-set/rows.ts';
import { count } from '../text/format.ts';
import { limitsText } from '../text/labels.ts';
import { table } from '../text/table.ts';
import { modelsFor, usualModels } from './bring.ts';
import { print, type Shell } from './contract.ts';
import { driveSet, type SetStart, type TellSet } from './drive-set.ts';
import { type DryRun, dryHeading, dryRunJson, dryRunText } from './dry-run.ts';
import { type Estimate, estimate, estimatesText, usualOf } from './estimate.ts';
import { assignRows, liveWorkers, localOnlyReason } from './giving-out.ts';
import { withHome } from './journals.ts';
import { readOnlyOptions } from './launch.ts';
import {
  backendIn,
  budgetOptions,
  choicesOf,
  type ModelOptions,
  modelOption,
  type PromptOptions,
  promptsOption,
  type RowLimitOptions,
  requireModel,
  rowLimitOptions,
} from './options.ts';
import { changedPlan, type SetOptions, setOptions } from './sets.ts';
import { defaultBudget } from './user-settings.ts';

export type SetRunOptions = SetOptions &
  ModelOptions &
  PromptOptions &
  RowLimitOptions & { readonly dryRun?: boolean };

export type RowOfMany = Pick<RowPlan, 'name' | 'family' | 'problem' | 'agent'> & Partial<RowPlan>;

type Own = {
  /** Prints the result, in the place of the table, the JSON and the CSV of the set; `polya` reads its journals. */
  readonly tell?: TellSet;
  /** Called when all is checked, before the first row begins. */
  readonly watch?: (set: RunSet, polya: Journals) => Promise<SetObserver>;
  readonly goOn?: string;
};

/** The command's own part of the set that it starts. */
type ManyRuns = Own &
  Pick<SetPlan, 'name'> &
  Partial<Pick<SetPlan, 'concurrency' | 'budget' | 'stopWhen' | 'stopWithin'>> & {
    readonly rows: readonly RowOfMany[];
    /** How Polya is opened for it. */
    readonly world?: JournalsOptions;
    /** A sentence for a user who names no model. */
    readonly modelAdvice?: string;
  };

/** The options that every command with many runs has: models, prompts, limits, concurrency and the form of the output. */
export function setRunOptions(command: Command): Command {
  return setOptions(rowLimitOptions(budgetOptions(promptsOption(modelOption(command))))).option(
    '--dry-run',
    'check every row and show what would be run; call nothing',
  );
}

/** Resolves to the exit code. What is wrong with the options is thrown before anything is opened. */
export async function launchSet(shell: Shell, options: SetRunOptions, many: ManyRuns): Promise<number> {
  const { usual, planWith } = await planOf(shell, options, many);
  let workers = await liveWorkers(shell, options);
  /** Null: it was meant for workers, and has to stay. */
  const work = async (polya: Journals): Promise<number | null> => {
    const { world } = polya;
    const ofAgents = new Map<string, Record<string, string>>();
    for (const { agent } of many.rows) ofAgents.set(agent, modelsFor(await world.agent(agent), usual));
    const plan = planWith(({ agent }) => ofAgents.get(agent) ?? {});
    const createdAtMs = world.io.clock.now();
    const set = { id: newRunId(createdAtMs, world.io.chance), createdAtMs, plan };
    const prepared = await prepareRows(world, set);
    const remaining = workers.length > 0 ? await localOnlyReason(polya, { set, prepared }) : null;
    if (remaining) shell.err.write(`${remaining}\n`);
    if (remaining) return null;
    const start: SetStart = async (observer) => {
      const runner =
        workers.length > 0 ? await assignRows(shell, polya, { set, prepared }, workers) : undefined;
      return beginSet(world, set, { prepared, observer, runner });
    };
    return begin(shell, polya, { ...many, set, prepared, start, options }, setEstimate);
  };
  const opened = () =>
    withHome(shell, work, {
      // The keys are the workers'.
      opening: {
        ...many.world,
        ...backendIn(options),
        ...readOnlyOptions(options),
        ...(workers.length > 0 ? { keyless: true } : {}),
      },
      isScratch: options.dryRun,
    });
  const code = await opened();
  if (code !== null) return code;
  workers = [];
  return (await opened()) ?? exitCodes.ok;
}

type Opened = Own & {
  readonly set: RunSet;
  /** Rows that are to be begun. */
  readonly prepared: PreparedRows;
  readonly start: SetStart;
  readonly options: SetOptions & { readonly dryRun?: boolean };
};

/** A set that is gone on with. Resolves to the exit code. */
export function launchOpenSet(shell: Shell, polya: Journals, opened: Opened): Promise<number> {
  return begin(shell, polya, opened, restEstimate);
}

async function begin(
  shell: Shell,
  polya: Journals,
  opened: Opened,
  estimated: typeof restEstimate,
): Promise<number> {
  const { set, start, options: output, tell, watch, goOn } = opened;
  if (output.dryRun) return showSet(shell, polya, opened);
  shell.err.write(`Estimate: ${await estimated(polya, opened)}\n`);
  const own = { tell, goOn, watch: await watch?.(set, polya) };
  return driveSet(shell, polya, { set, start, output, ...own });
}

/** `usual`: models of runs that name none; `planWith` is told which of them serve the agent of a row. */
async function planOf(shell: Shell, options: SetRunOptions, many: ManyRuns) {
  const { name, rows, concurrency = 1, stopWhen = 'never', stopWithin, modelAdvice } = many;
  const budget = many.budget ?? defaultBudget(shell.env);
  const files = many.world?.code?.files ?? [];
  const { budget: _budget, maxTokens: _tokens, ...ofEachRow } = options;
  const { models: named, prompts, ...choices } = choicesOf(shell, ofEachRow);
  const isBare = rows.some(({ models = {} }) => Object.keys(models).length === 0);
  const defaults = isBare && named.default === undefined ? await usualModels(shell, files) : {};
  if (isBare) requireModel({ ...defaults, ...named }, modelAdvice);
  const code = files.length > 0 ? files : undefined;
  const planWith = (usualOfRow: (row: RowOfMany) => Record<string, string>): SetPlan => {
    const changed = rows.map((rowOfMany): RowPlan => {
      const { models = {}, ...row } = rowOfMany;
      return {
        settings: {},
        ...row,
        models: { ...(Object.keys(models).length > 0 ? models : usualOfRow(rowOfMany)), ...named },
        baseUrls: { ...row.baseUrls, ...choices.baseUrls },
        modelSettings: mergedSettings(row.modelSettings ?? {}, choices.modelSettings),
        limits: { ...row.limits, ...choices.limits },
      };
    });
    const plan = { name, concurrency, budget, stopWhen, stopWithin, prompts, rows: changed, code };
    return changedPlan(plan, options);
  };
  return { usual: defaults, planWith };
}

/** How many first requests are looked at: the others are taken to be like them. */
const mostPreviewed = 24;

/** What the rows that are to be begun may cost together. */
async function setEstimate({ world }: Journals, { prepared }: Pick<Opened, 'prepared'>): Promise<string> {
  const preparedRuns = [...prepared.values()].slice(0, mostPreviewed);
  const estimates: Estimate[] = [];
  for (const each of preparedRuns) {
    const first = await previewRun(world, each);
    const defaults = usualOf(await world.agent(each.header.agent.name));
    if (!first.end) estimates.push(estimate(each.header, first, defaults));
  }
  return estimatesText(estimates, prepared.size / Math.max(1, preparedRuns.length));
}

/** For rows that have begun, only their cost so far is known. */
async function restEstimate(
  polya: Journals,
  { set, prepared }: Pick<Opened, 'set' | 'prepared'>,
): Promise<string> {
  const open = (await readRows(polya.world.store, set)).filter((row) => row.view && !isDone(row));
  const calls = open.reduce((sum, { view }) => sum + (view?.totals.modelCalls ?? 0), 0);
  const parts = [
    prepared.size > 0 && `${count(prepared.size, 'row')} to begin: ${await setEstimate(polya, { prepared })}`,
    open.length > 0 &&
      `${count(open.length, 'row')} that ${open.length === 1 ? 'has' : 'have'} begun: so far ${count(calls, 'model call')}, ${formatSpent(open)}`,
  ];
  return parts.filter(Boolean).join('; ') || 'nothing is left to do';
}

/** The rows that would be begun or gone on with, and the first request of one of them. Resolves to the exit code. */
async function showSet(shell: Shell, polya: Journals, opened: Opened): Promise<number> {
  const { set, prepared, options } = opened;
  const { plan } = set;
  const { out } = shell;
  const rows = (await readRows(polya.world.store, set)).filter(({ state }) => state !== 'ended');
  const text = await restEstimate(polya, opened);
  const example = await exampleOf(polya, rows, prepared);
  if (options.json) {
    const states = rows.map(({ index, state }) => ({ row: index + 1, state }));
    const firstRow = example && dryRunJson(example);
    print(out, { dryRun: true, plan, rows: states, estimate: text, firstRow });
    return exitCodes.ok;
  }
  const cells = (row: RowResult): string[] => {
    const { name, agent, models, limits } = row.plan;
    const problem = (prepared.get(row.index)?.header ?? row.view?.header)?.problem.id ?? '';
    return [name, outcomeOf(row), problem, agent, Object.values(models).join(' '), limitsText(limits)];
  };
  const summary = `${count(rows.length, 'row')}, ${plan.concurrency} at once, budget: ${limitsText(plan.budget)}`;
  const entry = table(out, ['row', 'state', 'problem', 'agent', 'model', 'limits'], rows.map(cells));
  const first = example ? `\nThe first row, as an example of them. ${dryRunText(out, example)}` : '';
  print(out, `${dryHeading(out)}${summary}\nestimate: ${text}\n\n${entry}${first}`);
  return exitCodes.ok;
}

/** Settings as its model takes them, and its next request in full. */
async function exampleOf(
  { world }: Journals,
  [row]: readonly RowResult[],
  prepared: PreparedRows,
): Promise<DryRun | null> {
  if (!row) return null;
  const agent = await world.agent(row.plan.agent);
  const fresh = prepared.get(row.index);
  if (fresh) return { header: fresh.header, first: await previewRun(world, fresh), agent };
  return { ...(await previewLife(world, (scratch) => resumeRun(scratch, row.runId))), agent };
}
