/** `polya runs tell`, `answer`, `limit`, `stop`: what a run in another process is given through its mailbox. */
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { RunRow, Store } from '../../core/store.ts';
import { answerRun } from '../../open/answering.ts';
import { stateOf } from '../../open/run-json.ts';
import { changeLimits } from '../../run/changed-limits.ts';
import { limitsText } from '../../text/labels.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { runArgument, withRun } from '../journals.ts';
import { changedLimitOptions, type LimitOptions, limitsOf } from '../options.ts';

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
      const asked = await answerRun(polya.world, run, { answer: command.processedArgs[1] });
      shell.out.write(`Answered "${asked}".\n`);
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
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
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
