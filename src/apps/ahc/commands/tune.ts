/** `polya ahc tune`: the constants of a program, searched without a model, as a run like any other. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { liftConstants, readRange } from '../../../agents/search/constants.ts';
import { selectParameters } from '../../../agents/search/parameter-search.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { drive } from '../../../cli/drive.ts';
import { withPolya, withScratch } from '../../../cli/journals.ts';
import { dryRunWords } from '../../../cli/launch.ts';
import {
  type BackendOption,
  backendIn,
  backendOption,
  collectRepeated,
  parseInteger,
  positive,
  viewOption,
} from '../../../cli/options.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { contestInfo } from '../../../families/ahc/problem/facts.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import type { Journals } from '../../../open/options.ts';
import { newRunId } from '../../../run/hash.ts';
import { beginRun, type PreparedRun, prepareRun } from '../../../run/start.ts';
import { count, duration } from '../../../text/format.ts';
import { type IncludeOption, includeOption, openContext } from '../evaluation-context.ts';
import { constantsTable, tellTuning } from '../tuning/report.ts';
import { type FoundProgram, findProgram } from '../workspace/program.ts';
import { tellJson, type WorkspaceOptions, withHelp, workspaceOptions } from '../workspace.ts';

type TuneFlags = WorkspaceOptions &
  IncludeOption &
  BackendOption & {
    readonly cases?: string;
    readonly unseen?: number;
    readonly evaluations?: number;
    readonly timeLimit?: number;
    readonly parameter?: readonly string[];
    readonly out?: string;
    readonly force?: boolean;
    readonly dryRun?: boolean;
  };

export const ahcTune: CommandFile = {
  define(command: Command) {
    command
      .argument('[file]', "the C++ program (default: the workspace's main.cpp)")
      .option('-c, --cases <list>', 'search on these, as in 0-99,120 (default: all)')
      .option('--unseen <number>', 'new cases that decide in the end (default: 50)', parseInteger(0, 10_000))
      .option(
        '--evaluations <number>',
        'runs of one program on a few cases, at most (default: 150)',
        parseInteger(10, 100_000),
      )
      .option('--time-limit <seconds>', 'end the search after this time', positive)
      .option(
        '--parameter <name=low..high[:log]>',
        'tune this constant in this range, and only such; may be repeated',
        collectRepeated,
      )
      .option('--out <file>', 'where the tuned program goes (default: FILE.tuned.cpp)')
      .option('--force', 'replace that file if it exists')
      .option('--dry-run', dryRunWords.replace('and the first request; call nothing', 'and run nothing'));
    withHelp(workspaceOptions(viewOption(includeOption(backendOption(command)))), 'tune');
  },
  async run(shell, command) {
    const options = command.opts<TuneFlags>();
    const [file]: [string?] = command.processedArgs as [string?];
    const { workspace } = openContext(shell, command);
    const plan = planTuning(shell, workspace, file, options);
    const work = async (polya: Journals): Promise<number> => {
      const run = await preparedRun(polya, workspace, plan, options);
      return options.dryRun ? showPlan(shell, plan, options, run) : search(shell, polya, options, run);
    };
    const opened = (shell: Shell) => withPolya(shell, work, backendIn(options));
    return options.dryRun ? withScratch(shell, {}, opened) : opened(shell);
  },
};

function preparedRun(
  { world }: Journals,
  workspace: Workspace,
  { file, source, writeTo, parameters }: TuningPlan,
  { cases, unseen, evaluations, timeLimit }: TuneFlags,
): Promise<PreparedRun> {
  return prepareRun(world, {
    id: newRunId(world.io.clock.now(), world.io.chance),
    family: 'ahc',
    problem: { workspace: resolve(workspace.folder.path), images: false, cases },
    agent: 'parameter-search',
    models: {},
    settings: {
      source,
      file,
      writeTo,
      parameters: parameters.map((each) => ({ ...each })),
      unseenCases: unseen,
      evaluations,
      timeLimitSeconds: timeLimit,
    },
  });
}

function search(shell: Shell, polya: Journals, options: TuneFlags, run: PreparedRun): Promise<number> {
  const { json: isJson = false } = options;
  shell.err.write(`Estimate: ${estimateOf(run)}\n`);
  return drive(shell, polya, {
    start: (observer) => beginRun(polya.world, run, observer),
    isJson,
    tell: (result, journals, code) => tellTuning(shell, journals, result, options, code),
  });
}

function showPlan(shell: Shell, plan: TuningPlan, { json }: TuneFlags, run: PreparedRun): number {
  const { constants, file, writeTo } = plan;
  const estimate = estimateOf(run);
  if (json) {
    const told = constants.map(({ start: _, end: __, text: ___, ...each }) => each);
    tellJson(shell, { dryRun: true, file, writeTo, constants: told, estimate });
  } else {
    const text = constantsTable(shell.out, constants, {});
    shell.out.write(`${text}\nTunes ${file}; the result goes to ${writeTo}.\n${estimate}\n`);
  }
  return exitCodes.ok;
}

/** What it can take at most is far from what it takes: most values are dropped after an eighth of the cases. */
function estimateOf({ header }: PreparedRun): string {
  const { evaluations, unseenCases, timeLimitSeconds } = header.agent.settings;
  const { cases, contest } = contestInfo(header.problem);
  const runs = Number(evaluations) * Math.max(4, Math.ceil(cases.length / 5)) + 2 * Number(unseenCases);
  const endMs = typeof timeLimitSeconds === 'number' ? timeLimitSeconds * 1000 : null;
  const limit = endMs === null ? '' : `; the search ends after ${duration(endMs)}`;
  const most = `at most ${count(Number(evaluations), 'evaluation')} of up to ${count(cases.length, 'case')}`;
  const time = duration(runs * contest.timeLimitMs);
  return `no model is asked; ${most}, about ${time} of processor time if programs use their whole time limit, and their compilation${limit}.`;
}

