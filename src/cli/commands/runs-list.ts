/** `polya runs list`: what is in the store of this folder, and what each of those shown has cost. */
import { Option } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { unsafeLabel } from '../../core/sandbox.ts';
import type { Sum } from '../../core/spending.ts';
import type { RunRow, Store } from '../../core/store.ts';
import { totalTokens } from '../../core/usage.ts';
import { answerLine } from '../../notes/answer.ts';
import { formatSpent, stateOf } from '../../open/run-json.ts';
import { followJournal } from '../../run/load.ts';
import { readableRuns, totalSpent } from '../../run/spending.ts';
import { asCalled, count, duration, formatTimestamp, oneLine } from '../../text/format.ts';
import { field, list, text } from '../../text/json.ts';
import { labelOf } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import { fitToWidth } from '../../text/wrap.ts';
import { type CommandFile, print, type Shell } from '../contract.ts';
import { parseInteger, parseList, type Since, since } from '../option-values.ts';
import { withStore } from '../store-only.ts';

const sorts = ['begun', 'cost', 'tokens', 'time'] as const;

type Filters = {
  readonly outcome?: readonly string[];
  readonly model?: string;
  readonly agent?: string;
  readonly family?: string;
  readonly set?: string;
  readonly since?: Since;
};
type Options = Filters & {
  readonly limit: number;
  readonly sort: (typeof sorts)[number];
  readonly json?: boolean;
};

export const runsList: CommandFile = {
  isReport: true,
  define(command) {
    command
      .option('--outcome <words>', 'only these: solved, wrong, limit, running, …; commas between', parseList)
      .option('--model <text>', 'only those with this in the name of a model')
      .option('--agent <name>', 'only those of this agent')
      .option('--family <name>', 'only those of this family')
      .option('--set <run-set>', 'only the rows of this run-set')
      .option('--since <when>', 'only those begun since 2026-11-01, or in the last 12h, 7d', since)
      .addOption(
        new Option('--sort <what>', 'the newest or the largest first').choices(sorts).default('begun'),
      )
      .option('--limit <number>', 'how many', parseInteger(1), 20)
      .option('--json', 'print them as JSON')
      .addHelpText('after', '\nExample: polya runs list --outcome wrong,error --since 2d --sort cost');
  },
  async run(shell, command) {
    const { out, err } = shell;
    const { limit, json, ...options } = command.opts<Options>();
    const found = await withStore(shell, (store) => runsIn(shell, store, { limit, ...options }));
    const { shown, more } = found ?? { shown: [], more: false };
    const { sort: _, ...filters } = options;
    const isNarrowed = Object.values(filters).some((filter) => filter !== undefined);
    const none = isNarrowed ? 'No run here is like that.' : 'No runs yet. Start with `polya demo`.';
    const head = ['run', 'begun', 'title', 'agent', 'model', 'outcome', 'answer', 'time', 'cost'];
    // Where all are of one host, its name says nothing.
    const hosts = shown.map(({ row }) => row.host ?? '');
    const isMixed = new Set(hosts).size > 1;
    const rows = shown.map((each, at) => [...cells(each), ...(isMixed ? [hosts[at] ?? ''] : [])]);
    const text =
      shown.length > 0 ? table(out, isMixed ? [...head, 'host'] : head, rows) : `${asCalled(none, shell)}\n`;
    print(out, json ? { runs: shown.map(rowJson), more } : text);
    if (more && !json) err.write(`There are more than ${count(limit, 'run')}: --limit shows more.\n`);
    return exitCodes.ok;
  },
};

type Listed = {
  readonly row: RunRow;
  readonly set: string | null;
  readonly spent: Sum;
  readonly answer: string | null;
};

/** Journals are opened only of runs that are shown, unless they are to be sorted by what stands in there. */
async function runsIn(shell: Shell, store: Store, { limit, sort, ...filters }: Options) {
  const rows = await readableRuns(store, ({ message }) => shell.unread?.add(message));
  const sets = new Set((await store.listSets()).map(({ id }) => id));
  const only = filters.set === undefined ? undefined : await setNamed(store, filters.set);
  const sinceMs = filters.since?.(Date.now()) ?? 0;
  const placed = rows.map((row) => ({ row, set: setOf(row, sets) }));
  const matching = placed.filter(
    ({ row, set }) => row.createdAtMs >= sinceMs && (!only || set === only) && fits(row, filters),
  );
  const isSpending = sort === 'cost' || sort === 'tokens';
  const first = sort === 'begun' ? matching : matching.toSorted((a, b) => aliveMs(b.row) - aliveMs(a.row));
  const opened = isSpending ? matching : first.slice(0, limit);
  const priced: ((typeof first)[number] & Pick<Listed, 'spent'>)[] = [];
  for (const each of opened) priced.push({ ...each, spent: await totalSpent(store, each.row) });
  const sorted = isSpending ? priced.toSorted(bySpending(sort)).slice(0, limit) : priced;
  const visible: Listed[] = [];
  for (const each of sorted) visible.push({ ...each, answer: await answerOf(store, each.row) });
  return { shown: visible, more: matching.length > limit };
}

