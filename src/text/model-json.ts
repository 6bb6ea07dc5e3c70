/**
 * JSON as models write it: TeX in its strings often has single backslashes, which JSON reads as a line break and `eq`, a
 * form feed and `rac`. A backslash that begins a command of TeX is one; a line break before a sentence, or in a program,
 * stays. Pure; knows no schema.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import texCommands from './tex-commands.json' with { type: 'json' };

/** A string; one that does not end goes on to the end of the text, so that it is looked at once. */
const quoted = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)`;

/** Undefined where the text is no JSON, also with its backslashes, line breaks, comments and last commas repaired. */
export function modelJson(text: string): Json | undefined {
  const tex = withTex(text);
  return plainJson(tex) ?? plainJson(text) ?? plainJson(withoutExtras(tex));
}

/**
 * The value of a reply that is to be JSON: all of it, else the object in the last fence that holds one, else the last object
 * among its words. What stands in thoughts is none. Undefined where there is none, or where it is cut off.
 */
export function jsonInReply(text: string): Json | undefined {
  const said = withoutThoughts(text).trim();
  const fenced = [
    ...said.matchAll(/(?<![`~])(`{3,}|~{3,})(?![`~])[ \t]*\w*\s*([\s\S]*?)(?<![`~])\1(?![`~])/g),
  ].map(([, , inside = '']) => inside);
  const whole = modelJson(said) ?? modelJson(fenced.length === 1 ? (fenced[0] ?? '') : '');
  if (whole !== undefined) return whole;
  for (const each of fenced.reverse()) {
    const object = modelJson(each);
    if (isJsonObject(object)) return object;
  }
  return lastObject(said);
}

/** `<think>…</think>` at the beginning, also where its first half is missing. */
export function withoutThoughts(text: string): string {
  const end = text.lastIndexOf('</think>');
  return end < 0 ? text : text.slice(end + '</think>'.length);
}

/** An object's brace is followed by a quoted name; other braces are TeX's or a program's. */
function lastObject(text: string): JsonObject | undefined {
  let last: JsonObject | undefined;
  const openings = /\{\s*(?=["}])/g;
  for (let open = openings.exec(text); open; open = openings.exec(text)) {
    const end = endOfObject(text, open.index);
    if (end === null) return last ?? objectOf(text.slice(open.index, text.lastIndexOf('}') + 1));
    const object = objectOf(text.slice(open.index, end));
    if (object && Object.keys(object).length > 0) last = object;
    openings.lastIndex = end;
  }
  return last;
}

function objectOf(text: string): JsonObject | undefined {
  const value = modelJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Null where it does not end. */
function endOfObject(text: string, start: number): number | null {
  const signs = new RegExp(`${quoted}|[{}]`, 'g');
  signs.lastIndex = start;
  let depth = 0;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    if (sign[0] === '{') depth += 1;
    if (sign[0] === '}') depth -= 1;
    if (depth === 0) return signs.lastIndex;
  }
  return null;
}

/** Without comments and last commas, and with the words of Python as those of JSON. */
function withoutExtras(text: string): string {
  const extras = new RegExp(
    String.raw`(${quoted})|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\b(True|False|None)\b`,
    'g',
  );
  const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
  const bare = text.replaceAll(extras, (_, string, word) => string ?? words[word] ?? '');
  return bare.replaceAll(new RegExp(String.raw`(${quoted})|,(?=\s*[}\]])`, 'g'), (_, string) => string ?? '');
}

/** Undefined where the text is no JSON. */
export function plainJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const escapes = /\\(?:u[0-9a-fA-F]{4}|[\s\S])/g;
/** None that JSON knows, or one of a control character that no text holds. */
const isSingle = (token: string, next: string) =>
  /^\\(?:[^"\\/bfnrtu]|u$)/.test(token) || (/^\\[bf]$/.test(token) && /[A-Za-z]/.test(next));

function withTex(text: string): string {
  const tokens = [...text.matchAll(escapes)].map(({ 0: token, index }) => ({
    token,
    next: text[index + token.length] ?? '',
  }));
  const single = tokens.some(({ token, next }) => isSingle(token, next));
  const doubled = tokens.some(({ token, next }) => token === '\\\\' && /[A-Za-z([]/.test(next));
  // Where all backslashes of TeX are doubled, `\n` is a line break.
  const style = doubled && !single ? 'escaped' : single && !doubled ? 'plain' : 'mixed';
  return text.replaceAll(new RegExp(quoted, 'g'), (string) => repaired(string, style));
}

const program =
  /(?:^"|\\n)(?:\\t|\s)*(?:def \w+\(|class \w+(?:\(\w*\))?:|import \w|from \w+ import|#include|for \w+(?:, ?\w+)* in .*:|(?:if|while) .*:\s*\\n(?: {2}|\\t)|(?:const|var) \w+ =|(?:int|fn) \w+\s*[=;(])/;

function repaired(string: string, style: 'escaped' | 'plain' | 'mixed'): string {
  const mayHoldTex = style !== 'escaped' && !program.test(string);
  return string
    .replaceAll(escapes, (token, at: number) => {
      const behind = string.slice(at + token.length);
      if (token === '\\\\') return style === 'plain' && /^(?:\s|\[\d|\\n)/.test(behind) ? '\\\\\\\\' : token;
      if (isSingle(token, '')) return `\\${token}`;
      const command = token.slice(1) + (/^[A-Za-z]*/.exec(behind)?.[0] ?? '');
      const isTex = mayHoldTex && isCommand(command, { before: string.slice(1, at), behind });
      return isTex ? `\\${token}` : token;
    })
    .replaceAll(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1));
}

/** Commands whose rest behind the first letter is no word that may begin a line. */
const clear = new Set(texCommands.clear.join(' ').split(' '));
/** The rest of these is a word or a variable: they are TeX only within a formula. */
const doubtful = new Set(texCommands.doubtful.split(' '));

function isCommand(command: string, { before, behind }: { before: string; behind: string }): boolean {
  if (/^[bf][A-Za-z]/.test(command)) return true;
  if (doubtful.has(command)) return isInFormula(before);
  // "eq. (3)" and a variable of this name begin lines as well.
  return clear.has(command) && !/^eq(?:\.(?!\d)|\s*:?=)/.test(behind);
}

function isInFormula(before: string): boolean {
  const dollars = before.split('$').length - 1;
  return dollars % 2 === 1 || /\\[([](?![\s\S]*\\[)\]])/.test(before.replaceAll('\\\\', '\\'));
}
