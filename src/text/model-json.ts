/**
 * JSON as models write it: TeX in its strings often has single backslashes, which JSON reads as a line break and `eq`, a
 * form feed and `rac`. A backslash that begins a command of TeX is one; a line break before a sentence, or in a program,
 * stays. Pure; knows no schema.
 */
import type { Json } from '../core/json.ts';
import tex from './tex-commands.json' with { type: 'json' };

/** Undefined where the text is no JSON, also with its backslashes and line breaks repaired. */
export function modelJson(text: string): Json | undefined {
  return plainJson(withTex(text)) ?? plainJson(text);
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
  // Who doubles each backslash of TeX means the line breaks that are written.
  const style = doubled && !single ? 'escaped' : single && !doubled ? 'plain' : 'mixed';
  // One that never ends is matched too: to look for its end at each of its signs takes too long.
  return text.replaceAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g, (string) => repaired(string, style));
}

const program =
  /(?:^"|\\n)(?:\\t|\s)*(?:def \w+\(|class \w+(?:\(\w*\))?:|import \w|from \w+ import|#include|for \w+(?:, ?\w+)? in .{1,200}:|(?:if|while) .{1,200}:\s{0,9}\\n(?: {2}|\\t)|(?:const|var) \w+ =|(?:int|fn) \w+\s*[=;(])/;

function repaired(string: string, style: 'escaped' | 'plain' | 'mixed'): string {
  const mayHoldTex = style !== 'escaped' && !program.test(string);
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
      const isTex = mayHoldTex && isCommand(string.slice(at + 1, at + 1 + longest), isInFormula);
      return isTex ? `\\${token}` : token;
    })
    .replaceAll(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1));
}

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
