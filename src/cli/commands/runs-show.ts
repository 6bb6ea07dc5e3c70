/** `polya runs show`: one run, its stages and its journal, as far as the journal is whole. */
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { type Event, journalVersion, positionName } from '../../core/event.ts';
import type { RunRow } from '../../core/store.ts';
import { describeEvent } from '../../notes/event-line.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import { clip, harmlessJson } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { resultOf } from '../drive.ts';
import { eventJson, eventText } from '../event-whole.ts';
import { withRun } from '../journals.ts';
import { wholeNumber } from '../options.ts';
import type { Output } from '../output.ts';
import { runJson, runText } from '../run-report.ts';
import type { RunResult } from '../run-result.ts';

type Options = { readonly event?: number; readonly full?: boolean; readonly json?: boolean };

type Journal = Awaited<ReturnType<typeof readJournal>> & RunResult;

export const runsShow: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .option('--event <number>', 'one event in full, with the messages of a request', wholeNumber(1))
      .option('--full', 'all events in full')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, row) => {
      const options = command.opts<Options>();
      const journal = await journalOf(shell, polya, row);
      for (const warning of warningsOf(journal)) {
        shell.err.write(`${shell.err.paint('warn', 'Warning:')} ${warning}\n`);
      }
      if (options.event === undefined) showRun(shell, journal, options);
      else showEvent(shell, eventOf(journal, options.event), options);
      return exitCodes.ok;
    }),
};

async function journalOf(shell: Shell, { world }: Journals, row: RunRow): Promise<Journal> {
  const journal = await readJournal(world.store, row.id);
  return { ...journal, ...(await resultOf(shell, row, journal.events)) };
}

function warningsOf({ damage, view, row }: Journal): string[] {
  const version = view.header?.version ?? journalVersion;
  return [
    damage
      ? `the journal is damaged at event ${damage.seq}: ${damage.reason}. What is before it is whole.`
      : '',
    version > journalVersion
      ? `the journal of run ${row.id} has version ${version}, this Polya knows version ${journalVersion}; it may show too little.`
      : '',
  ].filter(Boolean);
}

function showRun(shell: Shell, { events, damage, ...result }: Journal, { full, json }: Options): void {
  const { header } = result.view;
  if (json) {
    const listed = events.map((event) => (full ? eventJson(event, true) : lineJson(event, header)));
    shell.out.write(`${harmlessJson({ ...runJson(result), damage, journal: listed }, 2)}\n`);
    return;
  }
  shell.out.write(runText(shell.out, result));
  const told = full
    ? events.map((event) => `\n${eventText(event)}`)
    : events.map((event) => lineText(shell.out, event, { header, beganAtMs: events[0]?.atMs ?? event.atMs }));
  shell.out.write(`\n${told.join('')}`);
}

function showEvent(shell: Shell, event: Event, { json }: Options): void {
  shell.out.write(json ? `${harmlessJson(eventJson(event, true), 2)}\n` : eventText(event));
}

function eventOf({ events, row }: Journal, seq: number): Event {
  const event = events.find((each) => each.seq === seq);
  if (event) return event;
  const last = events.at(-1)?.seq ?? 0;
  throw new UserError({
    code: 'no-such-event-in-journal',
    what: `Run ${row.id} has no event ${seq} that can be read.`,
    fix: `Its events are 1 to ${last}.`,
  });
}

type Author = RunResult['view']['header'];

function lineJson(event: Event, header: Author) {
  const { seq, atMs, kind, branch, ordinal, attempt } = event;
  return { seq, atMs, kind, branch, ordinal, attempt, text: describeEvent(event, header).text };
}

const plainColumns = 160;

/** Times count from the journal's first event, which in a fork is its parent's. */
function lineText(
  output: Output,
  event: Event,
  { header, beganAtMs }: { readonly header: Author; readonly beganAtMs: number },
): string {
  const since = `+${((event.atMs - beganAtMs) / 1_000).toFixed(1)}`.padStart(8);
  const place = event.ordinal === null ? '' : positionName(event);
  const left = `${String(event.seq).padStart(4)} ${since}  ${event.kind.padEnd(14)} ${place.padEnd(9)} `;
  const { text, tone } = describeEvent(event, header);
  const columns = output.isTerminal ? output.columns : plainColumns;
  const clipped = clip(text, Math.max(20, columns - left.length));
  return `${output.paint('faint', left)}${output.paint(tone, clipped)}\n`;
}
