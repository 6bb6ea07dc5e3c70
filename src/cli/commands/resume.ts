/** `polya resume`: goes on with a run, a run-set or what an app calls by that name, by the command that does it. */
import { UserError } from '../../core/errors.ts';
import type { SetRow } from '../../core/store.ts';
import type { Journals } from '../../open/options.ts';
import { setOf } from '../../studies/run-set/plan.ts';
import type { Shell, StandIn } from '../contract.ts';
import { anyRuns, findRun, matching, withPolya } from '../journals.ts';

export const resume: StandIn = {
  define(command) {
    command
      .argument(
        '[name]',
        'a run, a run-set or a session: its id or name, the beginning or end of it, or `last`',
        'last',
      )
      .argument('[options...]', 'those of the command that goes on with it, such as --model or --budget')
      .allowUnknownOption()
      .addHelpText('after', '\nExamples:\n  polya resume\n  polya resume 20261121-1 --budget 5');
  },
  async words(shell, command) {
    const [named, ...rest] = command.args;
    const isName = named !== undefined && !named.startsWith('-');
    const words = await wordsFor(shell, isName ? named : 'last');
    return [...words, ...(isName || named === undefined ? rest : command.args)];
  },
};

async function wordsFor(shell: Shell, name: string): Promise<readonly string[]> {
  const inStore = anyRuns(shell)
    ? await withPolya(shell, (polya) => inJournals(polya, name), { create: false })
    : null;
  if (inStore) return inStore;
  for (const { hooks } of shell.apps) {
    const words = await (await hooks?.())?.namedResumedBy?.(shell, name);
    if (words) return words;
  }
  throw new UserError({
    code: 'nothing-to-resume',
    what: `There is no run, run-set or session ${name} here.`,
    fix: '`polya runs list` and `polya run-set list` show those of this folder.',
  });
}

/** Null where nothing has this name. The newest row of a set whose rest is missing, and a row that shares a budget, stand for the set. */
async function inJournals(polya: Journals, name: string): Promise<readonly string[] | null> {
  const { store } = polya.world;
  const setRows = await store.listSets();
  const [set, ...more] = name === 'last' ? [] : matching(setRows, name);
  if (set && more.length === 0) return ['run-set', 'resume', set.id];
  const row = await findRun(store, name).catch(nullIfUnknown);
  if (!row) return null;
  const isOpen = ({ ending }: SetRow) => ending === null || ending.reason === 'budget';
  const surroundings = setRows.find((each) => isOpen(each) && row.id.startsWith(`${each.id}-`));
  const isShared = surroundings && Object.keys(setOf(surroundings).plan.budget).length > 0;
  if (surroundings && (name === 'last' || isShared)) return ['run-set', 'resume', surroundings.id];
  return ['runs', 'resume', row.id];
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof UserError && error.explanation.code === 'no-such-run') return null;
  throw error;
}
