/**
 * The one way to KaTeX. A formula comes from a model: it writes nothing to the console, loads and links nothing, and costs
 * time in proportion to its length. A formula that would do otherwise is not set; the caller shows its source instead.
 */
import katex, { type KatexOptions } from 'katex';

/** MathML; null where the formula has a fault or is not to be set: then it is shown as it was written. */
export function typeset(tex: string, isDisplay: boolean): string | null {
  const maxExpand = countExpansions(tex);
  if (maxExpand === null) return null;
  try {
    return katex.renderToString(tex, {
      ...options,
      maxExpand,
      displayMode: isDisplay,
      macros: { ...barred },
    });
  } catch {
    // KaTeX's own faults, barred commands, and formulas that are nested too deeply for its parser.
    return null;
  }
}

/**
 * Whether a formula that KaTeX sets does nothing but set in TeX too: KaTeX knows no command that reads or writes files, but
 * some that define others, link, load, or throw an argument away unread.
 */
export function canTypeset(tex: string, isDisplay: boolean): boolean {
  // To TeX `^^5c` is a backslash.
  return !tex.includes('^^') && !doesMore.test(tex) && typeset(tex, isDisplay) !== null;
}

const doesMore =
  /\\(?:@|(?:[egx]?def|let|futurelet|(?:re|provide)?(?:new)?command|global|long|expandafter|noexpand|char|verb|TextOrMath|html\w*|href|url|includegraphics)(?![A-Za-z]))/;

/** No links, no pictures, no classes, no warnings. */
const options: KatexOptions = { trust: false, strict: 'ignore', maxSize: 40, output: 'mathml' };

/** Macros of the caller go before KaTeX's own, so no alias and no spelling reaches those that write to the console. */
const barred: KatexOptions['macros'] = {
  '\\message': rejectFormula,
  '\\errmessage': rejectFormula,
  '\\show': rejectFormula,
};

function rejectFormula(): never {
  throw new Error('This command writes to the console.');
}

/** KaTeX takes more than linear time over longer ones. */
const longestFormula = 10_000;

const definition = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z@])/;

/**
 * How many macros may be expanded. KaTeX counts expansions and not what they expand to: a macro that repeats its parameter
 * doubles the text with each, a long macro adds its length with each.
 */
function countExpansions(tex: string): number | null {
  if (tex.length > longestFormula) return null;
  if (!definition.test(tex)) return 1_000;
  if (tex.includes('#')) return null;
  return Math.min(20, Math.floor(longestFormula / tex.length));
}
