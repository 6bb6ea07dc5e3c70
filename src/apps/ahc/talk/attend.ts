/**
 * A terminal or a pipe attached to a session in another process: it confirms what the session asks, shows what the session
 * does, and sends it what is typed. Ctrl-C, the end of the input and `/quit` leave the session running.
 */
import type { Output, Shell } from '../../../cli/contract.ts';
import { exitCodes } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import type { RunRow } from '../../../core/store.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { describeEvolutionNote } from '../../../notes/evolution-line.ts';
import { ahcCall, oneLine } from '../../../text/format.ts';
import { exitCodeOf } from '../../../text/labels.ts';
import { fitToWidth } from '../../../text/wrap.ts';
import {
  followSession,
  heardIn,
  type SeenSession,
  say,
  seeSession,
  untilInterrupted,
  withStoreOf,
} from '../session/look.ts';
import { keptText } from '../session/status.ts';
import { type Attendance, type Attending, commandOf, helpText, obey } from './commands.ts';
import { confirmationIn, confirmed, replyIn } from './confirmation.ts';
import { Lines } from './lines.ts';

const lookEveryMs = 150;
const prompt = '> ';

export function attend(attending: Attending): Promise<number> {
  const { shell, place } = attending;
  return withStoreOf(place, shell.env, (store) =>
    untilInterrupted(shell, async (departure) => {
      const lines = linesOf(shell, () => departure.abort());
      try {
        return await untilLeft({
          ...attending,
          store,
          lines,
          leaving: departure,
          seeNow: () => seeSession(store, place),
          waiting: new Set(),
          drafts: new Map(),
          replied: 0,
          hasStopped: false,
          hasLeft: false,
        });
      } finally {
        lines.close();
      }
    }),
  );
}

function linesOf(shell: Shell, onInterrupt: () => void): Lines {
  const { stdin, stdout, isTerminal } = shell.streams();
  const tellsPastes = shell.env.TERM !== 'dumb';
  const input = stdin as ConstructorParameters<typeof Lines>[0];
  return new Lines(input, isTerminal ? { output: stdout, onInterrupt, tellsPastes } : null);
}

async function untilLeft(here: Attendance): Promise<number> {
  const { shell, place, store, lines, leaving } = here;
  const poll = followSession(store, place);
  for (let isFirst = true; ; isFirst = false) {
    const seen = await poll();
    if (isFirst) shell.out.write(helpText(shell, place.name));
    else tellNews(here, seen);
    if (!seen.row?.owner) return ended(here, seen);
    if (leaving.signal.aborted) return left(here, seen, exitCodes.cancelled);
    if (here.hasLeft || (lines.isOver && isDone(here, seen))) return left(here, seen, exitCodes.ok);
    if (!(await step(here, seen, seen.row))) await lines.wait(lookEveryMs, leaving.signal);
  }
}

/** At the end of the input: nothing is left to wait for, or only a question that no more input can answer. */
function isDone({ waiting, replied, hasStopped }: Attendance, { state }: SeenSession): boolean {
  if (hasStopped) return false;
  const asked = confirmationIn(state.run);
  return waiting.size === 0 || (asked !== null && asked.seq !== replied);
}

/** Handles one typed line, if it may be taken now; false where there is nothing to do. */
async function step(here: Attendance, seen: SeenSession, row: RunRow): Promise<boolean> {
  const { lines } = here;
  const asked = confirmationIn(seen.state.run);
  if (asked && asked.seq !== here.replied) {
    await confirmed(here, seen, asked);
    return true;
  }
  const next = lines.next;
  if (next === null) return false;
  const command = commandOf(next);
  // A line that was typed ahead answers a later question.
  if (!command && isBeginning(seen)) return false;
  lines.take();
  if (command) await obey(here, seen, command);
  else if (next.trim() !== '') await said(here, row, next.trim());
  // With more lines waiting, their output would follow on the row of the prompt.
  if (!here.hasLeft && lines.next === null) lines.show(prompt);
  return true;
}

async function said({ shell, store, waiting }: Attendance, row: RunRow, words: string): Promise<void> {
  // A reply to a question that is not there is no hint.
  if (replyIn(words, 0).type !== 'unclear') {
    return shell.err.write('Nothing waits to be confirmed now; this was not said to the session.\n');
  }
  waiting.add(await say(store, row, words));
  shell.err.write('Said; it hears it when its next candidate begins.\n');
}

/** The user still has something to confirm. */
function isBeginning({ state }: SeenSession): boolean {
  const isRequested = state.run.header?.agent.settings.confirm === true;
  return isRequested && state.over === null && !state.candidates.some(({ note }) => note.generation > 0);
}

function tellNews({ shell, waiting, lines }: Attendance, seen: SeenSession): void {
  const { paint } = shell.out;
  const updates = newsText(shell.out, seen.events, waiting);
  const replies = [...waiting].flatMap((key) => {
    const received = heardIn(seen, key);
    if (!received) return [];
    waiting.delete(key);
    const words = paint('strong', `“${fitToWidth(oneLine(received.text), 200)}”`);
    return [`${words}\n${paint('accent', received.reply.trim())}\n`];
  });
  const text = updates + replies.join('');
  if (text === '') return;
  lines.above(() => shell.out.write(text));
  if (confirmationIn(seen.state.run) === null) lines.show(prompt);
}

/** The events as lines. `own`: keys of messages from here, whose replies are told apart. */
function newsText({ paint, columns }: Output, events: readonly Event[], own: ReadonlySet<string>): string {
  const lines = events.flatMap((event) => {
    const note = evolutionNoteOf(event);
    const isToldApart = note?.kind === 'answer' || (note?.kind === 'heard' && own.has(note.data.key));
    const line = note && !isToldApart ? describeEvolutionNote(event) : null;
    return !line || line.isQuiet
      ? []
      : [`${paint(line.tone, fitToWidth(oneLine(line.text), columns - 1))}\n`];
  });
  return lines.join('');
}

function left({ shell, place, waiting }: Attendance, { row, state }: SeenSession, code: number): number {
  const { name } = place;
  const call = ahcCall(shell);
  const waits = confirmationIn(state.run) === null ? '' : 'It waits for you to confirm what it has asked.\n';
  const unheard = waiting.size === 0 ? '' : 'It will still hear your messages.\n';
  shell.out.write(
    `\nThe session ${name} goes on in the background, in process ${row?.owner?.pid}.\n${waits}${unheard}  come back  ${call} solve --interactive --session-id ${name}\n  watch      ${call} status ${name} --watch\n  stop       ${call} stop ${name}\n`,
  );
  return code;
}

function ended({ shell, place, hasStopped }: Attendance, seen: SeenSession): number {
  const { end } = seen.state.run;
  const why = end?.error?.message ?? seen.state.over;
  shell.out.write(
    `\nThe session ${place.name} has ended: ${seen.status}.${why ? ` ${why}` : ''}\n${keptText(seen) ?? 'No program was found'}. Files: ${place.folder.path}\n`,
  );
  if (hasStopped) return exitCodes.ok;
  return end ? exitCodeOf(end) : exitCodes.unavailable;
}
