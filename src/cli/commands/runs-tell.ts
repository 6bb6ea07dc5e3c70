/** `polya runs tell`, `answer`, `limit`, `stop`: what a run in another process is given through its mailbox; and `runs delete`. */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, JournalError, UnavailableError, UserError } from '../../core/errors.ts';
import type { RunRow, Store } from '../../core/store.ts';
import { answerRun } from '../../open/answering.ts';
import { stateOf } from '../../open/run-json.ts';
import { changeLimits } from '../../run/changed-limits.ts';
import { count } from '../../text/format.ts';
import { limitsText } from '../../text/labels.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { readRun } from '../drive.ts';
import { findRuns, runArgument, withRun } from '../journals.ts';
import { changedLimitOptions, type LimitOptions, limitsOf } from '../options.ts';
import { printStore } from '../store-only.ts';

export const runsTell: CommandFile = {
  define: (command) => void runArgument(command).argument('<text>', 'what its agent should know'),
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async ({ world }, { id, ended, owner }) => {
      const text: string = command.processedArgs[1];
      if (ended) {
        throw new UserError({
          code: 'run-ended',
          what: `Run ${id} has ended: it reads nothing more.`,
          fix: `\`polya runs fork ${id} --at N --hint TEXT\` goes on from one of its events with a hint.`,
        });
      }
      if (text.trim() === '') {
        throw new UserError({ code: 'text-empty', what: 'There is nothing to tell: the text is empty.' });
      }
      await world.store.post(id, { kind: 'tell', text, atMs: world.io.clock.now() });
      shell.out.write(`Run ${id} reads it ${owner ? 'at its next look' : 'when it is resumed'}.\n`);
      return exitCodes.ok;
    }),
};

export const runsAnswer: CommandFile = {
  define: (command) => void runArgument(command).argument('<text>', 'the answer'),
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const run = await readRun(shell, polya, id);
      const question = await answerRun(polya.world, run, { answer: command.processedArgs[1] });
      shell.out.write(`Answered "${question}".\n`);
      return exitCodes.ok;
    }),
};

export const runsLimit: CommandFile = {
  define: (command) => void changedLimitOptions(runArgument(command)),
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async ({ world }, { id, owner }) => {
      const limits = limitsOf(command.opts<LimitOptions>());
      await changeLimits(world, id, limits);
      const from = owner ? 'within a second' : 'when it is resumed';
      shell.out.write(`Run ${id} keeps to it ${from}: ${limitsText(limits)}.\n`);
      return exitCodes.ok;
    }),
};

export const runsStop: CommandFile = {
  define: (command) => void runArgument(command),
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async ({ world }, row) => {
      const { id, owner } = row;
      if (!owner) throw notRunning(row);
      await world.store.post(id, { kind: 'stop', text: '', atMs: world.io.clock.now() });
      shell.err.write(`Asked process ${owner.pid} to stop run ${id} …\n`);
      await waitForEnd(world.store, id, owner.pid);
      shell.out.write(`Run ${id} is stopped. Go on with it: ${shell.calledAs} runs resume ${id}\n`);
      return exitCodes.ok;
    }),
};

const patienceMs = 20_000;
const lookEveryMs = 100;

async function waitForEnd(store: Store, id: string, pid: number): Promise<void> {
  for (let elapsedWaitMs = 0; elapsedWaitMs < patienceMs; elapsedWaitMs += lookEveryMs) {
    const row = await store.get(id);
    if (!row?.owner) return;
    await sleep(lookEveryMs);
  }
  throw new UnavailableError({
    code: 'not-stopped',
    what: `Run ${id} has not stopped within ${patienceMs / 1_000} seconds.`,
    why: `Process ${pid} has been asked to, but does not answer.`,
    fix: `End it with \`kill ${pid}\`; the run can be resumed afterwards.`,
  });
}

function notRunning(row: RunRow): UserError {
  const hasEnded = stateOf(row) === 'ended';
  return new UserError({
    code: 'run-not-running',
    what: `Run ${row.id} is not running: it ${hasEnded ? 'has ended' : 'was interrupted'}.`,
    fix: hasEnded ? undefined : `\`polya runs resume ${row.id}\` goes on with it.`,
  });
}

export const runsDelete: CommandFile = {
  define(command) {
    command
      .argument('<runs...>', 'their ids, the beginnings or ends of them, or `last`')
      .option('--yes', 'do not ask');
  },
  async run(shell, command) {
    const names: string[] = command.processedArgs[0];
    return withRun(shell, names[0] ?? '', async ({ world, home }) => {
      printStore(shell, home);
      const rows = await findRuns(world.store, names);
      refuseLiving(rows);
      const isSure = command.opts<{ yes?: boolean }>().yes || (await ask(shell, rows, home));
      if (!isSure) {
        shell.err.write('Nothing was deleted.\n');
        return exitCodes.cancelled;
      }
      for (const { id } of rows) {
        await world.store.delete(id);
        shell.out.write(`Deleted run ${id}.\n`);
      }
      return exitCodes.ok;
    });
  },
};

function refuseLiving(rows: readonly RunRow[]): void {
  const running = rows.find(({ owner }) => owner !== null);
  if (!running) return;
  throw new JournalError({
    code: 'run-alive',
    what: `Run ${running.id} is alive in process ${running.owner?.pid}; nothing was deleted.`,
    fix: `Stop it first with \`polya runs stop ${running.id}\`.`,
  });
}

async function ask(shell: Shell, rows: readonly RunRow[], home: string): Promise<boolean> {
  const ids = rows.map(({ id }) => id).join(', ');
  const runs = `${count(rows.length, 'run')}${dirname(home) === shell.folder ? '' : ` of the store ${home}`}`;
  if (shell.isInteractive) return shell.confirm(`Delete ${runs} for good: ${ids}?`, false);
  throw new UserError({
    code: 'not-confirmed',
    what: `${runs} would be deleted for good: ${ids}.`,
    why: 'There is no terminal to ask at.',
    fix: 'Add --yes to delete without being asked.',
  });
}
