/** `polya arc score`: a submission by the official rule, in all and by task. What is malformed is named before anything is counted. */
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { type ArcScore, readSubmission, scoreOf } from '../../../families/arc/submission.ts';
import type { TaskIssue } from '../../../families/arc/task.ts';
import { formatIssues, invalidTasksError } from '../../../families/arc/task-file.ts';
import { count, escapedJson } from '../../../text/format.ts';
import { isObject } from '../../../text/json.ts';
import { table } from '../../../text/table.ts';
import { readJson, readSolutions } from '../task-files.ts';

type Options = { readonly solutions: string; readonly json?: boolean };

export const arcScore: CommandFile = {
  isReport: true,
  define(command: Command) {
    command
      .argument('<submission>', 'a file {"task": [{"attempt_1": grid, "attempt_2": grid}, …]}')
      .requiredOption('--solutions <path>', 'the solutions: {"task": [grid, …]}, or tasks with their outputs')
      .option('--json', 'print it as JSON')
      .addHelpText('after', '\nThe score is test pairs with any of two attempts right ÷ test pairs.');
  },
  async run(shell, command) {
    const { solutions: path, json } = command.opts<Options>();
    const solutions = await readSolutions(shell.folder, path);
    if (solutions.faults.length > 0) throw invalidTasksError(solutions.path, solutions.faults);
    const entries = await entriesOf(shell, command.processedArgs[0], solutions.byTask);
    const score = scoreOf(entries, solutions.byTask);
    if (json) shell.out.write(`${escapedJson(jsonOf(score), 2)}\n`);
    else printScore(shell, score);
    return exitCodes.ok;
  },
};

async function entriesOf(
  shell: Shell,
  path: string,
  solutions: ReadonlyMap<string, readonly unknown[]>,
): Promise<Parameters<typeof scoreOf>[0]> {
  const value = await readJson(shell.folder, path);
  if (value === undefined) throw noSubmission(path, 'There is no such file.');
  if (!isObject(value)) throw noSubmission(path, 'It is no object of tasks.');
  const counts = new Map([...solutions].map(([task, grids]) => [task, grids.length]));
  const { entries, faults } = readSubmission(value, counts);
  if (faults.length > 0) throw malformedError(path, faults);
  if (entries.size === 0) throw noSubmission(path, 'It has no task in it.');
  return entries;
}

function malformedError(path: string, issues: readonly TaskIssue[]): UserError {
  return new UserError({
    code: 'submission-malformed',
    what: `${path} is malformed in ${count(issues.length, 'place')}; nothing was scored.`,
    why: formatIssues(issues),
    fix: '`polya arc submit` writes submissions in the form of the competition; docs/arc.md describes it.',
  });
}

function noSubmission(path: string, why: string): UserError {
  return new UserError({
    code: 'no-submission',
    what: `${path} is no submission.`,
    why,
    fix: 'docs/arc.md describes the form.',
  });
}

function printScore(shell: Shell, { score, right, pairs, solved, tasks }: ArcScore): void {
  const missing = tasks.filter(({ isMissing }) => isMissing).length;
  const all = `${right} of ${count(pairs, 'test pair')} right, ${solved} of ${count(tasks.length, 'task')} solved`;
  shell.out.write(`${shell.out.paint('strong', `${(100 * score).toFixed(1)}%`)}: ${all}\n`);
  const rows = tasks
    .filter(({ isMissing }) => !isMissing)
    .map(({ task, right: own, pairs: all, attempts }) => [
      task,
      `${own}/${all}`,
      attempts.map((attempt) => (attempt === null ? 'wrong' : `attempt ${attempt}`)).join(', '),
    ]);
  shell.out.write(table(shell.out, ['task', 'right', 'test pairs'], rows));
  if (missing === 0) return;
  const words = missing === 1 ? ['is', 'it counts'] : ['are', 'they count'];
  shell.err.write(
    `${count(missing, 'task')} of the solutions ${words[0]} not in the submission: ${words[1]} as wrong.\n`,
  );
}
function jsonOf({ tasks, ...totals }: ArcScore) {
  return {
    ...totals,
    tasks: tasks.map(({ isMissing, attempts, ...task }) => ({ ...task, attempts, missing: isMissing })),
  };
}
