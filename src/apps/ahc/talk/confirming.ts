/** A confirmation at the terminal: shown, replied to by its user line by line, and the reply sent to the session. */
import { join } from 'node:path';
import { harmless } from '../../../text/format.ts';
import type { SeenSession } from '../session/look.ts';
import type { Attendance } from './attendance.ts';
import { commandOf, obey } from './commands.ts';
import { type Confirmation, choicesOf, confirmationIn, confirmationText, editable } from './confirmation.ts';
import { edited } from './editing.ts';
import { replyIn } from './replies.ts';

/** Returns without a reply where its user leaves, or the input ends. */
export async function confirmed(here: Attendance, seen: SeenSession, asked: Confirmation): Promise<void> {
  const { shell, lines } = here;
  lines.above(() => shell.out.write(confirmationText(asked, shell.out.paint)));
  for (;;) {
    const line = await lineOf(here, '? ');
    if (line === null) return;
    const command = commandOf(line);
    if (command) {
      await obey(here, seen, command);
      if (here.hasLeft || here.hasStopped) break;
      continue;
    }
    const answer = await answerTo(here, asked, line);
    if (answer === null) continue;
    if (await isStillAsked(here, asked)) {
      await here.store.post(seen.row?.id ?? '', { kind: 'answer', text: answer, atMs: Date.now() });
    } else shell.out.write('It was answered elsewhere meanwhile; this reply was not sent.\n');
    break;
  }
  here.replied = asked.seq;
}

/** From another terminal, say: a second reply would be taken for one to the next question, which nobody has seen. */
async function isStillAsked({ ahc, store, place }: Attendance, { seq }: Confirmation): Promise<boolean> {
  const { state } = await ahc.seeSession(store, place);
  return confirmationIn(state.run)?.seq === seq;
}

/** Null where there is none yet. */
async function answerTo(here: Attendance, asked: Confirmation, line: string): Promise<string | null> {
  const reply = replyIn(line, { choices: choicesOf(asked) });
  switch (reply.type) {
    case 'take':
      return 'yes';
    case 'choose': {
      const all = Array.isArray(asked.value) ? asked.value : [];
      return JSON.stringify(reply.places.map((place) => all[place] ?? null));
    }
    case 'reject':
      return rejection(here, asked, reply.reason);
    case 'edit':
      return edition(here, asked);
    default:
      here.shell.out.write(`${reply.why}\n`);
      return null;
  }
}

/** What was written and could not be taken is what the next `e` opens. */
async function edition(here: Attendance, asked: Confirmation): Promise<string | null> {
  const { shell, lines, place, leaving, drafts } = here;
  const { file, text, answer } = editable(asked);
  const path = join(place.folder.path, 'confirm', file);
  const draft = drafts.get(asked.confirm);
  const isRefused = draft?.seq === asked.seq || asked.trouble !== undefined;
  const shown = draft && isRefused ? draft.text : text;
  const changed = await edited({ shell, lines, path, text: shown, signal: leaving.signal });
  if (changed === null) {
    shell.out.write('It is as it was.\n');
    return null;
  }
  drafts.set(asked.confirm, { seq: asked.seq, text: changed });
  const read = answer(changed);
  if ('answer' in read) return read.answer;
  shell.out.write(`That could not be taken: ${harmless(read.trouble)} e opens it again as you wrote it.\n`);
  return null;
}

async function rejection(
  here: Attendance,
  { confirm }: Confirmation,
  reason: string | null,
): Promise<string | null> {
  if (confirm === 'start') return 'no';
  if (reason !== null) return JSON.stringify({ reject: reason });
  const ends = confirm === 'first-program' ? 'has another one written' : 'ends the session';
  here.shell.out.write(`Why? It is made anew with your reason; Enter alone ${ends}.\n`);
  const why = await lineOf(here, 'why? ');
  if (why === null) return null;
  return why.trim() === '' ? 'no' : JSON.stringify({ reject: why.trim() });
}

/** Null where the input is over, or its user leaves. */
async function lineOf({ lines, leaving }: Attendance, prompt: string): Promise<string | null> {
  lines.show(prompt);
  while (lines.next === null && !lines.isOver && !leaving.signal.aborted) {
    await lines.wait(1_000, leaving.signal);
  }
  return leaving.signal.aborted ? null : lines.take();
}
