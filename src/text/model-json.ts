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
  return text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, (string) => repaired(string, style));
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

/** Without what is left of them behind the first letter being a word that may begin a line. */
const clear = new Set(tex.clear.join(' ').split(' '));
/** What is left of these is a word, or the name of a variable: they are TeX within a formula alone. */
const doubtful = new Set(tex.doubtful.split(' '));

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
