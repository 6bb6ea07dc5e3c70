/**
 * `polya demo`: what Polya is for, in a minute and without a key: real journals of real agents, and scripts in the place
 * of models, which it says plainly. One run-set, whose rows are shown step by step; `src/cli/demo` holds its acts.
 */
import { exitCodes } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { beginSet } from '../../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../../studies/run-set/plan.ts';
import { prepareRows } from '../../studies/run-set/prepare.ts';
import type { CommandFile, DemoLast, DemoOptions, Shell } from '../contract.ts';
import type { Act } from '../demo/act.ts';
import { demoJson, demoText, type Shown } from '../demo/report.ts';
import {
  actsOf,
  apartNames,
  demoNames,
  introduction,
  leftOutText,
  type Scene,
  scenesOf,
  setOfScenes,
} from '../demo/scenes.ts';
import { Steps } from '../demo/steps.ts';
import { readRun } from '../drive.ts';
import { exitCodeOfSet, goOnWithSet, liveSet } from '../drive-set.ts';
import { withPolya } from '../journals.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';

type Options = BackendOption & { readonly json?: boolean };

export const demo: CommandFile = {
  define(command, shell) {
    const names = `${demoNames(shell).join(', ')}; or ${apartNames(shell).join(', ')}`;
    command
      .argument('[act]', `what is to be shown: ${names}`, 'all')
      .option('--json', 'print the result as JSON');
    backendOption(command);
  },
  async run(shell, command) {
    const { json, ...options } = command.opts<Options>();
    const name: string = command.processedArgs[0];
    const apart = shell.apps.find(({ demoApart }) => demoApart?.names.includes(name));
    const scenes = await apart?.demoApart?.load();
    if (scenes) return scenes.play(shell, name, { isJson: Boolean(json), ...options });
    const chosen = await actsOf(shell, name);
    const opening = Object.assign({}, ...chosen.map(({ world }) => world), backendIn(options));
    const asked = { name, chosen, isJson: Boolean(json), ...options };
    return withPolya(shell, (polya) => show(shell, polya, asked), opening);
  },
};

type Asked = BackendOption & {
  readonly name: string;
  readonly chosen: readonly Act[];
  readonly isJson: boolean;
};

async function show(
  shell: Shell,
  polya: Journals,
  { name, chosen, isJson, backend }: Asked,
): Promise<number> {
  const scenes = await scenesOf(chosen, polya);
  for (const { leftOut } of scenes) shell.err.write(leftOutText(shell.calledAs, leftOut));
  const set = setOfScenes(polya, name, scenes);
  const prepared = await prepareRows(polya.world, set);
  const result = await liveSet(shell, polya, {
    set,
    start: (observer) => beginSet(polya.world, set, { prepared, observer }),
    screen: new Steps(shell.err, (index) => introduction(shell, { set, scenes, index })),
  });
  const shown = await Promise.all(
    scenes.map(async (scene): Promise<Shown> => ({ ...scene, runs: await runsOf(shell, polya, set, scene) })),
  );
  const code = exitCodeOfSet(result);
  const last =
    name === 'all' && code === exitCodes.ok ? await playLast(shell, polya, { isJson, backend }) : null;
  const text = isJson
    ? demoJson(name, set.id, shown, last?.told ?? null)
    : demoText(shell, set.id, shown, last?.next);
  shell.out.write(text);
  goOnWithSet(shell, result);
  return last?.code ?? code;
}

/** What is no row of the set is played after it. */
async function playLast(shell: Shell, polya: Journals, options: DemoOptions): Promise<DemoLast | null> {
  for (const { demoApart } of shell.apps) {
    const last = await (await demoApart?.load())?.playLast(shell, polya, options);
    if (last) return last;
  }
  return null;
}

/** Those that were begun. */
async function runsOf(
  shell: Shell,
  polya: Journals,
  set: RunSet,
  { from, rows }: Scene,
): Promise<Shown['runs']> {
  const ids = rows.map((_row, offset) => runIdOf(set, from + offset));
  const begun = await Promise.all(ids.map((id) => polya.world.store.get(id)));
  return Promise.all(begun.flatMap((row) => (row ? readRun(shell, polya, row.id) : [])));
}
