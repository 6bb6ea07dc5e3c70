/** `polya runs stop`: asks the process of a run to end it cleanly, and waits until it has. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { RunRow, Store } from '../../core/store.ts';
import type { CommandFile } from '../contract.ts';
import { withRun } from '../journals.ts';
import { stateOf } from '../run-report.ts';

const patienceMs = 20_000;
const lookEveryMs = 100;

export const runsStop: CommandFile = {
  define(command: Command) {
    command.argument('<run>', 'its id, the beginning or end of it, or `last`');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async ({ world }, row) => {
      if (!row.owner) throw notRunning(row);
      await world.store.post(row.id, { kind: 'stop', text: '', atMs: world.io.clock.now() });
      shell.err.write(`Asked process ${row.owner.pid} to stop run ${row.id} …\n`);
      await waitForEnd(world.store, row);
      shell.out.write(`Run ${row.id} is stopped. Go on with it: ${shell.calledAs} runs resume ${row.id}\n`);
      return exitCodes.ok;
    }),
};

async function waitForEnd(store: Store, { id, owner }: RunRow): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
    const row = await store.get(id);
    if (!row?.owner) return;
    await sleep(lookEveryMs);
  }
  throw new UnavailableError({
    code: 'run-not-stopped-within-seconds',
    what: `Run ${id} has not stopped within ${patienceMs / 1_000} seconds.`,
    why: `Process ${owner?.pid} has been asked to, but does not answer.`,
    fix: `End it with \`kill ${owner?.pid}\`; the run can be resumed afterwards.`,
  });
}

function notRunning(row: RunRow): UserError {
  const state = stateOf(row);
  return new UserError({
    code: 'not-running',
    what: `Run ${row.id} is not running: it ${state === 'ended' ? 'has ended' : 'was interrupted'}.`,
    ...(state === 'ended' ? {} : { fix: `\`polya runs resume ${row.id}\` goes on with it.` }),
  });
}
