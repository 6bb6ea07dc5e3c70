/** Answers in words and letters: choices, names, yes and no, what is said of no solution. */
import { childrenOf, type Tree } from '../tree.ts';
import written from './words.json' with { type: 'json' };

const group = /\\(?:text(?:rm|bf|it|sf|normal)?|mbox|hbox|mathrm|mathbf|operatorname|textsc)\s*\{([^{}]*)\}/g;

/** Without the commands that set words upright; `isText` where there were any. */
export function flattened(text: string): { readonly flat: string; readonly isText: boolean } {
  const flat = text.replaceAll(group, (_, content: string) => content);
  return { flat: flat.replaceAll(/\s+/g, ' ').trim(), isText: flat !== text };
}

/** `(C)`, `\text{C}`, `C)`, `(C) 12`: the letter; null where it is none. A bare `C` may be a variable. */
export function choiceIn(flat: string, isText: boolean): Tree | null {
  const bracketed = /^\(\s*([A-Ja-j])\s*\)(?:[.:]?(?:\s.*)?)?$/s.exec(flat)?.[1];
  const rest = flat.replace(/^\([^()]*\)/, '').trim();
  if (bracketed && (/[A-J]/.test(bracketed) || isText) && !/^[-+*/^_=<>!]/.test(rest))
    return choice(bracketed);
  const [, closed, text = ''] = /^([A-J])\s*[).:](?:\s(.*))?$/s.exec(flat) ?? [];
  if (closed && !/[<>=\\]|(?:^|[\s,;])[A-J]\s*[).:]/.test(text)) return choice(closed);
  const [, small] = /^([a-j])\)$/.exec(flat) ?? [];
  if (small) return choice(small);
  return isText && /^[A-J]$/.test(flat) ? choice(flat) : null;
}

function choice(letter: string): Tree {
  return { kind: 'choice', letter: letter.toUpperCase() };
}

const nothing =
  /^(?:there (?:is|are) )?no (?:real |integer |such )?(?:solutions?|values?|answers?|roots?)(?: exists?)?$/;
const everything = /^(?:all|every|any) real(?: numbers?| values?)?$/;

/** Words, where they are no mathematics; null where they may be. */
export function textIn(flat: string, isText: boolean): Tree | null {
  const plain = wordsToMath(flat);
  if (nothing.test(plain)) return { kind: 'set', items: [] };
  if (everything.test(plain)) return { kind: 'domain', name: 'reals' };
  if (!/^[\p{L}\p{M}][\p{L}\p{M}\s'".,!?&-]*$/u.test(flat)) return null;
  const runs = flat.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (runs.length > 1 && runs.every(isMathematics) && runs.some(functionNamed)) return null;
  if (runs.every(isMathematics)) return isText && flat.length > 1 && !words.has(plain) ? asText(flat) : null;
  return asText(flat);
}

/** One or two letters are variables, and so are the names of functions and Greek letters. */
export function isMathematics(run: string): boolean {
  if (/[^a-zA-Z]/.test(run)) return run.length === 1;
  return run.length <= 2
    ? !/^(?:no|ok)$/i.test(run)
    : words.has(run.toLowerCase()) || greekLetters.has(run) || functionNamed(run) !== undefined;
}

export function asText(text: string): Tree {
  return { kind: 'text', text: /^[\p{L}\p{M}\s'".,!?&-]+$/u.test(text) ? wordsToMath(text) : text.trim() };
}

/** Without case, accents of writing and what ends a sentence. */
function wordsToMath(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/["“”]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|an?) (?=\S)/, '')
    .replace(/(?<![\s.,;:!])[\s.,;:!]+$/, '')
    .replace(/^(?:limit )?does(?: not|n['’]t) exist$/, 'dne');
}

/** Letters side by side may be a word that was set as mathematics, as in `$Even$`. */
export function variableLetters(tree: Tree): string | null {
  if (tree.kind === 'text') return tree.text;
  if (tree.kind === 'symbol') return tree.name.replaceAll('"', '').toLowerCase();
  if (tree.kind === 'constant') return tree.name;
  if (tree.kind !== 'product') return null;
  const chars = childrenOf(tree).map(variableLetters);
  return chars.includes(null) ? null : chars.join('');
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Their braces hold words or an upright symbol, not mathematics. */
export const textCommands = setOf(written.textCommands);
/** Words of two and more letters that are no product of variables. */
export const words = setOf(written.plainWords);
export const greekLetters = setOf(written.greekLetters);
/** Accents and alphabets: they are part of the name below them. */
export const decorations = setOf(written.decorations);
/** Signs between operands or behind them; none is an operand itself. */
export const operatorCommands = setOf(written.operatorCommands);

/** As written, with the name in the tree. */
const functions = new Map<string, string>([
  ...written.functions.split(' ').map((name) => [name, name] as const),
  ...[...written.functionAliases.matchAll(/(\w+) (\w+)/g)].map(
    ([, alias = '', name = '']) => [alias, name] as const,
  ),
]);

export function functionNamed(name: string): string | undefined {
  return functions.get(name);
}

export const domains: Readonly<Record<string, string>> = {
  R: 'reals',
  Z: 'integers',
  N: 'naturals',
  Q: 'rationals',
  C: 'complex',
};
