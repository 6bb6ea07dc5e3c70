/** `polya run-set list`: what is in the store of this folder, without opening a journal. */
import type { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import type { SetRow } from '../../core/store.ts';
import { setOf } from '../../studies/run-set/plan.ts';
import { asCalled, harmlessJson, moment } from '../../text/format.ts';
import { text } from '../../text/json.ts';
import { table } from '../../text/table.ts';
import type { CommandFile } from '../contract.ts';
import { anyRuns, withPolya } from '../journals.ts';
import { wholeNumber } from '../options.ts';

type Options = { readonly limit: number; readonly json?: boolean };

export const runSetList: CommandFile = {
  define(command: Command) {
    command.option('--limit <number>', 'how many', wholeNumber(1), 20).option('--json', 'print them as JSON');
  },
  async run(shell, command) {
    const { limit, json } = command.opts<Options>();
    const sets = anyRuns(shell)
      ? await withPolya(shell, ({ world }) => world.store.listSets({ limit }), { create: false })
      : [];
    if (json) shell.out.write(`${harmlessJson({ sets: sets.map(listed) }, 2)}\n`);
    else if (sets.length === 0)
      shell.out.write(asCalled('No run-sets yet. Start one with `polya run-set run FILE.yaml`.\n', shell));
    else shell.out.write(table(shell.out, ['run-set', 'begun', 'name', 'rows', 'state'], sets.map(cells)));
    return exitCodes.ok;
  },
};

function listed(row: SetRow) {
  const { plan } = setOf(row);
  const { id, createdAtMs, owner } = row;
  return {
    id,
    createdAtMs,
    name: plan.name,
    rows: plan.rows.length,
    state: stateOf(row),
    pid: owner?.pid ?? null,
  };
}

function stateOf({ ending, owner }: SetRow): string {
  if (owner) return 'running';
  return ending ? text(ending, 'reason') : 'interrupted';
}

function cells(row: SetRow): (string | number)[] {
  const { id, createdAtMs, name, rows, state, pid } = listed(row);
  return [id, moment(createdAtMs), name, rows, pid === null ? state : `${state} (${pid})`];
}
