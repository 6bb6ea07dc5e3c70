/** `polya ahc batch`: many sessions out of one file, at once, within one budget, compared with one another. */
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { resumeRunSet } from '../../../cli/commands/run-set-run.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import type { TellSet } from '../../../cli/drive-set.ts';
import { printFailure } from '../../../cli/failure.ts';
import { launchSet, type SetRunOptions, setRunOptions } from '../../../cli/launch-set.ts';
import { assertNotExists, makeOutFolder, writeFiles } from '../../../cli/safe-write.ts';
import { withSet } from '../../../cli/sets.ts';
import { ExplainedError } from '../../../core/errors.ts';
import { workspaceFolder } from '../../../open/families/ahc/workspace.ts';
import { setOf } from '../../../studies/run-set/plan.ts';
import { batchJournalOptions, batchRows, planBatch } from '../batch/plan.ts';
import {
  type BatchResult,
  combinationsText,
  readOutcomes,
  resultCsv,
  resultJson,
  resultOf,
  resultText,
} from '../batch/result.ts';
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
  const rows = await batchRows(plan);
  const { parallel, budget } = plan.batch;
  const out = resultFiles(batching, plan.name, false);
  return launchSet(shell, options, {
    name: plan.name,
    rows,
    concurrency: parallel,
    budget: budget === undefined ? undefined : { costUsd: budget },
    world: plan.opening,
    modelAdvice: 'Or write `llm.model` below `base:` or `matrix:` of the batch, or into the configuration.',
    goOn: 'ahc batch --resume',
    watch: async () => {
      makeOutFolder(dirname(out.csv));
      return {};
    },
    tell: tellInto(batching, out),
  });
}

async function goOn(batching: Batching, named: string): Promise<number> {
  const { options, question } = batching;
  const shell = inWorkspace(batching);
  // The rows name their workspaces, and the configurations of these the keys for the models.
  const { opening, name } = await withSet(shell, named, async (_, row) => {
    const set = setOf(row);
    return { opening: batchJournalOptions(set, question), name: set.plan.name };
  });
  const out = resultFiles(batching, name, true);
  if (!options.dryRun) makeOutFolder(dirname(out.csv));
  const report = tellInto(batching, out);
  return resumeRunSet(shell, named, {
    options,
    opening,
    tell: report,
    goOn: 'ahc batch --resume',
    isAlwaysShown: true,
  });
}

/** The journal of a batch is found from the workspace that is named, else from the working folder. */
function inWorkspace({ shell, options, question }: Batching): Shell {
  return options.workspace === undefined ? shell : { ...shell, folder: workspaceFolder(question) };
}

/** Compares, writes the table, and prints; an exit code where it could not be written. */
function tellInto({ shell, options }: Batching, out: ResultFiles): TellSet {
  return async ({ set }, { world }) => {
    const batchOutcomes = await readOutcomes(world.store, set);
    return tellBatch(shell, options, resultOf(batchOutcomes, { set: set.id, name: set.plan.name }), out);
  };
}

type ResultFiles = { readonly csv: string; readonly force: boolean };

/** Checked before anything is begun. Results of the same batch are overwritten. */
function resultFiles({ shell, options }: Batching, name: string, isSame: boolean): ResultFiles {
  const folder = resolve(shell.folder, options.out ?? `${name}-results`);
  const csv = join(folder, 'results.csv');
  const force = options.force || isSame;
  if (!options.dryRun) assertNotExists(csv, force);
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
  const error = writeResults(result, files);
  if (json) {
    const told = { csv: files.csv, trouble: error?.explanation ?? null };
    tellJson(shell, { ...resultJson(result), files: told });
  } else if (csv) out.write(resultCsv(result));
  else
    out.write(
      `${resultText(out, result)}${error ? '' : `\nTable: ${files.csv}\nOn a page: ${calledAs} view ${result.set}\n`}`,
    );
  return error ? printFailure(shell, error, false) : undefined;
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
