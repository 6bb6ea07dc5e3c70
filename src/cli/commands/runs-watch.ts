/** `polya runs watch`: follows a run of another process by reading its journal. It never writes, and ends with the run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../../core/errors.ts';
import type { Event, RunEnd } from '../../core/event.ts';
import type { Journals } from '../../open/options.ts';
import { type Speech, tail } from '../../run/live-stream.ts';
import { followJournal } from '../../run/load.ts';
import { escapedJson } from '../../text/format.ts';
import { exitCodeOf } from '../../text/labels.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { readRun } from '../drive.ts';
import { assertIntact, runArgument, withRun } from '../journals.ts';
import { LiveView } from '../live-view.ts';
import { eventJson, runText } from '../run-report.ts';

const lookEveryMs = 200;

export const runsWatch: CommandFile = {
  printsLines: true,
  define: (command) =>
    void runArgument(command)
      .option('--json', 'print its events as lines of JSON')
      .option('-v, --verbose', 'show every step, and all that models write, programs and data too'),
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const { json } = command.opts<{ json?: boolean }>();
      const seen = await (json ? watchJson(shell, polya, id) : watchText(shell, polya, id));
      if (seen.state === 'ended') {
        if (!json) shell.out.write(`\n${runText(shell.out, await readRun(shell, polya, id))}`);
        return seen.end ? exitCodeOf(seen.end) : exitCodes.unsolved;
      }
      if (seen.state === 'left') return shell.out.isClosed ? exitCodes.ok : exitCodes.cancelled;
      shell.err.write(
        `Its process is gone before its end. Go on with it: ${shell.calledAs} runs resume ${id}\n`,
      );
      return exitCodes.unsolved;
    }),
};

function watchJson(shell: Shell, polya: Journals, id: string): Promise<Seen> {
  return follow(shell, polya, id, {
    onEvent: (event) => shell.out.write(`${escapedJson(eventJson(event, false))}\n`),
  });
}

async function watchText(shell: Shell, polya: Journals, id: string): Promise<Seen> {
  const view = new LiveView(shell.out, shell.detail === 'all');
  view.begin([]);
  try {
    return await follow(shell, polya, id, {
      onEvent: (event) => view.show(event),
      onSpeech: (speeches) => view.tail(speeches),
    });
  } finally {
    view.close();
  }
}

/** `interrupted`: its process is gone without an end. `left`: its user has stopped watching. */
type Seen =
  | { readonly state: 'ended'; readonly end: RunEnd | null }
  | { readonly state: 'interrupted' | 'left' };

type Watcher = { onEvent(event: Event): void; onSpeech?(speeches: readonly Speech[]): void };

async function follow(
  shell: Shell,
  { world }: Journals,
  id: string,
  { onEvent, onSpeech }: Watcher,
): Promise<Seen> {
  const departure = new AbortController();
  const release = shell.onInterrupt(() => departure.abort());
  try {
    const poll = followJournal(world.store, id);
    let end: RunEnd | null = null;
    for (;;) {
      // Before the events: then all events of a run that has ended are there.
      const row = await world.store.get(id);
      const found = await poll();
      for (const event of found.events) {
        onEvent(event);
        if (event.kind === 'run-end') end = event.body;
      }
      assertIntact(id, found);
      if (!row || row.ended) return { state: 'ended', end };
      if (!row.owner) return { state: 'interrupted' };
      onSpeech?.(await tail(world.store, id));
      if (departure.signal.aborted || shell.out.isClosed) return { state: 'left' };
      await sleep(lookEveryMs, undefined, { signal: departure.signal }).catch(() => undefined);
    }
  } finally {
    release();
  }
}
