/** `polya runs list`: what is in the store of this folder, without opening a journal. */
import { exitCodes } from '../../core/errors.ts';
import { unsafeLabel } from '../../core/sandbox.ts';
import type { RunRow } from '../../core/store.ts';
import { asCalled, count, duration, moment } from '../../text/format.ts';
import { field, list, text } from '../../text/json.ts';
import { labelOf } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, print } from '../contract.ts';
import { anyRuns, withPolya } from '../journals.ts';
import { wholeNumber } from '../options.ts';
import { stateOf } from '../run-report.ts';

type Options = { readonly limit: number; readonly json?: boolean };

export const runsList: CommandFile = {
  define(command) {
    command.option('--limit <number>', 'how many', wholeNumber(1), 20).option('--json', 'print them as JSON');
  },
  async run(shell, command) {
    const { out, err } = shell;
    const { limit, json } = command.opts<Options>();
    const rows = anyRuns(shell)
      ? await withPolya(shell, ({ world }) => world.store.list({ limit: limit + 1 }), { create: false })
      : [];
    const shown = rows.slice(0, limit).map(rowJson);
    const more = rows.length > limit;
    const head = ['run', 'begun', 'problem', 'agent', 'model', 'outcome', 'time'];
    const none = asCalled('No runs yet. Start with `polya demo`.\n', shell);
    const text = shown.length > 0 ? table(out, head, shown.map(cells)) : none;
    print(out, json ? { runs: shown, more } : text);
    if (more && !json) err.write(`There are more than ${count(limit, 'run')}: --limit shows more.\n`);
    return exitCodes.ok;
  },
};

const unsafe = unsafeLabel({ isolation: 'none' });

function rowJson(row: RunRow) {
  const { id, createdAtMs, summary, parent, lastSeq, lastAtMs, owner } = row;
  const state = stateOf(row);
  const isUnsafe = text(summary, 'isolation') === 'none';
  const modelKinds = list(summary, 'modelKinds');
  const labels = modelKinds.map((kind) => labelOf(String(kind)));
  return {
    id,
    state,
    pid: owner?.pid ?? null,
    /** That of an earlier life says nothing of a run that was resumed. */
    outcome: state === 'ended' ? text(summary, 'outcome') : null,
    problem: text(summary, 'problem'),
    title: text(summary, 'title'),
    agent: text(summary, 'agent'),
    models: list(summary, 'models'),
    modelKinds,
    labels: [...labels, isUnsafe ? unsafe : null].filter((label) => label !== null),
    createdAtMs,
    lastAtMs,
    aliveMs: field(summary, 'aliveMs') ?? null,
    events: lastSeq,
    forkOf: parent,
  };
}

function cells({ id, createdAtMs, state, pid, outcome, ...row }: ReturnType<typeof rowJson>): string[] {
  const kinds = row.modelKinds.filter((kind) => labelOf(String(kind)) !== null);
  const result = outcome ?? (pid === null ? state : `${state} (${pid})`);
  return [
    id,
    moment(createdAtMs),
    row.problem,
    row.agent,
    `${row.models.join(', ')}${kinds.length ? ` (${kinds.join(', ')})` : ''}`,
    `${result}${row.labels.some((label) => label === unsafe) ? ' (no sandbox)' : ''}`,
    typeof row.aliveMs === 'number' ? duration(row.aliveMs) : '',
  ];
}
