/**
 * What the words of a statement say of an answer's values: from where to where they go, which letters and words there are,
 * whether each number comes once. Hints alone: what they come to is tried. Pure.
 */
import { type Amount, fixed } from './answer.ts';

export type Bound = { readonly low: Amount | null; readonly high: Amount | null };

export type Hints = {
  /** By the name without its indices. */
  readonly bounds: ReadonlyMap<string, Bound>;
  /** `U`, `.`, `Yes`: what stands in the text as code, or between quotation marks. */
  readonly words: readonly string[];
  readonly isPermutation: boolean;
};

/** `output`: the section alone, whose words go before those of the whole statement. */
export function hintsIn(output: string, statement: string): Hints {
  const ofOutput = boundsIn(output);
  return {
    bounds: new Map([...boundsIn(statement), ...ofOutput]),
    words: [
      ...new Set([
        ...wordsIn(withoutBlocks(output)),
        ...wordsIn(withoutBlocks(statement)).filter(({ length }) => length === 1),
      ]),
    ].slice(0, mostWords),
    isPermutation: /permutation|順列|並べ替え|並び替え|rearrang|reorder/i.test(output),
  };
}

const comparison =
  /(?<low>-?(?<!\w)\w+)(?<first>[≤<])(?<names>[A-Za-z][\w,]*)(?<second>[≤<])(?<high>[\w^*+-]+)/g;

/** `0 \leq i, j < N` bounds i and j: from 0 to N - 1. */
function boundsIn(text: string): Map<string, Bound> {
  const bounds = new Map<string, Bound>();
  for (const { groups } of plainly(text).matchAll(comparison)) {
    const { low = '', first, names = '', second, high = '' } = groups ?? {};
    const bound = {
      low: shifted(amountOf(low), first === '<' ? 1 : 0),
      high: shifted(amountOf(high), second === '<' ? -1 : 0),
    };
    for (const name of names.split(',')) {
      const [word = ''] = name.split('_');
      if (word !== '' && !bounds.has(word)) bounds.set(word, bound);
    }
  }
  return bounds;
}

function plainly(text: string): string {
  return text
    .replaceAll(/\\(leqslant|leqq|leq|le)(?![A-Za-z])|≦|&le;|<=/g, '≤')
    .replaceAll(/\\lt(?![A-Za-z])|&lt;|＜/g, '<')
    .replaceAll(/\\(times|cdot)(?![A-Za-z])|×/g, '*')
    .replaceAll(/\\[,;! ]|[$`{}\\ \t]/g, '');
}

/** `2N^2-1`, `N-1`, `1000`; null for what is none of these. */
export function amountOf(text: string): Amount | null {
  const clean = text.replaceAll(/[$`{}\\ *]|times|cdot/g, '');
  if (/^-?\d+$/.test(clean)) return fixed(Number(clean));
  const [, times = '', product = '', plus = '0'] =
    /^(\d*)((?:[A-Za-z](?:\^\d)?){1,3}|[A-Za-z]\w+)([+-]\d+)?$/.exec(clean) ?? [];
  if (product === '') return null;
  const names = [...product.matchAll(/([A-Za-z])(?:\^(\d))?/g)].flatMap(([, name = '', power = '1']) =>
    Array.from({ length: Number(power) }, () => name),
  );
  return { times: times === '' ? 1 : Number(times), names, plus: Number(plus) };
}

function shifted(amount: Amount | null, by: number): Amount | null {
  return amount && { ...amount, plus: amount.plus + by };
}

/** More are no alphabet. */
const mostWords = 12;

function wordsIn(text: string): readonly string[] {
  const found = [...text.matchAll(/`([^`\s]{1,12})`|['"“”‘’「]([^'"“”‘’「」\s]{1,12})['"“”‘’」]/g)];
  return found
    .map(([, code, quoted]) => code ?? quoted ?? '')
    .filter((word) => /^([!-/:-@[-`{-~]|[A-Za-z]{1,12}|\d)$/.test(word));
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/(?<![^\n])```[\s\S]*?(?<![^\n])```/g, '');
}
