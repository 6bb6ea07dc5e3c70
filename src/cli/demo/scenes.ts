/** The acts of one demo in one run-set: which rows are whose, and what is told before they begin. */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { newRunId } from '../../run/run-id.ts';
import { type RunSet, runIdOf } from '../../studies/run-set/plan.ts';
import type { Shell } from '../contract.ts';
import type { Act, Cast, Machine } from './act.ts';

/** An act, its rows on this machine, and where in the set they begin. */
export type Scene = Cast & { readonly act: Act; readonly from: number };

type Apps = Pick<Shell, 'apps'>;

/** Of the acts, and all of them. */
export function demoNames({ apps }: Apps): readonly string[] {
  return ['all', ...apps.flatMap(({ demo }) => demo?.acts ?? [])];
}

/** Scenes that are no rows of the set, and who plays them. */
export function apartNames({ apps }: Apps): readonly string[] {
  return apps.flatMap(({ demoApart }) => demoApart?.names ?? []);
}

export async function actsOf(shell: Apps, name: string): Promise<readonly Act[]> {
  const loaded = await Promise.all(shell.apps.map(async ({ demo }) => (await demo?.load()) ?? []));
  const acts = loaded.flat();
  const chosen = name === 'all' ? acts : acts.filter((act) => act.name === name);
  if (chosen.length > 0) return chosen;
  throw new UserError({
    code: 'no-such-demo',
    what: `There is no demo of ${name}.`,
    fix: `Choose one of: ${[...demoNames(shell), ...apartNames(shell)].join(', ')}.`,
  });
}

export async function scenesOf(chosen: readonly Act[], { world }: Journals): Promise<readonly Scene[]> {
  // Some acts run no program.
  const toolchains = await world.io.sandbox.info().then(
    (info) => info.toolchains,
    () => [],
  );
  const scenes = inOrder(chosen, { toolchains });
  if (scenes.some(({ rows }) => rows.length > 0)) return scenes;
  // What is wrong with the sandbox, it says best itself.
  await world.io.sandbox.info();
  throw new UnavailableError({
    code: 'no-toolchain',
    what: 'The sandbox has no language that the demo could show.',
    why: 'It needs Python or g++.',
    fix: 'Run `./polya setup`.',
  });
}

function inOrder(chosen: readonly Act[], machine: Machine): readonly Scene[] {
  let from = 0;
  return chosen.map((act) => {
    const scene = { act, from, ...act.cast(machine) };
    from += scene.rows.length;
    return scene;
  });
}

/** One row after the other: each is shown step by step. */
export function setOfScenes({ world }: Journals, name: string, scenes: readonly Scene[]): RunSet {
  const createdAtMs = world.io.clock.now();
  const plan = {
    name: `demo ${name}`,
    concurrency: 1,
    budget: {},
    stopWhen: 'never',
    prompts: {},
    rows: scenes.flatMap(({ rows }) => rows),
  } as const;
  return { id: newRunId(createdAtMs, world.io.chance), createdAtMs, plan };
}

type Place = { readonly set: RunSet; readonly scenes: readonly Scene[]; readonly index: number };

/** What is told before a row begins; before the first of its act, what is real in it. */
export function introduction({ err, calledAs }: Shell, { set, scenes, index }: Place): string {
  const scene = scenes.find(({ from, rows }) => index >= from && index < from + rows.length);
  const id = runIdOf(set, index);
  const name = err.paint('strong', set.plan.rows[index]?.name ?? '');
  const row = `\n${name}\nRun ${id}; \`${calledAs} runs watch ${id}\` follows it from elsewhere.\n`;
  if (scene?.from !== index) return row;
  const { title, real } = scene.act;
  const script =
    'The model is a SCRIPT: its replies were written ahead, no model is asked and nothing is paid.';
  return `\n${err.paint('strong', title)}\n${script}\n${real}\n${row}`;
}

/** Nobody should take a language that is missing for one that Polya does not know. */
export function leftOutText(calledAs: string, leftOut: readonly string[]): string {
  if (leftOut.length === 0) return '';
  return `Left out, as this machine cannot run it: ${leftOut.join(', ')}. \`${calledAs} setup\` installs what is missing.\n`;
}
