/**
 * What stands in an input format, word by word: names with their indices, as statements write them in LaTeX, and dots for
 * what goes on. Pure.
 */

/** A number, or a name of the input plus a number: `5`, `N`, `N-1`. `of`: the row's own field, as in `s_{1,c_1}`. */
export type Extent = { readonly name: string | null; readonly plus: number; readonly ofRow: boolean };

export type Word =
  | { readonly type: 'dots' }
  | { readonly type: 'name'; readonly name: string; readonly indices: readonly Extent[] };

/** Null where the format has something else: then nobody knows how to read it. */
export function wordsOf(line: string): readonly Word[] | null {
  const texts = line
    .replaceAll(/[$`]|<\/?var>|\\[,;! ]/g, ' ')
    .replaceAll(/\\(?:mathrm|mathit|text|textrm|rm)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/\s*,\s*(?=[^{}]*\})/g, ',')
    .split(/\s+/)
    .filter(Boolean);
  const words = texts.map(wordOf);
  return words.every((word) => word !== null) ? words : null;
}

const dots = /^(\\[cdlvh]?dots[a-z]?|:|\.{2,}|[…⋮⋯︙])$/;

function wordOf(text: string): Word | null {
  if (dots.test(text)) return { type: 'dots' };
  const [, name = '', braced, bare] =
    /^\\?([A-Za-z][A-Za-z0-9]*)(?:_(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|([A-Za-z0-9])))?$/.exec(text) ?? [];
  if (name === '') return null;
  const subscript = braced ?? bare;
  if (subscript === undefined) return { type: 'name', name, indices: [] };
  const indices = subscript.split(',').map(extentOf);
  return indices.every((index) => index !== null) ? { type: 'name', name, indices } : null;
}

function extentOf(text: string): Extent | null {
  const clean = text.replaceAll(/[\s\\]/g, '');
  if (/^\d+$/.test(clean)) return { name: null, plus: Number(clean), ofRow: false };
  const [, name, ofRow, sign, number] =
    /^([A-Za-z][A-Za-z0-9]*)(_\{?[A-Za-z0-9]+\}?)?(?:([+-])(\d+))?$/.exec(clean) ?? [];
  if (name === undefined) return null;
  const plus = number === undefined ? 0 : Number(`${sign}${number}`);
  return { name, plus, ofRow: ofRow !== undefined };
}
