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
  const texts = textsOf(line).replaceAll(together, (whole) => {
    const run = runOf(whole);
    return run ? withoutLast(run.first) : whole;
  });
  const words = texts.split(/\s+/).filter(Boolean).map(wordOf);
  return words.every((word) => word !== null) ? words : null;
}

/** What stands in a row without spaces between, `c_{0,0}c_{0,1}\cdots c_{0,N-1}`, is one word: how long it is, by its name. */
export function gluedIn(format: string): ReadonlyMap<string, Extent> {
  const lengths = new Map<string, Extent>();
  for (const [whole] of textsOf(format).matchAll(together)) {
    const run = runOf(whole);
    const [from, to] = [run && wordOf(run.first), run && wordOf(run.last)];
    if (from?.type !== 'name' || to?.type !== 'name') continue;
    const [begin, end] = [from.indices.at(-1), to.indices.at(-1)];
    if (begin?.name === null && end && !lengths.has(from.name)) {
      lengths.set(from.name, { ...end, plus: end.plus - begin.plus + 1 });
    }
  }
  return lengths;
}

function textsOf(format: string): string {
  return format
    .replaceAll(/[$`]|<\/?var>|\\[,;! ]/g, ' ')
    .replaceAll(/\\(?:mathrm|mathit|text|textrm|rm)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/(?<![^{}])[^{}]*\}/g, (inBraces) => inBraces.replaceAll(/(?<!\s)\s*,\s*/g, ','));
}

const indexed = String.raw`[A-Za-z]+_(?:\{[^{}\n]*\}|[A-Za-z0-9])`;
const going = String.raw`(?:\\[cdl]?dots|…|⋯|\.{2,})`;
const together = new RegExp(
  `(?<![A-Za-z0-9_}])${indexed}(?:(?:${indexed})+(?:[ ]*${going}[ ]*${indexed})?|${going}[ ]*${indexed})(?:${indexed})*`,
  'g',
);

type Run = { readonly first: string; readonly last: string };

/** Null where what stands together has more than one name. */
function runOf(text: string): Run | null {
  // `\\cdotsc_{1}` is dots and a name.
  const names = text.replaceAll(new RegExp(going, 'g'), ' ').match(new RegExp(indexed, 'g')) ?? [];
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const words = new Set(names.map((name) => name.split('_')[0]));
  return words.size === 1 && names.length > 1 ? { first, last } : null;
}

/** The indices that tell the row. */
function withoutLast(name: string): string {
  const [, word = '', subscript = ''] = /^([A-Za-z]+)_\{?([^{}]*)\}?$/.exec(name) ?? [];
  const indices = subscript.split(',').slice(0, -1);
  return indices.length === 0 ? word : `${word}_{${indices.join(',')}}`;
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
