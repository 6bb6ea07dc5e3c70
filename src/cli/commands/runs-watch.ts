/** `polya runs watch`: follows a run of another process by reading its journal. It never writes, and ends with the run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { exitCodes, JournalError } from '../../core/errors.ts';
import type { Event, RunEnd } from '../../core/event.ts';
import type { Journals } from '../../open/options.ts';
import { type Speech, tail } from '../../run/live-stream.ts';
import { followJournal } from '../../run/load.ts';
import { harmlessJson } from '../../text/format.ts';
import { exitCodeOf } from '../../text/labels.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { readRun } from '../drive.ts';
import { eventJson } from '../event-whole.ts';
import { withRun } from '../journals.ts';
import { LiveView } from '../live-view.ts';
import { runText } from '../run-report.ts';

const lookEveryMs = 200;

export const runsWatch: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .option('--json', 'print its events as lines of JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) =>
      command.opts<{ json?: boolean }>().json ? watchJson(shell, polya, id) : watchText(shell, polya, id),
    ),
};

async function watchJson(shell: Shell, polya: Journals, id: string): Promise<number> {
  const seen = await follow(shell, polya, id, {
    onEvent: (event) => shell.out.write(`${harmlessJson(eventJson(event, false))}\n`),
  });
  return tellEnd(shell, id, seen);
}

async function watchText(shell: Shell, polya: Journals, id: string): Promise<number> {
  const view = new LiveView(shell.out);
  view.begin([]);
  let seen: Seen;
  try {
    seen = await follow(shell, polya, id, {
      onEvent: (event) => view.show(event),
      onSpeech: (speeches) => view.tail(speeches),
    });
  } finally {
    view.close();
  }
  if (seen.state === 'ended') {
    shell.out.write(`\n${runText(shell.out, await readRun(shell, polya, id))}`);
  }
  return tellEnd(shell, id, seen);
}

type Seen =
  | { readonly state: 'ended'; readonly end: RunEnd | null }
  /** Its process is gone without an end. */
  | { readonly state: 'interrupted' }
  /** Whoever watched has had enough. */
  | { readonly state: 'left' };

type Watcher = { onEvent(event: Event): void; onSpeech?(speeches: readonly Speech[]): void };

async function follow(
  shell: Shell,
  { world }: Journals,
  id: string,
  { onEvent, onSpeech }: Watcher,
): Promise<Seen> {
  const leaving = new AbortController();
  const release = shell.onInterrupt(() => leaving.abort());
  try {
    const look = followJournal(world.store, id);
    let end: RunEnd | null = null;
    for (;;) {
      // Before the events: then all events of a run that has ended are there.
      const row = await world.store.get(id);
      const { events, damage } = await look();
      for (const event of events) {
        onEvent(event);
        if (event.kind === 'run-end') end = event.body;
      }
      if (damage) throw damaged(id, damage);
      if (!row || row.ended) return { state: 'ended', end };
      if (!row.owner) return { state: 'interrupted' };
      onSpeech?.(await tail(world.store, id));
      if (leaving.signal.aborted || shell.out.isClosed) return { state: 'left' };
      await sleep(lookEveryMs, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
    release();
  }
}

function tellEnd(shell: Shell, id: string, seen: Seen): number {
  if (seen.state === 'ended') return seen.end ? exitCodeOf(seen.end) : exitCodes.unsolved;
  if (seen.state === 'left') return shell.out.isClosed ? exitCodes.ok : exitCodes.cancelled;
  shell.err.write(`Its process is gone before its end. Go on with it: ${shell.calledAs} runs resume ${id}\n`);
  return exitCodes.unsolved;
}

function damaged(id: string, { seq, reason }: { seq: number; reason: string }): JournalError {
  return new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${id} is damaged at event ${seq}: ${reason}.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}
