/** `polya run-set list`, `show` and `watch`: the sets of this folder, what became of the rows of one, and one at work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { type SetResult, setRowJson } from '../../open/set-json.ts';
import { type RunSet, runIdOf, setOf } from '../../studies/run-set/plan.ts';
import { isDone, type RowResult, readRow, readRows } from '../../studies/run-set/rows.ts';
import { asCalled, escapedJson, formatTimestamp } from '../../text/format.ts';
import { text } from '../../text/json.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, hooksForSet, print, type Shell } from '../contract.ts';
import { exitCodeOfSet, tellSet } from '../drive-set.ts';
import { anyRuns, withPolya } from '../journals.ts';
import { parseInteger } from '../options.ts';
import { Screen } from '../screen.ts';
import { progressJson, progressLine, rowLine } from '../set-report.ts';
import { type SetOptions, setArgument, withSet } from '../sets.ts';

export const runSetList: CommandFile = {
  isReport: true,
  define(command) {
    command
      .option('--limit <number>', 'how many', parseInteger(1), 20)
      .option('--json', 'print them as JSON');
  },
  async run(shell, command) {
    const { limit, json } = command.opts<{ readonly limit: number; readonly json?: boolean }>();
    const rows = anyRuns(shell)
      ? await withPolya(shell, ({ world }) => world.store.listSets({ limit }), { create: false })
      : [];
    const sets = rows.map(setRowJson);
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
}: ReturnType<typeof setRowJson>): (string | number)[] {
  return [id, formatTimestamp(createdAtMs), name, rows, pid === null ? state : `${state} (${pid})`];
}

const lookEveryMs = 500;

export const runSetWatch: CommandFile = {
  printsLines: true,
  define: (command) =>
    void setArgument(command).option(
      '--json',
      'print how far it is as lines of JSON, when something changed',
    ),
  run: (shell, command) =>
    withSet(shell, command.processedArgs[0], async (polya, row) => {
      const { json } = command.opts<{ readonly json?: boolean }>();
      const set = setOf(row);
      const { result, isLeft } = await follow(shell, polya, set, json ? jsonShow(shell) : textShow(shell));
      if (isLeft) return shell.out.isClosed ? exitCodes.ok : exitCodes.cancelled;
      if (!json) await tell(shell, polya, result);
      if (result.reason === null)
        shell.err.write(
          `No process is at work on it. Go on with it: ${shell.calledAs} run-set resume ${set.id}\n`,
        );
      return result.reason === null ? exitCodes.unsolved : exitCodeOfSet(result);
    }),
};

type Show = {
  /** `ended`: the rows that have ended since the look before. */
  look(result: SetResult, ended: readonly RowResult[]): void;
  close(): void;
};

function jsonShow({ out }: Shell): Show {
  let last = '';
  return {
    look(result) {
      const line = escapedJson(progressJson(result));
      if (line !== last) out.write(`${line}\n`);
      last = line;
    },
    close: () => undefined,
  };
}

/** A line for each row that ends; how far all is stays below them on a terminal, and is another line elsewhere. */
function textShow({ out }: Shell): Show {
  let progress = '';
  const screen = new Screen(out, () => progress);
  return {
    look(result, ended) {
      // The rows that ended before are in the table at the end.
      const isLater = progress !== '' || !out.isTerminal;
      progress = progressLine(result);
      for (const row of isLater ? ended : []) screen.line(rowLine(row));
      if (ended.length > 0 && !out.isTerminal) screen.line(progress);
    },
    close: () => screen.close(),
  };
}

async function tell(shell: Shell, polya: Journals, result: SetResult): Promise<void> {
  shell.out.write('\n');
  const hooks = await hooksForSet(shell, result.set.plan);
  const [own] = hooks.flatMap(({ tellsSet }) => tellsSet?.(result.set.plan) ?? []);
  if (own) await own(shell, polya, result.set);
  else tellSet(shell, result, {});
}

/** `isLeft`: its user has stopped watching. */
type Seen = { readonly result: SetResult; readonly isLeft: boolean };

async function follow(shell: Shell, { world: { store } }: Journals, set: RunSet, show: Show): Promise<Seen> {
  const departure = new AbortController();
  const release = shell.onInterrupt(() => departure.abort());
  const known = new Map<number, Known>();
  try {
    for (;;) {
      // Before the rows: then all of a set that has ended is there.
      const row = await store.getSet(set.id);
      const ended: RowResult[] = [];
      const rows: RowResult[] = [];
      for (const index of set.plan.rows.keys()) {
        const before = known.get(index);
        const now = await look(store, set, index, before);
        known.set(index, now);
        rows.push(now.result);
        if (isDone(now.result) && !(before && isDone(before.result))) ended.push(now.result);
      }
      const reason = text(row?.ending ?? undefined, 'reason') || null;
      const result = { set, reason, pid: row?.owner?.pid ?? null, rows };
      show.look(result, ended);
      if (reason !== null || !row?.owner) return { result, isLeft: false };
      if (departure.signal.aborted || shell.out.isClosed) return { result, isLeft: true };
      await sleep(lookEveryMs, undefined, { signal: departure.signal }).catch(() => undefined);
    }
  } finally {
    show.close();
    release();
  }
}

type Known = { readonly result: RowResult; readonly mark: string };

/** A journal that has not grown is not read again. */
async function look(
  store: Journals['world']['store'],
  set: RunSet,
  index: number,
  before: Known | undefined,
): Promise<Known> {
  const row = await store.get(runIdOf(set, index));
  const mark = row ? `${row.lastSeq} ${row.ended} ${row.owner?.pid}` : '';
  if (before?.mark === mark) return before;
  return { result: await readRow(store, set, index), mark };
}
