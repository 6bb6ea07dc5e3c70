/**
 * JSON as models write it: TeX in its strings often has single backslashes, which JSON reads as a line break and `eq`, a
 * form feed and `rac`. A backslash that begins a command of TeX is one; a line break before a sentence, or in a program,
 * stays. Pure; knows no schema.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import tex from './tex-commands.json' with { type: 'json' };

/** A string; one that does not end goes on to the end of the text, so that it is looked at once. */
const quoted = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)`;

/** Undefined where the text is no JSON, also with its backslashes, line breaks, comments, last commas and quotation marks repaired. */
export function modelJson(text: string): Json | undefined {
  if (text.length > mostRepaired && !/[}\]"]\s*$/.test(text.slice(-longest))) return plainJson(text);
  const repaired = withTex(text);
  const first = plainJson(repaired);
  const read = first === undefined && repaired !== text ? plainJson(text) : first;
  if (read !== undefined || text.length > mostRepaired || !/^\s*(?:[[{"“]|\/[/*]|#)/.test(text)) return read;
  const marked = fixQuotes(rawIn(text));
  return (
    plainJson(withoutExtras(repaired)) ??
    (marked === text ? undefined : plainJson(withoutExtras(withTex(marked))))
  );
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
  const full = modelJson(said) ?? modelJson(fenced.length === 1 ? (fenced[0] ?? '') : '');
  if (full !== undefined) return (typeof full === 'string' ? objectOf(full) : undefined) ?? full;
  for (const each of fenced.reverse().slice(0, mostTried)) {
    const object = objectOf(each);
    if (object) return object;
  }
  return lastObject(said);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Without the entities of HTML that stand for signs of programs. */
export function withoutEntities(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? '');
}

const thoughtTag = '(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|scratchpad)';
/** Those of Magistral, Kimi and gpt-oss, too. */
const thoughtsStart = new RegExp(
  `^\\s*(?:<${thoughtTag}>|\\[THINK\\]|◁think▷|<\\|begin_of_thought\\|>|<\\|channel\\|>analysis)`,
);
const thoughtsEnd = new RegExp(
  `</${thoughtTag}>|\\[/THINK\\]|◁/think▷|<\\|end_of_thought\\|>|<\\|channel\\|>final(?: <\\|constrain\\|>\\w{0,20})?<\\|message\\|>`,
  'g',
);

/** `<think>…</think>` at the beginning, also where its first half is missing; one that does not end is all of it. */
export function withoutThoughts(text: string): string {
  const last = [...text.matchAll(thoughtsEnd)].at(-1);
  if (last) return text.slice(last.index + last[0].length);
  return thoughtsStart.test(text) ? '' : text;
}

/** What is longer, or has more objects, is written by no hand. */
const [mostRepaired, mostTried] = [200_000, 200];

/**
 * Braces of TeX and of programs begin no object: behind the brace of one stands a name in quotation marks. One in brackets or
 * named as an example gives way to one before it.
 */
function lastObject(text: string): JsonObject | undefined {
  const positions: { readonly start: number; readonly end: number }[] = [];
  const openings = /\{\s*(?=["}])/g;
  for (let open = openings.exec(text); open; open = openings.exec(text)) {
    const end = endOfObject(text, open.index);
    // What is begun last counts, and is cut off.
    if (end === null) return objectOf(text.slice(open.index, text.lastIndexOf('}') + 1));
    positions.push({ start: open.index, end });
    openings.lastIndex = end;
  }
  let jsonObject: JsonObject | undefined;
  for (const { start, end } of positions.slice(-mostTried).reverse()) {
    const object = objectOf(text.slice(start, end));
    if (!object || Object.keys(object).length === 0) continue;
    if (!example.test(text.slice(Math.max(0, start - 200), start))) return object;
    jsonObject ??= object;
  }
  return jsonObject;
}

const example = /\([^()\n]*$|\b(?:example|e\.g\.|comparison|would (?:be|get|have|look))[^.\n]*$/i;

function objectOf(text: string): JsonObject | undefined {
  const value = modelJson(text);
  return isJsonObject(value) ? value : undefined;
}

const signs = new RegExp(`${quoted}|[{}]`, 'g');

/** Behind the brace that closes the object at `start`; null where it does not end. */
export function endOfObject(text: string, start: number): number | null {
  signs.lastIndex = start;
  let depth = 0;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    if (sign[0] === '{') depth += 1;
    if (sign[0] === '}') depth -= 1;
    if (depth === 0) return signs.lastIndex;
  }
  return null;
}

/**
 * Without comments, last commas and signs before numbers, with names and the words of Python as JSON has them, and with commas
 * between fields that stand on lines of their own.
 */
function withoutExtras(text: string): string {
  const extras = new RegExp(
    String.raw`(${quoted})|([：，])|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*|\b(True|False|None)\b|\b([A-Za-z_]\w*)(?=\s*:)|\+(?=\d)`,
    'g',
  );
  const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
  const bare = text.replaceAll(extras, (_, string, sign, word, name) =>
    sign ? (sign === '：' ? ':' : ',') : (string ?? words[word] ?? (name ? `"${name}"` : '')),
  );
  const line = String.raw`(?=([ \t\r]*\n\s*")?)`;
  const commas = new RegExp(String.raw`(${quoted}|[\w}\]])${line}|,(?=\s*[}\]])`, 'g');
  return bare.replaceAll(commas, (_, end = '', next = '') => (next === '' ? end : `${end},`));
}

/** Texts in three marks, as Python has them. */
function rawIn(text: string): string {
  return text.replaceAll(
    /([[:,]\s*)("""|''')([\s\S]*?)(?:\2(?=\s*[,}\]])|$)/g,
    (_, before, _mark, raw) => `${before}${JSON.stringify(raw)}`,
  );
}

/**
 * Strings of Python in single marks, curly marks, and marks within a string that nobody escaped: one that ends a string stands
 * before a sign of JSON, one that begins it behind such a sign.
 */
function fixQuotes(text: string): string {
  const plain = text.includes('"') ? text : text.replaceAll(/[“”„]/g, '"');
  if (!/^\s*[[{]/.test(plain)) return text;
  let [written, mark, before] = ['', '', ''];
  for (const { 0: part, index } of plain.matchAll(/[^\\"']+|\\[\s\S]|["'\\]/g)) {
    const suffix = plain.slice(index + part.length, index + part.length + 100);
    const isBegin = mark === '' && /^["']$/.test(part) && /[[{,:]\s*$/.test(before);
    const isEnd = part === mark && /^\s*(?:[,:}\]]|$)/.test(suffix);
    if (isBegin || isEnd) {
      written += '"';
      mark = isBegin ? part : '';
    } else if (mark === '') written += part;
    else written += part === '"' ? '\\"' : part === "\\'" ? "'" : part;
    before = part.slice(-100);
  }
  return written;
}

/** Deeper than anything that is meant: what walks through a value calls itself for each level. */
const deepest = 400;

function isTooDeep(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > deepest || Object.values(value).some((each) => isTooDeep(each, depth + 1));
}

/** Undefined where the text is no JSON, or nested too deeply. */
export function plainJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

const escapes = /\\(?:u[0-9a-fA-F]{4}|[\s\S])/g;
/** None that JSON knows, or one of a control character that no text holds. */
const isSingle = (token: string, next: string) =>
  /^\\(?:[^"\\/bfnrtu]|u$)/.test(token) || (/^\\[bf]$/.test(token) && /[A-Za-z]/.test(next));

function withTex(text: string): string {
  if (!/[\\\n\r\t]/.test(text)) return text;
  let [single, doubled] = [false, false];
  for (const { 0: token, index } of text.matchAll(escapes)) {
    const next = text[index + token.length] ?? '';
    single ||= isSingle(token, next);
    doubled ||= token === '\\\\' && /[A-Za-z([]/.test(next);
    if (single && doubled) break;
  }
  // Who doubles each backslash of TeX means the line breaks that are written.
  const style = doubled && !single ? 'escaped' : single && !doubled ? 'plain' : 'mixed';
  return text.replaceAll(new RegExp(quoted, 'g'), (string) => repairString(string, style));
}

const program =
  /(?:^"|\\n)(?:\\t|\s)*(?:def \w+\(|class \w+(?:\(\w*\))?:|import \w|from \w+ import|#include|for \w+(?:, ?\w+)? in .{1,200}:|(?:if|while) .{1,200}:\s{0,9}\\n(?: {2}|\\t)|(?:const|var) \w+ =|(?:int|fn) \w+\s*[=;(])/;

function repairString(string: string, style: 'escaped' | 'plain' | 'mixed'): string {
  if (!string.includes('\\')) return string.replaceAll(/[\n\r\t]/g, written);
  let mayHoldTex: boolean | undefined;
  // Beside other commands that stand outside of formulas, a line does not break behind a blank.
  const commands = /(?<!\\)\\(?:[ac-eg-mo-qsv-zA-Z]|u(?![0-9a-fA-F]{4}))[A-Za-z]/;
  let hasCommands: boolean | undefined;
  let seen = 0;
  let isInFormula = false;
  return string
    .replaceAll(escapes, (token, at: number) => {
      const next = string[at + token.length] ?? '';
      for (; seen < at; seen += 1) if (string[seen] === '$') isInFormula = !isInFormula;
      const sign = token === '\\\\' ? next : token.slice(1);
      if (/^[()[\]]$/.test(sign)) isInFormula = sign === '(' || sign === '[';
      if (token === '\\\\') return style === 'plain' && /[\s\\[]/.test(next) ? '\\\\\\\\' : token;
      if (isSingle(token, '')) return `\\${token}`;
      mayHoldTex ??= !program.test(string);
      hasCommands ??= commands.test(string);
      const isWithin =
        isInFormula ||
        (hasCommands && /[\s({[_^,=]$|\\[A-Za-z]+$/.test(string.slice(Math.max(0, at - longest), at)));
      // Within a formula no line breaks before what is left of a command.
      const [isEscaped, text] = [style === 'escaped', string.slice(at + 1, at + 1 + longest)];
      const isTex = mayHoldTex && (!isEscaped || isInFormula) && isCommand(text, isWithin && !isEscaped);
      return isTex ? `\\${token}` : token;
    })
    .replaceAll(/[\n\r\t]/g, written);
}

const written = (sign: string): string => JSON.stringify(sign).slice(1, -1);

/** No command is longer. */
const longest = 32;

/** Without what is left of them behind the first letter being a word that may begin a line. */
const clear = new Set(tex.clear.join(' ').split(' '));
/** What is left of these is a word, or the name of a variable: they are TeX within a formula alone. */
const doubtful = new Set(tex.doubtful.split(' '));

/** `text`: from behind the backslash on. */
function isCommand(text: string, isInFormula: boolean): boolean {
  if (/^[bf][A-Za-z]/.test(text)) return true;
  const command = /^[A-Za-z]*/.exec(text)?.[0] ?? '';
  if (doubtful.has(command)) return isInFormula;
  // "eq. (3)" and a variable of this name begin lines as well.
  return clear.has(command) && !/^neq(?:\.(?!\d)|\s*:?=)/.test(text);
}
