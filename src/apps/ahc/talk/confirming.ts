/**
 * A confirmation at the terminal: shown, answered line by line, edited in the user's editor or, where none is named, in a
 * file, and the answer sent to the session.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Shell } from '../../../cli/contract.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { harmless } from '../../../text/format.ts';
import type { SeenSession } from '../session/look.ts';
import { type Attendance, commandOf, obey } from './commands.ts';
import {
  type Confirmation,
  choicesOf,
  confirmationIn,
  confirmationText,
  editable,
  replyIn,
} from './confirmation.ts';
import type { Lines } from './lines.ts';

/** Returns without an answer where the user leaves, or the input ends. */
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

/** Another terminal may have answered; a second answer would be taken for the next question. */
async function isStillAsked({ seeNow }: Attendance, { seq }: Confirmation): Promise<boolean> {
  const { state } = await seeNow();
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

/** A text that could not be taken is opened again by the next `e`. */
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

/** Null where the input is over, or the user leaves. */
async function lineOf({ lines, leaving }: Attendance, prompt: string): Promise<string | null> {
  lines.show(prompt);
  while (lines.next === null && !lines.isOver && !leaving.signal.aborted) {
    await lines.wait(1_000, leaving.signal);
  }
  return leaving.signal.aborted ? null : lines.take();
}

type Editing = {
  readonly shell: Shell;
  readonly lines: Lines;
  readonly path: string;
  readonly text: string;
  readonly signal: AbortSignal;
};

/** Null where nothing was changed, or the input ended. */
async function edited({ shell, lines, path, text, signal }: Editing): Promise<string | null> {
  makeFolder(dirname(path));
  writeFiles([{ path, text }], { force: true });
  const editor = shell.env.VISUAL || shell.env.EDITOR;
  if (editor) {
    // As git does: it may have arguments of its own.
    const code = await lines.lend(() => shell.spawn(['sh', '-c', `${editor} "$1"`, 'sh', path]));
    if (code !== 0) {
      shell.err.write(`The editor ended with ${code ?? 'an error'}; nothing is changed.\n`);
      return null;
    }
  } else {
    shell.out.write(`Neither VISUAL nor EDITOR is set. Edit ${path}, then press Enter here.\n`);
    while (lines.next === null && !lines.isOver && !signal.aborted) await lines.wait(1_000, signal);
    if (lines.take() === null) return null;
  }
  return readBack({ shell, path, text });
}

/** An empty file means giving up, as with git. A file that is no text is left in place. */
function readBack({ shell, path, text }: Pick<Editing, 'shell' | 'path' | 'text'>): string | null {
  const bytes = contentOf(path);
  if (bytes === null) {
    shell.err.write(`${path} is gone, or cannot be read; nothing is changed.\n`);
    return null;
  }
  const now = bytes.toString('utf8');
  if (!isUtf8(bytes) || now.includes('\0')) {
    shell.err.write(`${path} is no text any more; nothing is changed.\n`);
    return null;
  }
  if (now.trim() === '') shell.err.write('The file was empty; nothing is changed.\n');
  rmSync(path, { force: true });
  return now === text || now.trim() === '' ? null : now;
}

function contentOf(path: string): Buffer | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
