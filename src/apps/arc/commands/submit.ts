/**
 * `polya arc submit`: the answers of runs, or of a run-set, as a submission in the form of the competition. Every task of
 * the file stands in it; those that have no answer get placeholders, and are named.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { findRun, withPolya } from '../../../cli/journals.ts';
import { addOptions } from '../../../cli/options.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { findSet } from '../../../cli/sets.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { foldRun, type RunView } from '../../../core/fold.ts';
import type { Journals } from '../../../open/options.ts';
import { readJournal } from '../../../run/load.ts';
import { setOf } from '../../../studies/run-set/plan.ts';
import { readRows } from '../../../studies/run-set/rows.ts';
import { count, escapedJson } from '../../../text/format.ts';
import listed from '../options.json' with { type: 'json' };
import { answersOfRuns, type Submission, submit } from '../submission.ts';

type Options = {
  readonly taskFile?: string;
  readonly runSet?: string;
  readonly run?: readonly string[];
  readonly out: string;
  readonly force: boolean;
  readonly json?: boolean;
};

export const arcSubmit: CommandFile = {
  define(command: Command) {
    addOptions(command, listed.submit).addHelpText(
      'after',
      '\nExample: polya arc submit --run-set last --out submission.json',
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    if (options.runSet === undefined && options.run === undefined) {
      throw new UserError({
        code: 'no-runs-named',
        what: 'No runs are named whose answers are to be submitted.',
        fix: 'Name a run-set with --run-set (`last` is the newest), or runs with --run.',
      });
    }
    return withPolya(
      shell,
      async (polya) => {
        const answers = answersOfRuns(await runsOf(polya, options));
        const created = await submit(shell.folder, options.taskFile ?? null, answers);
        const path = resolve(shell.folder, options.out);
        writeFiles([{ path, text: created.text }], { force: options.force });
        printSubmission(shell, path, created, options);
        return exitCodes.ok;
      },
      { create: false },
    );
  },
};

/** In the order in which their attempts are taken: the rows of the set, then the runs that are named. */
async function runsOf(
  { world: { store } }: Journals,
  { runSet, run = [] }: Options,
): Promise<readonly RunView[]> {
  const rows = runSet === undefined ? [] : await readRows(store, setOf(await findSet(store, runSet)));
  const runViews = rows.flatMap(({ view }) => view ?? []);
  for (const name of run) {
    const { id } = await findRun(store, name);
    runViews.push(foldRun((await readJournal(store, id)).events));
  }
  return runViews;
}

function printSubmission(shell: Shell, path: string, created: Submission, { json }: Options): void {
  const { tasks, entries, placeholders } = created;
  if (json) {
    shell.out.write(`${escapedJson({ file: path, tasks, entries, placeholders }, 2)}\n`);
    return;
  }
  shell.out.write(`${path}: ${count(tasks, 'task')}, ${count(entries, 'test input')}\n`);
  if (placeholders.length === 0) return;
  const text = placeholders.slice(0, 10).join(', ');
  const more = placeholders.length > 10 ? ` and ${placeholders.length - 10} more` : '';
  shell.err.write(`Placeholders, since there is no answer: ${text}${more}.\n`);
}
