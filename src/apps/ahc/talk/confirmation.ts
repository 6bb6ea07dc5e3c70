/**
 * A confirmation that a session asks of its user, as the question in its journal has it: shown at the terminal, answered line
 * by line, edited in the user's editor or, where none is named, in a file, and the answer sent to the session.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFiles } from '../../../cli/safe-write.ts';
import type { RunView } from '../../../core/fold.ts';
import { isJsonObject, type Json, jsonIn, jsonText } from '../../../core/json.ts';
import { makeFolder } from '../../../io/write-whole.ts';
import { oneLine } from '../../../text/format.ts';
import { field, list, text as textIn } from '../../../text/json.ts';
import type { Painter } from '../../../text/paint.ts';
import { fitToWidth } from '../../../text/wrap.ts';
import type { SeenSession } from '../session/look.ts';
import { type Attendance, commandOf, obey } from './commands.ts';

const question = z.object({
  confirm: z.enum(['analysis', 'strategies', 'first-program', 'start']),
  value: z.json(),
  trouble: z.exactOptional(z.string()),
});

export type Confirmation = z.infer<typeof question> & {
  /** The number of the question in the journal. */
  readonly seq: number;
};

/** Null where no confirmation is asked. */
export function confirmationIn({ open }: RunView): Confirmation | null {
  const asked = open.map(({ event }) => event).find(({ kind }) => kind === 'ask');
  if (asked?.kind !== 'ask') return null;
  const read = question.safeParse(jsonIn(textIn(asked.body, 'question')));
  return read.success ? { ...read.data, seq: asked.seq } : null;
}

/** Returns without an answer where the user leaves, or the input ends. */
export async function confirmed(here: Attendance, seen: SeenSession, asked: Confirmation): Promise<void> {
  const { shell, lines, store, seeNow } = here;
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
    // Another terminal may have answered; a second answer would be taken for the next question.
    const now = confirmationIn((await seeNow()).state.run);
    if (now?.seq === asked.seq)
      await store.post(seen.row?.id ?? '', { kind: 'answer', text: answer, atMs: Date.now() });
    else shell.out.write('It was answered elsewhere meanwhile; this reply was not sent.\n');
    break;
  }
  here.replied = asked.seq;
}

/** Null where the input is over, or the user leaves. */
async function lineOf({ lines, leaving }: Attendance, prompt?: string): Promise<string | null> {
  if (prompt) lines.show(prompt);
  while (lines.next === null && !lines.isOver && !leaving.signal.aborted) {
    await lines.wait(1_000, leaving.signal);
  }
  return leaving.signal.aborted ? null : lines.take();
}

const titles = {
  analysis: 'The analysis of the problem',
  strategies: 'The strategies',
  'first-program': 'A first program',
  start: 'The start',
} as const;

function confirmationText(asked: Confirmation, paint: Painter): string {
  const { confirm, trouble } = asked;
  const rejection = trouble ? `${paint('bad', 'That could not be taken:')} ${trouble}\n\n` : '';
  const choose = strategiesOf(asked).length > 0 ? ', 1,3 to take these alone' : '';
  const reject = confirm === 'start' ? 'n to end the session' : 'n and why to have it made anew';
  const reply = `Enter takes it, e edits it${choose}, ${reject}, /quit leaves.`;
  return `\n${rejection}${paint('strong', titles[confirm])}\n${bodyOf(asked)}\n${reply}\n`;
}

/** The strategies that the user can choose from. */
function strategiesOf({ confirm, value }: Confirmation): readonly Json[] {
  return confirm === 'strategies' && Array.isArray(value) ? value : [];
}

function bodyOf(asked: Confirmation): string {
  const { confirm, value } = asked;
  if (confirm === 'strategies') return strategiesOf(asked).map(strategyText).join('\n');
  if (confirm === 'first-program') return programText(value);
  const fields = Object.entries(isJsonObject(value) ? value : {}).map(([name, each]) => {
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    return `  ${oneLine(name)}: ${confirm === 'start' ? text : fitToWidth(oneLine(text), 300)}`;
  });
  return fields.join('\n');
}

function strategyText(value: Json, at: number): string {
  const reasons = oneLine(textIn(value, 'reasons'));
  return [
    `  ${at + 1}. ${oneLine(textIn(value, 'name'))}`,
    `     ${oneLine(textIn(value, 'idea'))}`,
    ...(reasons === '' ? [] : [`     why: ${reasons}`]),
    ...usedText('     ', value),
  ].join('\n');
}

function usedText(indent: string, value: Json): string[] {
  const sources = { library: 'the library', contests: 'past contests' };
  return Object.entries(sources).flatMap(([name, source]) => {
    const names = oneLine(list(value, name).map(String).join(', '));
    return names === '' ? [] : [`${indent}from ${source}: ${names}`];
  });
}

