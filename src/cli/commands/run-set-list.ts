/** `polya run-set list` and `show`: the sets of this folder, and what became of the rows of one, at work or ended. */
import { exitCodes } from '../../core/errors.ts';
import { listedSet } from '../../open/set-json.ts';
import { setOf } from '../../studies/run-set/plan.ts';
import { readRows } from '../../studies/run-set/rows.ts';
import { asCalled, moment } from '../../text/format.ts';
import { text } from '../../text/json.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, print } from '../contract.ts';
import { tellSet } from '../drive-set.ts';
import { anyRuns, withPolya } from '../journals.ts';
import { wholeNumber } from '../options.ts';
import { type SetOptions, setArgument, withSet } from '../sets.ts';

export const runSetList: CommandFile = {
  isReport: true,
  define(command) {
    command.option('--limit <number>', 'how many', wholeNumber(1), 20).option('--json', 'print them as JSON');
  },
  async run(shell, command) {
    const { limit, json } = command.opts<{ readonly limit: number; readonly json?: boolean }>();
    const rows = anyRuns(shell)
      ? await withPolya(shell, ({ world }) => world.store.listSets({ limit }), { create: false })
      : [];
    const sets = rows.map(listedSet);
    const head = ['run-set', 'begun', 'name', 'rows', 'state'];
    const none = asCalled('No run-sets yet. Start one with `polya run-set run FILE.yaml`.\n', shell);
    const text = sets.length > 0 ? table(shell.out, head, sets.map(cells)) : none;
    print(shell.out, json ? { sets } : text);
    return exitCodes.ok;
  },
};

export const runSetShow: CommandFile = {
  isReport: true,
  define(command) {
    setArgument(command)
      .option('--json', 'print it as JSON')
      .option('--csv', 'print it as CSV, a line a row');
  },
  run: (shell, command) =>
    withSet(shell, command.processedArgs[0], async ({ world }, row) => {
      const set = setOf(row);
      const reason = text(row.ending ?? undefined, 'reason') || null;
      const rows = await readRows(world.store, set);
      tellSet(shell, { set, reason, pid: row.owner?.pid ?? null, rows }, command.opts<SetOptions>());
      return exitCodes.ok;
    }),
};

function cells({
  id,
  createdAtMs,
  name,
  rows,
  state,
  pid,
}: ReturnType<typeof listedSet>): (string | number)[] {
  return [id, moment(createdAtMs), name, rows, pid === null ? state : `${state} (${pid})`];
}