type Parameter = Readonly<{ name: string; low: number; high: number; scale: 'linear' | 'log' }>;

type TuningPlan = ReturnType<typeof planTuning>;

/** The agent has the same default. */
const mostParameters = 8;

function planTuning(
  shell: Shell,
  workspace: Workspace,
  named: string | undefined,
  { include, out, force, parameter = [] }: TuneFlags,
) {
  const found = findProgram(shell, { workspace, file: named, include, isCpp: true });
  const { file, source } = found;
  const writeTo = out === undefined ? tunedName(found.path) : resolve(shell.folder, out);
  // Hours of search should not end in a refusal to write.
  if (!force && existsSync(writeTo)) {
    const fix = 'Name another place with --out, or add --force to replace it.';
    throw new UserError({ code: 'file-exists', what: `${writeTo} exists already; nothing was begun.`, fix });
  }
  const requests = parameter.map((text) => parameterOf(text));
  const twice = requests.find(({ name }, at) => requests.findIndex((each) => each.name === name) !== at);
  if (twice) {
    const what = `The parameter ${twice.name} is given twice.`;
    throw new UserError({ code: 'named-twice', what, fix: 'Give it once.' });
  }
  // None: what the program itself says.
  const parameters = requests.length > 0 ? requests : ownParameters(found);
  const constants = selectParameters({ source, parameters, mostParameters });
  return { file, source, writeTo, parameters, constants };
}

/** `main.cpp` → `main.tuned.cpp`, beside it. */
function tunedName(path: string): string {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.tuned${extension || '.cpp'}`);
}

/** `NAME=LOW..HIGH[:log]` */
function parameterOf(text: string): Parameter {
  const { name, range, scale } =
    /^(?<name>[^=\s]+)=(?<range>[^:\s]+)(?::(?<scale>log|linear))?$/.exec(text.trim())?.groups ?? {};
  const read = range === undefined ? null : readRange(range, scale === 'log');
  if (name !== undefined && read !== null && typeof read !== 'string') return { name, ...read };
  throw new UserError({
    code: 'parameter-without-range',
    what: `--parameter ${text} is no constant with a range.`,
    why: typeof read === 'string' ? read : undefined,
    fix: 'It is written NAME=LOW..HIGH or NAME=LOW..HIGH:log, as in START_TEMPERATURE=10..1000:log.',
  });
}

/**
 * Of a program that headers were put into, its own constants: those of the headers are not the user's to tune. Plain
 * numbers are named by their lines, which headers move, so only constants with names of their own are found again.
 */
function ownParameters({ included, path, source }: FoundProgram): readonly Parameter[] {
  if (included.length === 0) return [];
  const existing = new Set(liftConstants(source).constants.map(({ name }) => name));
  return selectParameters({ source: readFileSync(path, 'utf8'), parameters: [], mostParameters })
    .filter(({ name }) => existing.has(name) && !/^line\d+_\d+$/.test(name))
    .map(({ name, low, high, scale }) => ({ name, low, high, scale }));
}
