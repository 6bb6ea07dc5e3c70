/**
 * Contests in `polya demo`: the commands that a competitor types, on a contest of our own, in a folder that is removed
 * afterwards. Two programs are compared, or a program evolves with a script in the place of a model. Sessions need a
 * workspace, so these scenes are no rows of the demo's run-set.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { CommandFile, DemoApart, DemoLast, Output, Shell } from '../../cli/contract.ts';
import { leftOutText } from '../../cli/demo/scenes.ts';
import { exitCodes } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { findHome } from '../../io/home.ts';
import { practiceContest } from '../../practice/atcoder/contest.ts';
import { startAtCoder } from '../../practice/atcoder/site.ts';
import { ahcCall } from '../../text/format.ts';
import { ahcInit } from './commands/init.ts';
import { ahcSolve } from './commands/solve.ts';
import { ahcStatus } from './commands/status.ts';
import { ahcTest } from './commands/test.ts';
import { tellJson } from './workspace.ts';

type Stage = { readonly folder: string; readonly url: string; readonly contest: string };

type ContestScene = {
  readonly title: string;
  readonly label: string;
  /** The contest's own solutions that are copied beside it. */
  readonly files: readonly ('weak' | 'good')[];
  readonly contest: string;
  readonly steps: (stage: Stage) => readonly Step[];
  /** Commands and what they do. */
  readonly next: readonly (readonly [command: string, meaning: string])[];
};

const ours =
  'contest and programs are our own. The site (HTTP on this machine), the official tools, the sandbox and the scores are real.';

/** Two programs of one contest. */
function comparison(contest: string, title: string): Omit<ContestScene, 'next'> {
  return {
    title,
    contest,
    label: `No model is asked and nothing is paid: ${ours}`,
    files: ['weak', 'good'],
    steps: (stage) => [
      init(stage),
      inside(stage, 'test', ahcTest, 'weak.cpp --cases 0-9'),
      inside(stage, 'test', ahcTest, 'good.cpp --cases 0-9 --vs last'),
    ],
  };
}

/** By the names under which `polya demo` shows them. */
const contestScenes: Readonly<Record<string, ContestScene>> = {
  ahc: {
    ...comparison('polya001', 'A contest: its workspace, and what two programs are worth in it.'),
    next: [
      ['init polya001', 'the same contest, to beat the good solution in'],
      ['init polya003', 'one in which the judge answers, as `demo dialogue` shows'],
    ],
  },
  dialogue: {
    ...comparison(
      'polya003',
      'A contest in which the judge answers: two programs, and what their questions are worth.',
    ),
    next: [
      ['init polya003', 'the same contest, to ask better than the good solution'],
      ['database search --tag interactive', 'past contests of this kind'],
    ],
  },
  evolution: {
    title: 'A program evolves: proposals that are good, bad, broken, or do not match what is there.',
    label: `The model is a SCRIPT: its replies were written ahead, no model is asked and nothing is paid; ${ours} So are the search, the session and its files.`,
    contest: 'polya001',
    files: [],
    steps: (stage) => [
      init(stage),
      { ...inside(stage, 'solve', ahcSolve, solving), isText: true },
      inside(stage, 'status', ahcStatus, 'demo'),
    ],
    next: [
      ['solve --model MODEL --budget 5', 'in a workspace, a model in the place of the script'],
      ['tune FILE', 'the constants of a program, without a model'],
    ],
  },
};

/** One island with one line, so that the script knows which reply is for which program. */
const solving = [
  '--foreground --session-name demo --model scripted/ahc-lanterns --cases 0-9 --islands 1 --max-generations 1',
  '--population-size 6 --set linesPerIsland=1 --set heldOutCases=12',
  '--set operators={"change":1,"rewrite":0,"tune":0}',
].join(' ');

type Step = {
  readonly name: string;
  readonly file: CommandFile;
  /** The working folder. */
  readonly folder: string;
  readonly argv: readonly string[];
  /** As a user would type it. */
  readonly typed: string;
  /** It prints no JSON. */
  readonly isText?: boolean;
};

