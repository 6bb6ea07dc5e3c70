/**
 * `polya demo`: what Polya is for, in a minute and without a key: real journals of real agents, and scripts in the place
 * of models, which it says plainly. One run-set, whose rows are shown step by step; `src/cli/demo` holds its acts.
 */
import type { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { beginSet, type Polya, prepareRows, type RunSet, runIdOf } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import type { Act } from '../demo/act.ts';
import type { PlayedContest } from '../demo/ahc.ts';
import { demoJson, demoText, type Shown } from '../demo/report.ts';
import {
  actsOf,
  contestNames,
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
import type { Shell } from '../shell.ts';

type Options = BackendOption & { readonly json?: boolean };

export const demo: CommandFile = {
  define(command: Command) {
    command
      .argument('[act]', `what is to be shown: ${demoNames.join(', ')}; or ${contestNames.join(', ')}`, 'all')
      .option('--json', 'print the result as JSON');
    backendOption(command);
  },
  async run(shell, command) {
    const { json, ...options } = command.opts<Options>();
    const name: string = command.processedArgs[0];
    if (contestNames.includes(name)) return contests(shell, name, { isJson: Boolean(json), ...options });
    const chosen = actsOf(name);
    const opening = Object.assign({}, ...chosen.map(({ world }) => world), backendIn(options));
    const asked = { name, chosen, isJson: Boolean(json), ...options };
    return withPolya(shell, (polya) => show(shell, polya, asked), opening);
  },
};

async function contests(
  shell: Shell,
  name: string,
  { isJson, backend }: BackendOption & { isJson: boolean },
): Promise<number> {
  // Loaded here because the other acts know no contest.
  const { showContest } = await import('../demo/ahc.ts');
  return showContest(withBackend(shell, backend), name, isJson);
}

function withBackend(shell: Shell, backend: string | undefined): Shell {
  if (backend === undefined) return shell;
  return { ...shell, env: { ...shell.env, AHC_AGENT_SANDBOX_BACKEND: backend } };
}

type Asked = BackendOption & {
  readonly name: string;
  readonly chosen: readonly Act[];
  readonly isJson: boolean;
};

async function show(shell: Shell, polya: Polya, { name, chosen, isJson, backend }: Asked): Promise<number> {
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
    scenes.map(async (scene): Promise<Shown> => ({ ...scene, runs: await runsOf(polya, set, scene) })),
  );
  const code = exitCodeOfSet(result);
  const contest =
    name === 'all' && code === exitCodes.ok ? await evolution(shell, polya, { isJson, backend }) : null;
  const text = isJson
    ? demoJson(name, set.id, shown, contest?.told ?? null)
    : demoText(shell, set.id, shown, contest?.next);
  shell.out.write(text);
  goOnWithSet(shell, result);
  return contest?.code ?? code;
}

/** Last of all: a session has a workspace of its own, and is no row of the set. Null where this machine cannot run it. */
async function evolution(
  shell: Shell,
  { world }: Polya,
  { isJson, backend }: { readonly isJson: boolean; readonly backend: string | undefined },
): Promise<PlayedContest | null> {
  const names = (await world.io.sandbox.info()).toolchains.map(({ name }) => name);
  if (!names.includes('rustc') || !names.some((each) => each.startsWith('g++'))) {
    shell.err.write(leftOutText(shell.calledAs, ['the evolution of a program (g++ and cargo)']));
    return null;
  }
  // Loaded here because the other acts know no contest.
  const { playContest } = await import('../demo/ahc.ts');
  return playContest(withBackend(shell, backend), 'evolution', isJson);
}

/** Those that were begun. */
async function runsOf(polya: Polya, set: RunSet, { from, rows }: Scene): Promise<Shown['runs']> {
  const ids = rows.map((_row, offset) => runIdOf(set, from + offset));
  const begun = await Promise.all(ids.map((id) => polya.world.store.get(id)));
  return Promise.all(begun.flatMap((row) => (row ? readRun(polya, row.id) : [])));
}