function programText(value: Json): string {
  const status = textIn(value, 'status');
  const text =
    status === 'evaluated'
      ? `score ${field(value, 'score') ?? 'none'}`
      : `${status}: ${textIn(value, 'detail').split('\n')[0]}`;
  const source = textIn(value, 'source').trimEnd();
  return [
    `  ${textIn(value, 'id')} for "${oneLine(textIn(value, 'strategy'))}": ${oneLine(text)}`,
    ...usedText('  ', value),
    '',
    ...source.split('\n').map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** Null if there is no answer yet. */
async function answerTo(here: Attendance, asked: Confirmation, line: string): Promise<string | null> {
  const strategies = strategiesOf(asked);
  const reply = replyIn(line, strategies.length);
  switch (reply.type) {
    case 'take':
      return 'yes';
    case 'choose':
      return JSON.stringify(reply.places.map((place) => strategies[place] ?? null));
    case 'reject':
      return rejection(here, asked, reply.reason);
    case 'edit':
      return edition(here, asked);
    default:
      here.shell.out.write(`${reply.why}\n`);
      return null;
  }
}

type Reply =
  | { readonly type: 'take' | 'edit' }
  /** Places from 0, in the order in which they were named. */
  | { readonly type: 'choose'; readonly places: readonly number[] }
  /** Null: ask for the reason. */
  | { readonly type: 'reject'; readonly reason: string | null }
  | { readonly type: 'unclear'; readonly why: string };

/** `choices`: how many there are to choose from. */
export function replyIn(line: string, choices: number): Reply {
  const text = line.normalize('NFKC').trim();
  if (/^(?:(?:y|yes|ok|take|はい)[.。]?)?$/i.test(text)) return { type: 'take' };
  if (/^(?:e|edit|編集)$/i.test(text)) return { type: 'edit' };
  const rejected = /^(?:n|no|reject|いいえ)(?:[\s:,、.。]+(?<reason>.+)?)?$/is.exec(text);
  if (rejected) return { type: 'reject', reason: rejected.groups?.reason?.trim() ?? null };
  if (choices === 0 || !/^\d+(?:[\s,、]+\d+)*$/.test(text))
    return { type: 'unclear', why: `"${line.trim()}" is no reply to this.` };
  const count = [...new Set(text.split(/[\s,、]+/).map((each) => Number(each) - 1))];
  const incorrectCount = count.find((place) => place < 0 || place >= choices);
  if (incorrectCount === undefined) return { type: 'choose', places: count };
  return { type: 'unclear', why: `There is no number ${incorrectCount + 1}: 1 to ${choices}.` };
}

async function rejection(here: Attendance, { confirm }: Confirmation, reason: string | null) {
  if (confirm === 'start') return 'no';
  if (reason !== null) return JSON.stringify({ reject: reason });
  const ends = confirm === 'first-program' ? 'has another one written' : 'ends the session';
  here.shell.out.write(`Why? It is made anew with your reason; Enter alone ${ends}.\n`);
  const why = await lineOf(here, 'why? ');
  if (why === null) return null;
  return why.trim() === '' ? 'no' : JSON.stringify({ reject: why.trim() });
}

/** A text that could not be taken is opened again by the next `e`. */
async function edition(here: Attendance, asked: Confirmation): Promise<string | null> {
  const { shell, place, drafts } = here;
  const { confirm, value, seq, trouble } = asked;
  const isProgram = confirm === 'first-program' && isJsonObject(value);
  const file = isProgram ? `first-program-${seq}.cpp` : `${confirm}-${seq}.json`;
  const text = isProgram ? String(value.source ?? '') : jsonText(value);
  const draft = drafts.get(confirm);
  const isRejected = draft?.seq === seq || trouble !== undefined;
  const shown = draft && isRejected ? draft.text : text;
  const changed = await edited(here, join(place.folder.path, 'confirm', file), shown);
  if (changed === null) {
    shell.out.write('It is as it was.\n');
    return null;
  }
  drafts.set(confirm, { seq, text: changed });
  if (isProgram) return JSON.stringify({ source: changed });
  // Syntax is checked here, where the user can still mend the text; the session checks the content.
  try {
    return JSON.stringify(JSON.parse(changed));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    shell.out.write(`That could not be taken: it is no JSON (${why}). e opens it again as you wrote it.\n`);
    return null;
  }
}

/** Null where nothing was changed, or the input ended. */
async function edited(here: Attendance, path: string, text: string): Promise<string | null> {
  const { shell, lines } = here;
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
    if ((await lineOf(here)) === null) return null;
  }
  const changed = readBack(path);
  if ('why' in changed) {
    shell.err.write(`${changed.why}; nothing is changed.\n`);
    return null;
  }
  rmSync(path, { force: true });
  return changed.text === text ? null : changed.text;
}

/** An empty file means giving up, as with git. A file that is no text is left in place. */
function readBack(path: string): { readonly text: string } | { readonly why: string } {
  const missing = { why: `${path} is gone, or cannot be read` };
  let bytes: Buffer;
  try {
    if (!statSync(path).isFile()) return missing;
    bytes = readFileSync(path);
  } catch {
    return missing;
  }
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes) || text.includes('\0')) return { why: `${path} is no text any more` };
  if (text.trim() !== '') return { text };
  rmSync(path, { force: true });
  return { why: 'The file was empty' };
}
