/**
 * The one way to KaTeX. A formula comes from a model: it writes nothing to the console, loads and links nothing, and costs
 * time in proportion to its length. A formula that would do otherwise is not set; the caller shows its source instead.
 */
import katex, { type KatexOptions } from 'katex';

type Typesetting = {
  readonly isDisplay: boolean;
  readonly faults: 'shown' | 'refused';
  /** `mathml`: for places where the text may contain no style. */
  readonly output?: 'htmlAndMathml' | 'mathml';
};

/**
 * HTML; null where the formula is to be shown as it was written. A fault of syntax is shown in red inside of the HTML, or
 * refused: then there is no HTML at all.
 */
export function typeset(
  tex: string,
  { isDisplay, faults, output = 'htmlAndMathml' }: Typesetting,
): string | null {
  const maxExpand = expansionsOf(tex);
  if (maxExpand === null) return null;
  try {
    return katex.renderToString(tex, {
      ...options,
      output,
      maxExpand,
      displayMode: isDisplay,
      throwOnError: faults === 'refused',
      macros: { ...barred },
    });
  } catch {
    // KaTeX's own faults, barred commands, and formulas that are nested too deeply for its parser.
    return null;
  }
}

/** No links, no pictures, no classes, no warnings; MathML keeps the source for screen readers. */
const options: KatexOptions = { trust: false, strict: 'ignore', maxSize: 40 };

/** Macros of the caller go before KaTeX's own, so no alias and no spelling reaches those that write to the console. */
const barred: KatexOptions['macros'] = { '\\message': refuse, '\\errmessage': refuse, '\\show': refuse };

function refuse(): never {
  throw new Error('This command writes to the console.');
}

/** KaTeX takes more than linear time over longer ones. */
const longestFormula = 10_000;

const definition = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z@])/;

/**
 * How many macros may be expanded. KaTeX counts expansions and not what they expand to: a macro that repeats its parameter
 * doubles the text with each, a long macro adds its length with each.
 */
function expansionsOf(tex: string): number | null {
  if (tex.length > longestFormula) return null;
  if (!definition.test(tex)) return 1_000;
  if (tex.includes('#')) return null;
  return Math.min(20, Math.floor(longestFormula / tex.length));
}