/** Of an ended run, by its last event. */
async function answerOf(store: Store, { id, ended, lastSeq }: RunRow): Promise<string | null> {
  if (!ended) return null;
  const { events } = await followJournal(store, id, lastSeq - 1)(1);
  const [end] = events;
  return end?.kind === 'run-end' ? answerLine(end.body, Infinity) : null;
}

async function setNamed(store: Store, name: string): Promise<string> {
  // Loaded here because most lists are not those of a run-set.
  const { findSet } = await import('../sets.ts');
  return (await findSet(store, name)).id;
}

function setOf({ id }: RunRow, sets: ReadonlySet<string>): string | null {
  const [, set = ''] = /^(.+)-\d+$/.exec(id) ?? [];
  return sets.has(set) ? set : null;
}

function fits(row: RunRow, { outcome, model, agent, family }: Filters): boolean {
  const { summary } = row;
  const state = stateOf(row);
  const words = [state, state === 'ended' ? text(summary, 'outcome') : ''];
  return (
    (!outcome || outcome.some((word) => words.includes(word))) &&
    (!model || list(summary, 'models').some((name) => String(name).includes(model))) &&
    (!agent || text(summary, 'agent') === agent) &&
    (!family || text(summary, 'family') === family)
  );
}

function aliveMs({ summary }: RunRow): number {
  return Number(field(summary, 'aliveMs') ?? 0);
}

function bySpending(sort: 'cost' | 'tokens') {
  const of = ({ spent }: Pick<Listed, 'spent'>) =>
    sort === 'cost' ? spent.costUsd : totalTokens(spent.tokens);
  return (a: Pick<Listed, 'spent'>, b: Pick<Listed, 'spent'>) => of(b) - of(a);
}

const unsafe = unsafeLabel({ isolation: 'none' });

function rowJson({ row, set, spent, answer }: Listed) {
  const { id, createdAtMs, summary, parent, lastSeq, lastAtMs, owner, host } = row;
  const state = stateOf(row);
  const isUnsafe = text(summary, 'isolation') === 'none';
  const modelKinds = list(summary, 'modelKinds');
  const labels = modelKinds.map((kind) => labelOf(String(kind)));
  return {
    id,
    state,
    pid: owner?.pid ?? null,
    host: host ?? null,
    /** That of an earlier life says nothing of a run that was resumed. */
    outcome: state === 'ended' ? text(summary, 'outcome') : null,
    /** In one line; null where it has none. */
    answer,
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
    set,
    knownTokens: spent.tokens,
    /** Null where any of it is unknown. */
    costUsd: spent.callsOfUnknownCost > 0 ? null : spent.costUsd,
    knownCostUsd: spent.costUsd,
    possiblyBilled: spent.possiblyBilled,
  };
}

const titleColumns = 32;
const answerColumns = 24;

function cells(entry: Listed): string[] {
  const { id, createdAtMs, state, pid, outcome, ...row } = rowJson(entry);
  const kinds = row.modelKinds.filter((kind) => labelOf(String(kind)) !== null);
  const result = outcome ?? (pid === null ? state : `${state} (${pid})`);
  return [
    id,
    formatTimestamp(createdAtMs),
    fitToWidth(oneLine(row.title || row.problem), titleColumns),
    row.agent,
    `${row.models.join(', ')}${kinds.length ? ` (${kinds.join(', ')})` : ''}`,
    `${result}${row.labels.some((label) => label === unsafe) ? ' (no sandbox)' : ''}`,
    fitToWidth(row.answer ?? '', answerColumns),
    typeof row.aliveMs === 'number' ? duration(row.aliveMs) : '',
    entry.spent.calls > 0 ? formatSpent(entry.spent) : '',
  ];
}
