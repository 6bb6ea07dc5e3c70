/** A confirmation that a session asks of its user, as its question in the journal has it: how it is shown, edited and answered. Pure. */

import { z } from 'zod';
import type { RunView } from '../../../core/fold.ts';
import { isJsonObject, type Json } from '../../../core/json.ts';
import { clip, harmless, oneLine } from '../../../text/format.ts';
import type { Paint } from '../../../text/paint.ts';

const question = z.object({
  confirm: z.enum(['analysis', 'strategies', 'first-program', 'start']),
  value: z.json(),
  trouble: z.exactOptional(z.string()),
});

export type Confirmation = z.infer<typeof question> & {
  /** Of the question in the journal. */
  readonly seq: number;
};

/** Null where no confirmation is asked. */
export function confirmationIn({ open }: RunView): Confirmation | null {
  const asked = open.map(({ event }) => event).find(({ kind }) => kind === 'ask');
  if (asked?.kind !== 'ask') return null;
  try {
    const read = question.safeParse(JSON.parse(String((asked.body as { question?: unknown }).question)));
    return read.success ? { ...read.data, seq: asked.seq } : null;
  } catch {
    return null;
  }
}

export function choicesOf({ confirm, value }: Confirmation): number {
  return confirm === 'strategies' && Array.isArray(value) ? value.length : 0;
}

const titles = {
  analysis: 'The analysis of the problem',
  strategies: 'The strategies',
  'first-program': 'A first program',
  start: 'The start',
} as const;

export function confirmationText(asked: Confirmation, paint: Paint): string {
  const trouble = asked.trouble
    ? `${paint('bad', 'That could not be taken:')} ${harmless(asked.trouble)}\n\n`
    : '';
  const heading = paint('strong', titles[asked.confirm]);
  return `\n${trouble}${heading}\n${bodyOf(asked)}\n${howToReply(asked)}\n`;
}

function bodyOf({ confirm, value }: Confirmation): string {
  switch (confirm) {
    case 'strategies':
      return (Array.isArray(value) ? value : []).map(strategyText).join('\n');
    case 'first-program':
      return programText(value);
    case 'start':
      return fieldsOf(value)
        .map(([name, each]) => `  ${name}: ${each}`)
        .join('\n');
    default:
      return fieldsOf(value)
        .map(([name, each]) => `  ${name}: ${clip(oneLine(each), 300)}`)
        .join('\n');
  }
}

function strategyText(value: Json, at: number): string {
  const { name, idea, reasons, library, contests } = partsOf(value);
  return [
    `  ${at + 1}. ${name}`,
    `     ${idea}`,
    ...(reasons === '' ? [] : [`     why: ${reasons}`]),
    ...usedText('     ', { library, contests }),
  ].join('\n');
}

function usedText(indent: string, { library, contests }: { library: string; contests: string }): string[] {
  return [
    ...(library === '' ? [] : [`${indent}from the library: ${library}`]),
    ...(contests === '' ? [] : [`${indent}from past contests: ${contests}`]),
  ];
}

function programText(value: Json): string {
  const {
    source = '',
    strategy = '',
    id = '',
    status = '',
    detail = '',
    score = null,
  } = isJsonObject(value) ? value : {};
  const { library, contests } = partsOf(value);
  const told =
    status === 'evaluated' ? `score ${score ?? 'none'}` : `${status}: ${String(detail).split('\n')[0]}`;
  return [
    `  ${harmless(String(id))} for "${oneLine(String(strategy))}": ${oneLine(told)}`,
    ...usedText('  ', { library, contests }),
    '',
    ...harmless(String(source))
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function partsOf(value: Json) {
  const parts = isJsonObject(value) ? value : {};
  const text = (name: string): string => (typeof parts[name] === 'string' ? oneLine(parts[name]) : '');
  const list = (name: string): string => {
    const each = parts[name];
    return Array.isArray(each) ? oneLine(each.map(String).join(', ')) : '';
  };
  return {
    ...{ name: text('name'), idea: text('idea'), reasons: text('reasons') },
    ...{ library: list('library'), contests: list('contests') },
  };
}

function fieldsOf(value: Json): [string, string][] {
  return Object.entries(isJsonObject(value) ? value : {}).map(([name, each]) => [
    oneLine(name),
    harmless(typeof each === 'string' ? each : JSON.stringify(each)),
  ]);
}

function howToReply(asked: Confirmation): string {
  const choose = choicesOf(asked) > 0 ? ', 1,3 to take these alone' : '';
  const reject = asked.confirm === 'start' ? 'n to end the session' : 'n and why to have it made anew';
  return `Enter takes it, e edits it${choose}, ${reject}, /quit leaves.`;
}

/** The file that the user edits, and the answer that an edited text becomes. */
export function editable({ confirm, value, seq }: Confirmation): {
  readonly file: string;
  readonly text: string;
  readonly answer: (text: string) => { readonly answer: string } | { readonly trouble: string };
} {
  if (confirm === 'first-program' && isJsonObject(value)) {
    return {
      file: `first-program-${seq}.cpp`,
      text: String(value.source ?? ''),
      answer: (source) => ({ answer: JSON.stringify({ source }) }),
    };
  }
  return {
    file: `${confirm}-${seq}.json`,
    text: `${JSON.stringify(value, null, 2)}\n`,
    answer: jsonIn,
  };
}

/** Syntax is checked here, where the user can still mend the text; the session checks the content. */
function jsonIn(text: string): { readonly answer: string } | { readonly trouble: string } {
  try {
    return { answer: JSON.stringify(JSON.parse(text)) };
  } catch (error) {
    return { trouble: `it is no JSON (${error instanceof Error ? error.message : String(error)}).` };
  }
}

export type Reply =
  | { readonly type: 'take' }
  | { readonly type: 'edit' }
  /** Places from 0, in the order in which they were named. */
  | { readonly type: 'choose'; readonly places: readonly number[] }
  /** Null: ask for the reason. */
  | { readonly type: 'reject'; readonly reason: string | null }
  | { readonly type: 'unclear'; readonly why: string };

export function replyIn(line: string, { choices }: { readonly choices: number }): Reply {
  const text = line.normalize('NFKC').trim();
  if (/^(?:y|yes|ok|take|はい)?$/i.test(text)) return { type: 'take' };
  if (/^(?:e|edit|編集)$/i.test(text)) return { type: 'edit' };
  const rejected = /^(?:n|no|reject|いいえ)(?:[\s:,、]+(?<reason>.+))?$/is.exec(text);
  if (rejected) return { type: 'reject', reason: rejected.groups?.reason?.trim() ?? null };
  if (choices > 0 && /^\d+(?:[\s,、]+\d+)*$/.test(text)) return chosen(text, choices);
  return { type: 'unclear', why: `"${line.trim()}" is no reply to this.` };
}

function chosen(text: string, choices: number): Reply {
  const places = [...new Set(text.split(/[\s,、]+/).map((each) => Number(each) - 1))];
  const wrong = places.find((place) => place < 0 || place >= choices);
  if (wrong !== undefined)
    return { type: 'unclear', why: `There is no number ${wrong + 1}: 1 to ${choices}.` };
  return { type: 'choose', places };
}
