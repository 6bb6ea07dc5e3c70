/**
 * `polya arc run`: the induction graph over the tasks of a file, as one run-set, with a log, pictures and a submission in
 * a folder. `--resume` goes on with one: what is missing is asked, and the folder is written again from the journals.
 */
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodeOfSet } from '../../../cli/drive-set.ts';
import { launchOpenSet, launchSet, type SetRunOptions, setRunOptions } from '../../../cli/launch-set.ts';
import { backendIn } from '../../../cli/options.ts';
import { setCsv } from '../../../cli/set-report.ts';
import { changedPlan, withSet } from '../../../cli/sets.ts';
import { UserError } from '../../../core/errors.ts';
import type { SetRow } from '../../../core/store.ts';
import type { Journals } from '../../../open/options.ts';
import type { SetResult } from '../../../open/set-json.ts';
import { prepareRows, resumeSet } from '../../../studies/run-set/execute.ts';
import { type RunSet, setOf } from '../../../studies/run-set/plan.ts';
import { readRows } from '../../../studies/run-set/rows.ts';
import { escapedJson, oneLine } from '../../../text/format.ts';
import { allModels, freeReason } from '../../../text/labels.ts';
import { noPaint } from '../../../text/paint.ts';
import {
  inductionOptions,
  type OutOptions,
  outOptions,
  rejectChangedOptions,
  selectTasks,
  settingsIn,
  type TaskOptions,
  taskOptions,
} from '../options.ts';
import { Recorder } from '../recorder.ts';
import { type ArcReport, reportJson, reportText } from '../report.ts';
import { assertTasksUnchanged, readTasks } from '../task-files.ts';

type Options = SetRunOptions & TaskOptions & OutOptions & { readonly resume?: string };

const usualConcurrency = 4;

export const arcRun: CommandFile = {
  define(command: Command) {
    setRunOptions(outOptions(inductionOptions(taskOptions(command))))
      .option('--resume <run>', 'go on with a run, by its id, the end of it, or `last`')
      .addHelpText(
        'after',
        '\nExamples:\n  polya arc run --task-file arc-agi_evaluation_challenges.json --num 10 --model openai/gpt-5 --reasoning high --budget 5\n  polya arc run --resume last\n\ndocs/arc.md describes the settings and the files.',
      );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    return options.resume === undefined ? begin(shell, options, command) : resume(shell, options, command);
  },
};

async function begin(shell: Shell, options: Options, command: Command): Promise<number> {
  const { file, ids, leftOut } = await selectTasks(shell, options);
  for (const what of leftOut) shell.err.write(`Left out: ${oneLine(what)}\n`);
  const settings = settingsIn(command);
  const solutions = file.solutions?.path ?? null;
  const rows = ids.map((task) => ({
    name: task,
    family: 'arc',
    problem: { file: file.path, task, solutions },
    agent: 'induction-graph',
    settings,
  }));
  const recorders = new Map<string, Recorder>();
  return launchSet(shell, options, {
    name: `arc ${basename(file.path)}`,
    rows,
    concurrency: usualConcurrency,
    modelAdvice: '`--model scripted/arc-mirror` costs nothing and solves the task mirror of examples/arc.',
    goOn: 'arc run --resume',
    watch: async (set, polya) => {
      const recorder = recorderOf(shell, { polya, set, file, leftOut, options });
      recorders.set(set.id, recorder);
      await recorder.prepare();
      return recorder.observer;
    },
    tell: async (result) => {
      const recorder = recorders.get(result.set.id);
      if (recorder) await printResult(shell, recorder, { result, options });
    },
  });
}

function resume(shell: Shell, options: Options, command: Command): Promise<number> {
  rejectChangedOptions(command);
  const work = async (polya: Journals, row: SetRow): Promise<number> => {
    const before = setOf(row);
    const set: RunSet = { ...before, plan: changedPlan(before.plan, options) };
    const file = await fileOf(shell, set);
    await assertTasksUnchanged(polya, set);
    const recorder = recorderOf(shell, { polya, set, file, leftOut: [], options });
    const own = {
      goOn: 'arc run --resume',
      watch: async () => {
        await recorder.prepare();
        return recorder.observer;
      },
      tell: (result: SetResult) => printResult(shell, recorder, { result, options }),
    };
    const reason = row.ending?.reason;
    if (typeof reason === 'string' && reason !== 'budget') {
      const result = { set, reason, pid: null, rows: await readRows(polya.world.store, set) };
      shell.err.write(`Run ${set.id} has ended: its files are written again, nothing is asked.\n`);
      await recorder.prepare();
      await own.tell(result);
      return exitCodeOfSet(result);
    }
    const prepared = await prepareRows(polya.world, set);
    const start: Parameters<typeof launchOpenSet>[2]['start'] = (observer) =>
      resumeSet(polya.world, set, { prepared, observer });
    return launchOpenSet(shell, polya, { set, prepared, options, start, ...own });
  };
  return withSet(shell, options.resume ?? '', work, backendIn(options));
}

/** As its rows have it: a resume needs no other word. A run-set of one's own may have several, or other problems too. */
async function fileOf({ folder }: Shell, { plan, id }: RunSet) {
  const { file, solutions } = plan.rows[0]?.problem ?? {};
  const isLocal = plan.rows.every(
    ({ family, problem }) => family === 'arc' && problem.file === file && problem.solutions === solutions,
  );
  if (!isLocal || typeof file !== 'string') {
    throw new UserError({
      code: 'no-arc-run',
      what: `Run-set ${id} is no run over the ARC tasks of one file.`,
      fix: `\`polya run-set resume ${id}\` goes on with it.`,
    });
  }
  return readTasks(folder, { file, solutions: typeof solutions === 'string' ? solutions : null });
}

function recorderOf(
  { folder, err }: Shell,
  {
    options,
    ...parts
  }: Omit<ConstructorParameters<typeof Recorder>[0], 'out' | 'pictures' | 'err'> & { options: Options },
): Recorder {
  return new Recorder({ ...parts, out: resolve(folder, options.out), pictures: options.pictures, err });
}

async function printResult(
  { out }: Shell,
  recorder: Recorder,
  { result, options }: { result: SetResult; options: Options },
): Promise<void> {
  const { outcomes, written } = await recorder.finish();
  const models = Object.assign({}, ...outcomes.map(({ view }) => (view ? allModels(view) : {})));
  const report: ArcReport = {
    head: recorder.head,
    outcomes,
    written,
    reason: result.reason,
    label: freeReason(models),
  };
  await recorder.close(reportText({ paint: noPaint }, report));
  if (options.json) out.write(`${escapedJson(reportJson(report), 2)}\n`);
  else out.write(options.csv ? setCsv(result) : reportText(out, report));
}
