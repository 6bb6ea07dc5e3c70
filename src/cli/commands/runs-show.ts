/** `polya runs show`: one run, its stages and its journal, as far as the journal is whole. */
import { exitCodes, UserError } from '../../core/errors.ts';
import { type Event, type Header, journalVersion, positionName } from '../../core/event.ts';
import { describeEvent, isIdle } from '../../notes/event-line.ts';
import { runJson } from '../../open/run-json.ts';
import { count } from '../../text/format.ts';
import { fitToWidth } from '../../text/wrap.ts';
import { type CommandFile, exactly, type Output, print, type Shell } from '../contract.ts';
import { type ReadRun, readRun } from '../drive.ts';
import { runArgument, withRun } from '../journals.ts';
import { parseInteger } from '../options.ts';
import { eventJson, eventText, runText } from '../run-report.ts';

type Options = { readonly event?: number; readonly full?: boolean; readonly json?: boolean };

export const runsShow: CommandFile = {
  isReport: true,
  define(command) {
    runArgument(command)
      .option('--event <number>', 'one event in full, with the messages of a request', parseInteger(1))
      .option('--full', 'all events in full')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const options = command.opts<Options>();
      const run = await readRun(shell, polya, id);
      warnOfVersion(shell, run);
      if (options.event === undefined) showRun(shell, run, options);
      else {
        const event = eventOf(run, options.event);
        print(exactly(shell.out), options.json ? eventJson(event, true) : eventText(event));
      }
      return exitCodes.ok;
    }),
};

function warnOfVersion({ err }: Shell, { view, row }: ReadRun): void {
  const version = view.header?.version ?? journalVersion;
  if (version <= journalVersion) return;
  const what = `the journal of run ${row.id} has version ${version}, this Polya knows version ${journalVersion}; it may show too little.`;
  err.write(`${err.paint('warn', 'Warning:')} ${what}\n`);
}

function showRun({ out }: Shell, run: ReadRun, { full, json }: Options): void {
  const { events, damage, view } = run;
  if (json) {
    const journal = events.map((event) => (full ? eventJson(event, true) : lineJson(event, view.header)));
    print(out, { ...runJson(run), damage, journal });
    return;
  }
  const beganAtMs = events[0]?.atMs ?? 0;
  const visible = full ? events : events.filter((event) => !isIdle(event));
  const lines = visible.map((event) =>
    full ? `\n${eventText(event)}` : lineText(out, event, view.header, beganAtMs),
  );
  const hidden = events.length - visible.length;
  const rest = hidden > 0 ? `${count(hidden, 'look')} for notes found none; --full shows them.\n` : '';
  print(out, `${runText(out, run)}\n`);
  print(full ? exactly(out) : out, `${lines.join('')}${rest}`);
}

function eventOf({ events, row }: ReadRun, seq: number): Event {
  const event = events.find((each) => each.seq === seq);
  if (event) return event;
  throw new UserError({
    code: 'no-such-event-in-journal',
    what: `Run ${row.id} has no event ${seq} that can be read.`,
    fix: `Its events are 1 to ${events.at(-1)?.seq ?? 0}.`,
  });
}

function lineJson(event: Event, header: Header | null) {
  const { seq, atMs, kind, branch, ordinal, attempt } = event;
  return { seq, atMs, kind, branch, ordinal, attempt, text: describeEvent(event, header).text };
}

const plainColumns = 160;

/** Times count from the journal's first event, which in a fork is its parent's. */
function lineText(output: Output, event: Event, header: Header | null, beganAtMs: number): string {
  const since = `+${(Math.max(0, event.atMs - beganAtMs) / 1_000).toFixed(1)}`.padStart(8);
  const place = event.ordinal === null ? '' : positionName(event);
  const left = `${String(event.seq).padStart(4)} ${since}  ${event.kind.padEnd(14)} ${place.padEnd(9)} `;
  const { text, tone } = describeEvent(event, header);
  const columns = output.isTerminal ? output.columns : plainColumns;
  const clipped = fitToWidth(text, Math.max(20, columns - left.length));
  return `${output.paint('faint', left)}${output.paint(tone, clipped)}\n`;
}
