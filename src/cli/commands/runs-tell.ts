/** `polya runs tell`: puts a note into a run's mailbox; its agent reads it at its next look. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { RunRow, Store } from '../../core/store.ts';
import { oneLine } from '../../text/format.ts';
import { text as textAt } from '../../text/json.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { withRun } from '../journals.ts';
import { stateOf } from '../run-report.ts';

export const runsTell: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .argument('<text>', 'what its agent should know');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async ({ world }, row) => {
      const text: string = command.processedArgs[1];
      if (row.ended) throw endedError(row.id);
      if (text.trim() === '')
        throw new UserError({
          code: 'text-empty',
          what: 'There is nothing to tell: the text is empty.',
        });
      await world.store.post(row.id, { kind: 'tell', text, atMs: world.io.clock.now() });
      const when = row.owner ? 'at its next look' : 'when it is resumed';
      shell.out.write(`Run ${row.id} reads it ${when}.\n`);
      return exitCodes.ok;
    }),
};

function endedError(id: string): UserError {
  return new UserError({
    code: 'run-ended',
    what: `Run ${id} has ended: nobody would read it.`,
    fix: `\`polya runs fork ${id} --at N --hint TEXT\` goes on from one of its events with a hint.`,
  });
}

export const runsAnswer: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .argument('<text>', 'the answer');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id, ended }) => {
      const { view } = await readRun(shell, polya, id);
      const question = view.open.map(({ event }) => event).find(({ kind }) => kind === 'ask');
      // An answer without a question would be taken for the answer to a later one.
      if (ended || question?.kind !== 'ask') throw nothingAsked(id);
      const { store, io } = polya.world;
      await store.post(id, { kind: 'answer', text: command.processedArgs[1], atMs: io.clock.now() });
      shell.out.write(`Answered "${oneLine(textAt(question.body, 'question'))}".\n`);
      return exitCodes.ok;
    }),
};

function nothingAsked(id: string): UserError {
  return new UserError({
    code: 'no-open-question',
    what: `Run ${id} asks nothing at present.`,
    fix: `\`polya runs tell ${id} TEXT\` gives it a hint.`,
  });
}

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
    code: 'not-stopped',
    what: `Run ${id} has not stopped within ${patienceMs / 1_000} seconds.`,
    why: `Process ${owner?.pid} has been asked to, but does not answer.`,
    fix: `End it with \`kill ${owner?.pid}\`; the run can be resumed afterwards.`,
  });
}

function notRunning(row: RunRow): UserError {
  const state = stateOf(row);
  return new UserError({
    code: 'run-not-running',
    what: `Run ${row.id} is not running: it ${state === 'ended' ? 'has ended' : 'was interrupted'}.`,
    ...(state === 'ended' ? {} : { fix: `\`polya runs resume ${row.id}\` goes on with it.` }),
  });
}
