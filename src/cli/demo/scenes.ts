/** The acts of one demo in one run-set: which rows are whose, and what is told before they begin and after they ended. */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { runJson } from '../../open/run-json.ts';
import { newRunId } from '../../run/hash.ts';
import { type RunSet, runIdOf } from '../../studies/run-set/plan.ts';
import { duration } from '../../text/format.ts';
import { kindLabels, tokensText } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import type { Act, Cast, DemoLast, RunResult, Shell } from '../contract.ts';

/** An act, its rows on this machine, and where in the set they begin. */
export type Scene = Cast & { readonly act: Act; readonly from: number };

export type Shown = Pick<Scene, 'act' | 'leftOut'> & { readonly runs: readonly RunResult[] };

type Apps = Pick<Shell, 'apps'>;

/** `inSet`: acts that are rows of the demo's run-set, and their total. `apart`: the other scenes. */
export function demoNames({ apps }: Apps): Readonly<Record<'inSet' | 'apart', readonly string[]>> {
  return {
    inSet: ['all', ...apps.flatMap(({ demo }) => demo?.acts ?? [])],
    apart: apps.flatMap(({ demoApart }) => demoApart?.names ?? []),
  };
}

export async function actsOf(shell: Apps, name: string): Promise<readonly Act[]> {
  const loaded = await Promise.all(shell.apps.map(async ({ demo }) => (await demo?.load()) ?? []));
  const selected = loaded.flat().filter((action) => name === 'all' || action.name === name);
  if (selected.length > 0) return selected;
  const { inSet, apart } = demoNames(shell);
  throw new UserError({
    code: 'no-such-demo',
    what: `There is no demo of ${name}.`,
    fix: `Choose one of: ${[...inSet, ...apart].join(', ')}.`,
  });
}

export async function scenesOf(chosen: readonly Act[], { world }: Journals): Promise<readonly Scene[]> {
  // Some acts run no program.
  const toolchains = await world.io.sandbox.info().then(
    (info) => info.toolchains,
    () => [],
  );
  let from = 0;
  const scenes = chosen.map((action) => {
    const scene = { act: action, from, ...action.cast({ toolchains }) };
    from += scene.rows.length;
    return scene;
  });
  if (from > 0) return scenes;
  // The sandbox itself reports best what is wrong with it.
  await world.io.sandbox.info();
  throw new UnavailableError({
    code: 'no-toolchain',
    what: 'The sandbox has no language that the demo could show.',
    why: 'It needs Python or g++.',
    fix: 'Run `./polya setup`.',
  });
}

/** One row after the other: each is shown step by step. */
export function setOfScenes({ world: { io } }: Journals, name: string, scenes: readonly Scene[]): RunSet {
  const createdAtMs = io.clock.now();
  const rows = scenes.flatMap((scene) => scene.rows);
  const rules = { concurrency: 1, budget: {}, stopWhen: 'never', prompts: {} } as const;
  return {
    id: newRunId(createdAtMs, io.chance),
    createdAtMs,
    plan: { name: `demo ${name}`, ...rules, rows },
  };
}

/** The text before a row; before the first row of an act it also says which parts are real. */
export function introduction(
  { err, calledAs }: Shell,
  set: RunSet,
  scenes: readonly Scene[],
  index: number,
): string {
  const id = runIdOf(set, index);
  const name = err.paint('strong', set.plan.rows[index]?.name ?? '');
  const row = `\n${name}\nRun ${id}; \`${calledAs} runs watch ${id}\` follows it from elsewhere.\n`;
  const started = scenes.find(({ from, rows }) => from === index && rows.length > 0);
  if (!started) return row;
  const { title, real } = started.act;
  const script =
    'The model is a SCRIPT: its replies were written ahead, no model is asked and nothing is paid.';
  return `\n${err.paint('strong', title)}\n${script}\n${real}\n${row}`;
}

/** A language that is missing here must not be taken for one that Polya does not know. */
export function leftOutText(calledAs: string, leftOut: readonly string[]): string {
  if (leftOut.length === 0) return '';
  return `Left out, as this machine cannot run it: ${leftOut.join(', ')}. \`${calledAs} setup\` installs what is missing.\n`;
}

export function demoJson(demo: string, set: string, visible: readonly Shown[], last: DemoLast | null) {
  return {
    demo,
    label: kindLabels.script,
    set,
    acts: visible.map(({ act, leftOut, runs }) => ({
      act: act.name,
      title: act.title,
      leftOut,
      runs: runs.map(({ row }) => row.id),
    })),
    runs: visible.flatMap(({ runs }) => runs.map(runJson)),
    contest: last?.told,
  };
}

/** The tables and what to try next; they fit into 100 columns. `more`: what else may be tried, in lines. */
export function demoText(
  { out, calledAs }: Pick<Shell, 'out' | 'calledAs'>,
  set: string,
  shown: readonly Shown[],
  more = '',
): string {
  const startedRuns = shown.filter(({ runs }) => runs.length > 0);
  const next = [
    ['runs show last', 'the journal of the last run, line by line'],
    ['runs replay last', 'the same run again: free and offline'],
    ...startedRuns.flatMap(({ act, runs }) => act.next(runs)),
    [`run-set show ${set}`, 'all of the demo: it was one run-set'],
  ] as const;
  const lines = next.map(([command, meaning]) => `  ${calledAs} ${command}\n      ${meaning}\n`);
  return `\nPlayed by scripts: replies written ahead, no model was asked, nothing was paid.\n\n${startedRuns.map((each) => actTable(out, each)).join('\n')}\nWhat to try next:\n${lines.join('')}${more}`;
}

function actTable(out: Shell['out'], { act: { about, facts }, runs }: Shown): string {
  const head = ['run', about.head, 'outcome', ...facts.map((column) => column.head), 'tokens', 'time'];
  const rows = runs.map((result) => [
    result.row.id,
    about.cell(result),
    result.view.end?.outcome ?? 'interrupted',
    ...facts.map(({ cell }) => cell(result)),
    tokensText(result.view.totals),
    duration(result.view.aliveMs),
  ]);
  return table(out, head, rows);
}
