/**
 * `polya demo`: the main job in a minute, without a key: real HTTP, a real sandbox, real journals, and a script in the
 * place of the model, which it says plainly.
 */
import type { Command } from 'commander';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { LanguageId, SandboxInfo } from '../../core/sandbox.ts';
import { newRunId, type Polya, startRun } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { live, readRun } from '../drive.ts';
import { withPolya } from '../journals.ts';
import { allModels, costText, exitCodeOf, tokensText, toolCallsOf } from '../labels.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';
import { type RunResult, runJson } from '../run-report.ts';
import type { Shell } from '../shell.ts';
import { table } from '../table.ts';
import { duration, harmlessJson } from '../text.ts';

type Options = BackendOption & { readonly json?: boolean };
type Day = { readonly day: number; readonly lang: LanguageId; readonly script: string };

const families = ['all', 'aoc'];
const days: readonly Day[] = [
  { day: 1, lang: 'python', script: 'aoc-practice-day1' },
  { day: 2, lang: 'cpp', script: 'aoc-practice-day2' },
  { day: 3, lang: 'kotlin', script: 'aoc-practice-day3' },
  { day: 1, lang: 'csharp', script: 'aoc-practice-day1-csharp' },
];
/** A wrong answer is part of the story; a minute of waiting is not. */
const practiceCooldownMs = 1_000;

export const demo: CommandFile = {
  define(command: Command) {
    command
      .argument('[family]', 'which part of Polya: all, aoc', 'all')
      .option('--json', 'print the result as JSON');
    backendOption(command);
  },
  async run(shell, command) {
    const { json, ...options } = command.opts<Options>();
    refuseUnknownFamily(command.processedArgs[0]);
    return withPolya(shell, (polya) => show(shell, polya, Boolean(json)), {
      practiceCooldownMs,
      ...backendIn(options),
    });
  },
};

async function show(shell: Shell, polya: Polya, isJson: boolean): Promise<number> {
  const { toolchains } = await polya.world.io.sandbox.info();
  const shownDays = possibleDays(toolchains);
  const heading = shell.err.paint('strong', 'An agent solves days of a practice Advent of Code.');
  shell.err.write(
    `${heading}\nThe model is a SCRIPT: its replies were written ahead, no model is asked and nothing is paid.\n` +
      'The site (HTTP on this machine), the sandbox and the journals are real.\n',
  );
  shell.err.write(leftOut(shell, shownDays));
  const shown: RunResult[] = [];
  for (const shownDay of shownDays) {
    const { day, lang } = shownDay;
    shell.err.write(`\n${shell.err.paint('strong', `Day ${day} in ${lang}`)}\n`);
    const { id, end } = await live(shell, polya, (observer) =>
      startRun(polya.world, specOf(polya, shownDay), observer),
    );
    shown.push(await readRun(polya, id));
    if (end.outcome === 'cancelled') break;
  }
  if (isJson) shell.out.write(`${harmlessJson(demoJson(shown), 2)}\n`);
  else shell.out.write(demoText(shell, shown));
  return worstOf(shown);
}

/** Everybody who tries it is somebody new to the site, and has all of it before them. */
function specOf({ world }: Polya, { day, lang, script }: Day) {
  const id = newRunId(world.io.clock.now(), world.io.chance);
  return {
    id,
    family: 'aoc',
    problem: { site: 'practice', year: 2000, day, lang, user: id },
    agent: 'tool-loop',
    models: { default: `scripted/${script}` },
    limits: { toolCalls: 30 },
  };
}

/** Nobody should take a language that is missing for one that Polya does not know. */
export function leftOut({ calledAs }: Pick<Shell, 'calledAs'>, shown: readonly Pick<Day, 'lang'>[]): string {
  const languages = days.map(({ lang }) => lang).filter((lang) => !shown.some((day) => day.lang === lang));
  if (languages.length === 0) return '';
  return `Left out, as this machine cannot run it: ${languages.join(', ')}. \`${calledAs} setup\` installs what is missing.\n`;
}

function possibleDays(toolchains: SandboxInfo['toolchains']): readonly Day[] {
  const possible = days.filter(({ lang }) => toolchains.some(({ language }) => language === lang));
  if (possible.length > 0) return possible;
  throw new UnavailableError({
    what: 'The sandbox has no language that the demo could show.',
    why: 'It needs Python or g++.',
    fix: 'Run `./polya setup`.',
  });
}

function demoJson(shown: readonly RunResult[]) {
  return {
    demo: 'aoc',
    label: 'script: replies written ahead, no model was asked',
    runs: shown.map(runJson),
  };
}

/** The table and what to try next; it fits into 100 columns. */
export function demoText(shell: Pick<Shell, 'out' | 'calledAs'>, shown: readonly RunResult[]): string {
  const head = ['run', 'practice day', 'outcome', 'parts', 'tool calls', 'tokens', 'cost', 'time'];
  const rows = shown.map(({ row, view }) => [
    row.id,
    // The heading says where it is from: the table is to fit into 100 columns.
    (view.header?.problem.id ?? '').replace(/^aoc\/practice\//, ''),
    view.end?.outcome ?? '',
    `${view.stages.filter(({ isDone }) => isDone).length} of ${view.header?.problem.stages.length ?? 0}`,
    toolCallsOf(view.totals),
    tokensText(view.totals),
    costText(view.totals, allModels(view)),
    duration(view.aliveMs),
  ]);
  const next = [
    ['runs show last', 'its journal, line by line'],
    ['runs replay last', 'the same run again: free and offline'],
    ['runs fork last --at 12 --hint "Mind the edges."', 'go on from event 12, with a hint'],
    ['aoc run --help', 'any day, with any model'],
  ];
  const told = next
    .map(([command = '', meaning = '']) => `  ${shell.calledAs} ${command.padEnd(48)}  ${meaning}\n`)
    .join('');
  return `\n${table(shell.out, head, rows)}\nWhat to try next:\n${told}`;
}

function worstOf(shown: readonly RunResult[]): number {
  const codes = shown.map(({ view }) => (view.end ? exitCodeOf(view.end) : exitCodes.unsolved));
  return codes.find((code) => code !== exitCodes.ok) ?? exitCodes.ok;
}

function refuseUnknownFamily(family: string): void {
  if (families.includes(family)) return;
  throw new UserError({
    what: `There is no demo of ${family}.`,
    fix: `Choose one of: ${families.join(', ')}.`,
  });
}
