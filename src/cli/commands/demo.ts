/** `polya demo`: one run-set of real agents on scripts, shown step by step without a key; `src/cli/demo` has its acts. */
import { exitCodes } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { beginSet, prepareRows, type SetObserver } from '../../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../../studies/run-set/plan.ts';
import { oneLine } from '../../text/format.ts';
import {
  type Act,
  type CommandFile,
  type DemoLast,
  type DemoOptions,
  type Output,
  print,
  type Shell,
} from '../contract.ts';
import {
  actsOf,
  demoJson,
  demoNames,
  demoText,
  introduction,
  leftOutText,
  type Scene,
  type Shown,
  scenesOf,
  setOfScenes,
} from '../demo/scenes.ts';
import { readRun } from '../drive.ts';
import { exitCodeOfSet, goOnWithSet, liveSet, type SetScreen } from '../drive-set.ts';
import { withPolya } from '../journals.ts';
import { LiveView } from '../live-view.ts';
import { type BackendOption, backendIn, backendOption, viewOption } from '../options.ts';

export const demo: CommandFile = {
  define(command, shell) {
    const { inSet, apart } = demoNames(shell);
    const description = `what is to be shown: ${[...inSet, ...apart].join(', ')}`;
    command.argument('[act]', description, 'all').option('--json', 'print the result as JSON');
    viewOption(backendOption(command));
  },
  async run(shell, command) {
    const { json, ...options } = command.opts<
      BackendOption & { readonly json?: boolean; readonly view?: boolean }
    >();
    const name: string = command.processedArgs[0];
    const asked = { isJson: Boolean(json), ...options };
    const app = shell.apps.find(({ demoApart }) => demoApart?.names.includes(name));
    const scenes = await app?.demoApart?.load();
    if (scenes) return scenes.play(shell, name, asked);
    const selected = await actsOf(shell, name);
    const start = Object.assign({}, ...selected.map(({ world }) => world), backendIn(options));
    return withPolya(shell, (polya) => show(shell, polya, { name, chosen: selected, ...asked }), start);
  },
};

async function show(
  shell: Shell,
  polya: Journals,
  { name, chosen, ...options }: DemoOptions & { readonly name: string; readonly chosen: readonly Act[] },
): Promise<number> {
  const { world } = polya;
  const scenes = await scenesOf(chosen, polya);
  for (const { leftOut } of scenes) shell.err.write(leftOutText(shell.calledAs, leftOut));
  const set = setOfScenes(polya, name, scenes);
  const prepared = await prepareRows(world, set);
  const result = await liveSet(shell, polya, {
    set,
    start: (observer) => beginSet(world, set, { prepared, observer }),
    screen: new Steps(shell, (index) => introduction(shell, set, scenes, index)),
  });
  const visible: Shown[] = [];
  for (const scene of scenes) visible.push({ ...scene, runs: await runsOf(shell, polya, set, scene) });
  const code = exitCodeOfSet(result);
  const last = name === 'all' && code === exitCodes.ok ? await playLast(shell, polya, options) : null;
  print(
    shell.out,
    options.isJson ? demoJson(name, set.id, visible, last) : demoText(shell, set.id, visible, last?.next),
  );
  goOnWithSet(shell, result);
  return last?.code ?? code;
}

/** The runs of the rows that have begun. */
async function runsOf(shell: Shell, polya: Journals, set: RunSet, { from, rows }: Scene) {
  const ids = rows.map((_row, offset) => runIdOf(set, from + offset));
  const startedRuns = await Promise.all(ids.map((id) => polya.world.store.get(id)));
  return Promise.all(startedRuns.flatMap((row) => (row ? readRun(shell, polya, row.id) : [])));
}

/** Scenes that are no row of the set are played after it. */
async function playLast(shell: Shell, polya: Journals, options: DemoOptions): Promise<DemoLast | null> {
  for (const { demoApart } of shell.apps) {
    const last = await (await demoApart?.load())?.playLast(shell, polya, options);
    if (last) return last;
  }
  return null;
}

/** Shows the rows of a set, which run one after the other, each with every step, as a run alone is shown. */
class Steps implements SetScreen {
  readonly #output: Output;
  readonly #isWhole: boolean;
  readonly #introduce: (index: number) => string;
  #view: LiveView | null = null;

  constructor({ err, detail }: Pick<Shell, 'err' | 'detail'>, introduce: (index: number) => string) {
    this.#output = err;
    this.#isWhole = detail === 'all';
    this.#introduce = introduce;
  }

  readonly observer: SetObserver = {
    observerOf: (index) => {
      this.close();
      this.#output.write(this.#introduce(index));
      this.#view = new LiveView(this.#output, this.#isWhole);
      // Its journal is shown from the first event on.
      this.#view.begin([]);
      return this.#view.observer;
    },
    onEnd: () => this.close(),
    onFailure: (_index, error) => {
      this.notice(oneLine(error.message));
      this.close();
    },
  };

  notice(text: string): void {
    if (this.#view) this.#view.notice(text);
    else this.#output.write(`${text}\n`);
  }

  close(): void {
    this.#view?.close();
    this.#view = null;
  }
}
