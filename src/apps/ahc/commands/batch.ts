/** `polya ahc batch`: many sessions out of one file, at once, within one budget, compared with one another. */
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { tellFailure } from '../../../cli/failure.ts';
import { livingWorkers, resumedBy } from '../../../cli/giving-out.ts';
import { anyRuns, withPolya } from '../../../cli/journals.ts';
import { launchOpenSet, launchSet, type SetRunOptions, setRunOptions } from '../../../cli/launch-set.ts';
import { backendIn } from '../../../cli/options.ts';
import { makeOutFolder, refuseWhatIsThere, writeFiles } from '../../../cli/safe-write.ts';
import { changedPlan, withSet } from '../../../cli/sets.ts';
import { ExplainedError, UserError } from '../../../core/errors.ts';
import type { Journals } from '../../../open/options.ts';
import { environmentOf } from '../../../open/store.ts';
import { prepareRows, resumeSet } from '../../../studies/run-set/execute.ts';
import { type RunSet, setOf } from '../../../studies/run-set/plan.ts';
import {
  type BatchResult,
  combinationsText,
  outcomesOf,
  resultCsv,
  resultJson,
  resultOf,
  resultText,
} from '../batch/result.ts';
import {
  type BatchPlace,
  findSessions,
  homeOfBatch,
  isMeantBy,
  keepSessions,
  makeSessions,
  openingOf,
  planBatch,
  refuseTakenSessions,
} from '../batch/sessions.ts';
import { choicesOf, type SolveOptions, together } from '../session/options.ts';
import {
  conflict,
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  withHelp,
  workspaceOption,
} from '../workspace.ts';

type BatchOptions = SetRunOptions &
  WorkspaceOptions &
  Pick<SolveOptions, 'set'> & { readonly resume?: string; readonly out?: string; readonly force: boolean };

/** Options that override the file, for all sessions. */
const keys = { backend: 'sandbox.backend', provider: 'llm.provider' };

export const ahcBatch: CommandFile = {
  define(command: Command) {
    setRunOptions(
      workspaceOption(withHelp(command, 'batch').argument('[file]', 'the batch, as YAML'))
        .option('--set <key=value>', 'a setting of the search in all sessions; may be repeated', together)
        .option('--resume <run-set>', 'go on with a batch: its id, the beginning or end of it, or `last`')
        .option('-o, --out <folder>', 'where results.csv goes (default: NAME-results, here)')
        .option('--force', 'replace files that exist', false),
    );
  },
  async run(shell, command) {
    const options = command.opts<BatchOptions>();
    const [file] = command.processedArgs as [string?];
    const batching = { shell, options, question: questionOf(shell, command, keys) };
    if (file !== undefined && options.resume === undefined) return beginNew(batching, file);
    if (file === undefined && options.resume !== undefined) return goOn(batching, options.resume);
    const fix = 'Give one of them: `polya ahc batch FILE`, or `polya ahc batch --resume last`.';
    throw conflict('A batch is begun from a file, or gone on with by --resume.', fix);
  },
};

type Batching = {
  readonly shell: Shell;
  readonly options: BatchOptions;
  readonly question: ReturnType<typeof questionOf>;
};

async function beginNew(batching: Batching, file: string): Promise<number> {
  const { shell, options, question } = batching;
  const { budget: _shared, maxTokens: _all, ...ofEach } = options;
  const plan = planBatch(question, file, choicesOf(shell, ofEach));
  tellWarnings(shell, plan.warnings);
  shell.err.write(combinationsText(shell.err, plan.batch));
  await refuseTakenSessions(plan);
  const { parallel, budget } = plan.batch;
  const out = resultFiles(batching, plan.name, false);
  let end: Awaited<ReturnType<typeof endingOf>> | null = null;
  return launchSet(shell, options, {
    name: plan.name,
    rows: plan.sessions.map(({ row, plan: { spec } }) => ({ ...spec, name: row.name, seed: row.seed })),
    concurrency: parallel,
    budget: budget === undefined ? undefined : { costUsd: budget },
    world: plan.opening,
    modelAdvice: 'Or write `llm.model` below `base:` or `matrix:` of the batch, or into the configuration.',
    goOn: 'ahc batch --resume',
    watch: async (set, polya) => {
      makeOutFolder(dirname(out.csv));
      const places = await makeSessions(plan, set, polya.place.name);
      end = await endingOf(batching, { set, polya, places, out });
      return end.keeper;
    },
    tell: async () => end?.tell(),
  });
}

