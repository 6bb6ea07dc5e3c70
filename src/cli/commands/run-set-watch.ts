/** `polya run-set watch`: follows a run-set of another process by reading its journals. It never writes, and ends with the set. */
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import type { SetResult } from '../../open/set-json.ts';
import { type RunSet, runIdOf, setOf } from '../../studies/run-set/plan.ts';
import { isDone, type RowResult, readRow } from '../../studies/run-set/rows.ts';
import { harmlessJson } from '../../text/format.ts';
import { text } from '../../text/json.ts';
import { type CommandFile, hooksForSet, type Shell } from '../contract.ts';
import { exitCodeOfSet, tellSet } from '../drive-set.ts';
import { Repainter } from '../repainter.ts';
import { progressJson, progressLine, progressText } from '../set-progress.ts';
import { rowLine } from '../set-report.ts';
import { setArgument, withSet } from '../sets.ts';

const lookEveryMs = 500;

export const runSetWatch: CommandFile = {
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

/** Told of each look; `ended` are the rows that have ended since the one before. */
type Show = (result: SetResult, ended: readonly RowResult[]) => void;

function jsonShow({ out }: Shell): Show {
  let last = '';
  return (result) => {
    const line = harmlessJson(progressJson(result));
    if (line !== last) out.write(`${line}\n`);
    last = line;
  };
}

/** On a terminal a picture in its place, else a line for each row that ends and for how far all is then. */
function textShow({ out }: Shell): Show {
  if (!out.isTerminal) {
    return (result, ended) => {
      if (ended.length === 0) return;
      for (const row of ended) out.write(`${rowLine(row)}\n`);
      out.write(`${progressLine(result)}\n`);
    };
  }
  const screen = new Repainter(out);
  return (result) => screen.show(progressText(out, result));
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
  const leaving = new AbortController();
  const release = shell.onInterrupt(() => leaving.abort());
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
      show(result, ended);
      if (reason !== null || !row?.owner) return { result, isLeft: false };
      if (leaving.signal.aborted || shell.out.isClosed) return { result, isLeft: true };
      await sleep(lookEveryMs, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
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