export const contests: DemoApart = {
  async play(shell, name, { isJson, backend, view }) {
    const { folder, env } = shell;
    // Who looks on finds it in the store that the page shows.
    const seen = view ? { ...shell, env: { ...env, POLYA_HOME: findHome(folder, env).folder } } : shell;
    const { code, told, next } = await playContest(withBackend(seen, backend), name, isJson);
    if (isJson) tellJson(shell, told);
    else if (code === exitCodes.ok) shell.out.write(`\nWhat to try next:\n${next}`);
    return code;
  },
  /** After the run-set. */
  async playLast(shell, { world }, { isJson, backend }) {
    const names = (await world.io.sandbox.info()).toolchains.map(({ name }) => name);
    if (!names.includes('rustc') || !names.some((each) => each.startsWith('g++'))) {
      shell.err.write(leftOutText(shell.calledAs, ['the evolution of a program (g++ and cargo)']));
      return null;
    }
    return playContest(withBackend(shell, backend), 'evolution', isJson);
  },
};

function withBackend(shell: Shell, backend: string | undefined): Shell {
  if (backend === undefined) return shell;
  return { ...shell, env: { ...shell.env, AHC_AGENT_SANDBOX_BACKEND: backend } };
}

/** What came of a scene; `told` is for JSON, `next` for people. */
async function playContest(shell: Shell, name: string, isJson: boolean): Promise<DemoLast> {
  const scene = contestScenes[name];
  if (!scene) throw new Error(`There is no scene ${name}.`);
  const { contest, label } = scene;
  // The store in the folder of the demo is gone with it.
  const { knownStores: _, ...rest } = shell;
  const site = await startAtCoder();
  const folder = mkdtempSync(join(tmpdir(), 'polya-demo-'));
  const steps: JsonObject[] = [];
  let code: number = exitCodes.ok;
  try {
    const solutions = join(practiceContest(contest).folder, 'solutions');
    for (const file of scene.files)
      cpSync(join(solutions, `${file}.cpp`), join(folder, contest, `${file}.cpp`));
    shell.err.write(`\n${shell.err.paint('strong', scene.title)}\n${label}\n`);
    for (const step of scene.steps({ folder, url: site.url, contest })) {
      shell.err.write(`\n$ ${shell.err.paint('accent', `${ahcCall(shell)} ${step.typed}`)}\n`);
      const kept: string[] = [];
      const out = isJson ? keeping(shell.out, kept) : without(folder, shell.out);
      const err = without(folder, shell.err);
      code = await call({ ...rest, folder: step.folder, out, err }, step, isJson);
      const result = step.isText || !isJson ? null : parsed(kept.join(''));
      steps.push({ command: step.typed, exitCode: code, result });
      if (code !== exitCodes.ok) break;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await site.close();
  }
  const next = scene.next.map(([command, meaning]) => `  ${ahcCall(shell)} ${command}\n      ${meaning}\n`);
  return { code, told: { demo: name, label, steps }, next: next.join('') };
}

function init({ folder, url, contest }: Stage): Step {
  // Our own contest never runs, so its rules cannot forbid this.
  const elsewhere = ['--workspace-root', folder, '--site', url, '--i-confirm-the-rules-allow-this'];
  return { name: 'init', file: ahcInit, folder, argv: [contest, ...elsewhere], typed: `init ${contest}` };
}

function inside({ folder, contest }: Stage, name: string, file: CommandFile, typed: string): Step {
  return { name, file, folder: join(folder, contest), argv: typed.split(' '), typed: `${name} ${typed}` };
}

async function call(shell: Shell, { name, file, argv, isText }: Step, isJson: boolean): Promise<number> {
  const command = new Command(name).exitOverride();
  let code: number = exitCodes.ok;
  file.define(command, shell);
  command.action(async () => {
    code = await file.run(shell, command);
  });
  await command.parseAsync([...argv, ...(isJson && !isText ? ['--json'] : [])], { from: 'user' });
  return code;
}

function keeping(output: Output, kept: string[]): Output {
  return Object.create(output, { write: { value: (text: string) => kept.push(text) } });
}

/** Lines that name the folder of the demo would name what is gone when they are read. */
function without(folder: string, output: Output): Output {
  const lines = (text: string) => text.split(/(?<=\n)/).filter((line) => !line.includes(folder));
  return Object.create(output, { write: { value: (text: string) => output.write(lines(text).join('')) } });
}

const parsed = (text: string): Json => (text === '' ? null : JSON.parse(text));
