/** `polya ahc tune`: the constants of a program, searched without a model, as a run like any other. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { drive } from '../../../cli/drive.ts';
import { withPolya } from '../../../cli/journals.ts';
import { dryRunWords } from '../../../cli/launch.ts';
import { type NotifyOptions, notifyOption } from '../../../cli/notify.ts';
import { type BackendOption, backendIn, backendOption, positive, wholeNumber } from '../../../cli/options.ts';
import { withScratch } from '../../../cli/scratch.ts';
import { exitCodes } from '../../../core/errors.ts';
import type { Desk } from '../../../families/ahc/evaluation.ts';
import type { Journals } from '../../../open/options.ts';
import { newRunId } from '../../../run/run-id.ts';
import { beginRun, type PreparedRun, prepareRun } from '../../../run/start.ts';
import { count, duration, harmlessJson } from '../../../text/format.ts';
import { type IncludeOption, includeOption, openDesk } from '../desk.ts';
import { loadAhcTuning } from '../load/tuning.ts';
import { planTuning, type TuneOptions, type TuningPlan } from '../tuning/plan.ts';
import { constantsTable, tellTuning } from '../tuning/report.ts';
import { type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

const help = `
Which constants: those of --parameter; else those that comments mark, \`// tune: 10..1000 log\`,
\`// tune: int 1..50\`; else named ones, then plain numbers, at most eight. Sizes, indices, tables,
bits, seeds and clocks are left alone. What is found is proved on cases that the search did not
see; where it is no more than noise, nothing is written.

Examples:
  polya ahc tune main.cpp --cases 0-49
  polya ahc tune main.cpp --parameter START_TEMPERATURE=10..1000:log --evaluations 300
  polya runs resume last        a search that was broken off goes on`;

type Options = WorkspaceOptions &
  IncludeOption &
  TuneOptions &
  BackendOption &
  NotifyOptions & { readonly dryRun?: boolean };

const together = (value: string, before: readonly string[] = []) => [...before, value];

export const ahcTune: CommandFile = {
  define(command: Command) {
    command
      .argument('[file]', "the C++ program (default: the workspace's main.cpp)")
      .option('-c, --cases <list>', 'search on these, as in 0-99,120 (default: all)')
      .option('--unseen <number>', 'new cases that decide in the end (default: 50)', wholeNumber(0, 10_000))
      .option(
        '--evaluations <number>',
        'runs of one program on a few cases, at most (default: 150)',
        wholeNumber(10, 100_000),
      )
      .option('--time-limit <seconds>', 'end the search after this time', positive)
      .option(
        '--parameter <name=low..high[:log]>',
        'tune this constant in this range, and only such; may be repeated',
        together,
      )
      .option('--out <file>', 'where the tuned program goes (default: FILE.tuned.cpp)')
      .option('--force', 'replace that file if it exists')
      .option('--dry-run', dryRunWords.replace('and the first request; call nothing', 'and run nothing'));
    workspaceOptions(notifyOption(includeOption(backendOption(command)))).addHelpText('after', help);
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [file]: [string?] = command.processedArgs as [string?];
    const [{ ahc, desk }, tuning] = await Promise.all([openDesk(shell, command), loadAhcTuning()]);
    const plan = planTuning(shell, { ahc, tuning, desk, file, options });
    const work = options.dryRun ? showPlan : search;
    const opened = (there: Shell) =>
      withPolya(
        there,
        async (polya) =>
          work(shell, polya, { plan, options, prepared: await prepared(polya, desk, { plan, options }) }),
        backendIn(options),
      );
    return options.dryRun ? withScratch(shell, {}, opened) : opened(shell);
  },
};

type Tuning = { readonly plan: TuningPlan; readonly options: Options };
type Ready = Tuning & { readonly prepared: PreparedRun };

function prepared({ world }: Journals, desk: Desk, { plan, options }: Tuning): Promise<PreparedRun> {
  const { cases, unseen, evaluations, timeLimit } = options;
  const { file, source, writeTo, parameters } = plan;
  return prepareRun(world, {
    id: newRunId(world.io.clock.now(), world.io.chance),
    family: 'ahc',
    problem: {
      workspace: resolve(desk.workspace.folder.path),
      images: false,
      ...(cases === undefined ? {} : { cases }),
    },
    agent: 'parameter-search',
    models: {},
    settings: {
      ...{ source, file, writeTo, parameters: parameters.map((each) => ({ ...each })) },
      ...(unseen === undefined ? {} : { unseenCases: unseen }),
      ...(evaluations === undefined ? {} : { evaluations }),
      ...(timeLimit === undefined ? {} : { timeLimitSeconds: timeLimit }),
    },
  });
}

async function search(shell: Shell, polya: Journals, { options, prepared: ready }: Ready): Promise<number> {
  const { json = false, force = false, notify } = options;
  shell.err.write(`Estimate: ${estimateOf(ready)}\n`);
  return drive(shell, polya, {
    start: (observer) => beginRun(polya.world, ready, observer),
    isJson: json,
    ...(notify === undefined ? {} : { notify }),
    tell: (result, there, code) => tellTuning(shell, there, result, { json, force }, code),
  });
}

async function showPlan(
  shell: Shell,
  _polya: Journals,
  { plan, options, prepared: ready }: Ready,
): Promise<number> {
  const { constants, file, writeTo } = plan;
  const estimate = estimateOf(ready);
  if (options.json) {
    const told = constants.map(({ start: _, end: __, text: ___, ...each }) => each);
    shell.out.write(`${harmlessJson({ dryRun: true, file, writeTo, constants: told, estimate }, 2)}\n`);
    return exitCodes.ok;
  }
  const view = {
    search: { constants, unit: 'score' as const, evaluations: 0, cases: 0, unseen: 0, areFresh: false },
    tuned: null,
  };
  shell.out.write(
    `${constantsTable(shell.out, view)}\nTunes ${file}; the result goes to ${writeTo}.\n${estimate}\n`,
  );
  return exitCodes.ok;
}

/** What it can take at most is far from what it takes: most values are dropped after an eighth of the cases. */
function estimateOf({ header }: PreparedRun): string {
  const { evaluations, unseenCases, timeLimitSeconds } = header.agent.settings;
  const facts = JSON.parse(String(header.problem.detail.facts)) as {
    cases: string[];
    contest: { timeLimitMs: number };
  };
  const runs = Number(evaluations) * Math.max(4, Math.ceil(facts.cases.length / 5)) + 2 * Number(unseenCases);
  const limit =
    typeof timeLimitSeconds === 'number'
      ? `; the search ends after ${duration(timeLimitSeconds * 1000)}`
      : '';
  return `no model is asked; at most ${count(Number(evaluations), 'evaluation')} of up to ${count(facts.cases.length, 'case')}, about ${duration(runs * facts.contest.timeLimitMs)} of processor time if programs use their whole time limit, and their compilation${limit}.`;
}