async function goOn(batching: Batching, asked: string): Promise<number> {
  const { shell, options } = batching;
  const env = await withBatch(batching, asked);
  const question = { ...batching.question, env };
  const workers = await livingWorkers({ ...shell, env }, options);
  // The store names the workspaces, and their configurations name the keys for the models.
  const opening = await withSet(shell, asked, async (_, row) => openingOf(setOf(row), question), { env });
  const work = async (polya: Journals, row: Parameters<typeof setOf>[0]): Promise<number> => {
    const before = setOf(row);
    const set: RunSet = { ...before, plan: changedPlan(before.plan, options) };
    const places = await findSessions(set, question);
    const out = resultFiles(batching, set.plan.name, true);
    const prepared = await prepareRows(polya.world, set);
    const runner = await resumedBy(shell, polya, { set, prepared }, workers, 'ahc batch --resume');
    if (!options.dryRun) makeOutFolder(dirname(out.csv));
    const end = options.dryRun ? null : await endingOf(batching, { set, polya, places, out });
    return launchOpenSet(shell, polya, {
      set,
      prepared,
      options,
      start: async (observer) => resumeSet(polya.world, set, { prepared, observer, runner: await runner() }),
      goOn: 'ahc batch --resume',
      ...(end === null ? {} : { watch: async () => end.keeper, tell: () => end.tell() }),
    });
  };
  const keyless = workers.length > 0 ? { keyless: true } : {};
  return withSet(shell, asked, work, { ...opening, ...backendIn(options), ...keyless });
}

/** The environment with the journal that has the batch: the one of this folder, else the one that its sessions name. */
async function withBatch({ shell, question }: Batching, asked: string): Promise<Shell['env']> {
  const sets = anyRuns(shell)
    ? await withPolya(shell, ({ world }) => world.store.listSets(), { create: false })
    : [];
  if (sets.some(({ id }) => isMeantBy(asked, id))) return shell.env;
  const home = await homeOfBatch(question, asked);
  if (home === null) {
    throw new UserError({
      code: 'contest-end-unknown',
      what: asked === 'last' ? 'There is no batch here.' : `There is no batch ${asked || '""'} here.`,
      why: 'Neither the journals of this folder nor the sessions of the workspaces here, or of the one that --workspace names, have it.',
      fix: `Go to where it was begun, or name one of its workspaces: \`polya ahc batch --resume ${asked} --workspace FOLDER\`.`,
    });
  }
  shell.err.write(`Its journal is in ${home}.\n`);
  return environmentOf(home, shell.env);
}

type KeptBatch = {
  readonly set: RunSet;
  readonly polya: Journals;
  readonly places: readonly BatchPlace[];
  readonly out: ResultFiles;
};

/** What keeps the folders of the batch, and tells what it came to. */
async function endingOf({ shell, options }: Batching, { polya, set, places, out }: KeptBatch) {
  const keeper = await keepSessions(polya, set, places, shell.env);
  return {
    keeper,
    /** Waits for the folders, compares, writes the table, and prints; an exit code where it could not be written. */
    async tell(): Promise<number | undefined> {
      await keeper.settled();
      const outcomes = await outcomesOf(polya, places);
      const result = resultOf(outcomes, { set: set.id, name: set.plan.name });
      return tellBatch(shell, options, result, out);
    },
  };
}

type ResultFiles = { readonly csv: string; readonly force: boolean };

/** Checked before anything is begun. Results of the same batch are overwritten. */
function resultFiles({ shell, options }: Batching, name: string, isSame: boolean): ResultFiles {
  const folder = resolve(shell.folder, options.out ?? `${name}-results`);
  const csv = join(folder, 'results.csv');
  const force = options.force || isSame;
  if (!options.dryRun) refuseWhatIsThere(csv, force);
  return { csv, force };
}

/** Writes the table as a file and prints the result. Resolves to an exit code where the files could not be written. */
export function tellBatch(
  shell: Shell,
  { json, csv }: Pick<BatchOptions, 'json' | 'csv'>,
  result: BatchResult,
  files: ResultFiles,
): number | undefined {
  const { out, calledAs } = shell;
  const trouble = writeResults(result, files);
  if (json) {
    const told = { csv: files.csv, trouble: trouble?.explanation ?? null };
    tellJson(shell, { ...resultJson(result), files: told });
  } else if (csv) out.write(resultCsv(result));
  else
    out.write(
      `${resultText(out, result)}${trouble ? '' : `\nTable: ${files.csv}\nOn a page: ${calledAs} view ${result.set}\n`}`,
    );
  return trouble ? tellFailure(shell, trouble, false) : undefined;
}

/** A full disk must not hide a result that was paid for: the trouble is returned, to be told beside it. */
function writeResults(result: BatchResult, { csv, force }: ResultFiles): ExplainedError | null {
  try {
    writeFiles([{ path: csv, text: resultCsv(result) }], { force });
    return null;
  } catch (error) {
    if (error instanceof ExplainedError) return error;
    throw error;
  }
}
