/** `polya runs list`: what is in the store of this folder, without opening a journal. */
import type { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { unsafeLabel } from '../../core/sandbox.ts';
import type { RunRow } from '../../core/store.ts';
import { asCalled, count, duration, harmlessJson, moment } from '../../text/format.ts';
import { field, list, text } from '../../text/json.ts';
import { labelOf } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { anyRuns, withPolya } from '../journals.ts';
import { wholeNumber } from '../options.ts';
import { stateOf } from '../run-report.ts';

type Options = { readonly limit: number; readonly json?: boolean };

export const runsList: CommandFile = {
  define(command: Command) {
    command.option('--limit <number>', 'how many', wholeNumber(1), 20).option('--json', 'print them as JSON');
  },
  async run(shell, command) {
    const { limit, json } = command.opts<Options>();
    const rows = anyRuns(shell)
      ? await withPolya(shell, ({ world }) => world.store.list({ limit: limit + 1 }), { create: false })
      : [];
    const shown = rows.slice(0, limit);
    if (json)
      shell.out.write(`${harmlessJson({ runs: shown.map(rowJson), more: rows.length > limit }, 2)}\n`);
    else tellRows(shell, shown, rows.length > limit);
    return exitCodes.ok;
  },
};

function tellRows(shell: Shell, rows: readonly RunRow[], hasMore: boolean): void {
  if (rows.length === 0) {
    shell.out.write(asCalled('No runs yet. Start with `polya demo`.\n', shell));
    return;
  }
  const head = ['run', 'begun', 'problem', 'agent', 'model', 'outcome', 'time'];
  shell.out.write(table(shell.out, head, rows.map(cells)));
  if (hasMore) shell.err.write(`There are more than ${count(rows.length, 'run')}: --limit shows more.\n`);
}

function cells({ id, createdAtMs, summary, ...row }: RunRow): string[] {
  const kinds = list(summary, 'modelKinds').filter((kind) => labelOf(String(kind)) !== null);
  const label = kinds.length ? ` (${kinds.join(', ')})` : '';
  const aliveMs = field(summary, 'aliveMs');
  return [
    id,
    moment(createdAtMs),
    text(summary, 'problem'),
    text(summary, 'agent'),
    `${list(summary, 'models').join(', ')}${label}`,
    `${outcomeOf(row, text(summary, 'outcome'))}${unsafeLabel(sandboxOf(summary)) ? ' (no sandbox)' : ''}`,
    typeof aliveMs === 'number' ? duration(aliveMs) : '',
  ];
}

function sandboxOf(summary: JsonObject): { readonly isolation: 'none' } | null {
  return text(summary, 'isolation') === 'none' ? { isolation: 'none' } : null;
}

/** The outcome of an earlier life says nothing of a run that was resumed. */
function outcomeOf(row: Pick<RunRow, 'ended' | 'owner'>, outcome: string): string {
  const state = stateOf(row);
  if (state === 'ended') return outcome;
  return row.owner ? `${state} (${row.owner.pid})` : state;
}

function rowJson(row: RunRow) {
  const { id, createdAtMs, summary, parent, lastSeq, lastAtMs, owner } = row;
  const state = stateOf(row);
  const unsafe = unsafeLabel(sandboxOf(summary));
  const labels = list(summary, 'modelKinds').flatMap((kind) => labelOf(String(kind)) ?? []);
  return {
    id,
    state,
    pid: owner?.pid ?? null,
    outcome: state === 'ended' ? text(summary, 'outcome') : null,
    problem: text(summary, 'problem'),
    title: text(summary, 'title'),
    agent: text(summary, 'agent'),
    models: list(summary, 'models'),
    modelKinds: list(summary, 'modelKinds'),
    labels: unsafe === null ? labels : [...labels, unsafe],
    createdAtMs,
    lastAtMs,
    aliveMs: field(summary, 'aliveMs') ?? null,
    events: lastSeq,
    forkOf: parent,
  };
}
