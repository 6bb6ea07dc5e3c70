/** Unicode's mathematics as LaTeX, full-width forms as ASCII; what cannot be seen is dropped. */

/** Characters with the command that means the same, and plain characters with those that stand for them. */
import written from './unicode.json' with { type: 'json' };

const table = new Map<string, string>();
for (const [, character = '', command] of written.commands.matchAll(/(\S+) (\S+)/g))
  table.set(character, `\\${command} `);
for (const [plain, all] of Object.entries(written.characters)) for (const each of all) table.set(each, plain);

/** Zero-width characters, marks of direction, soft hyphens, controls but for white space. */
const unseen = /(?!\s)[\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ue000-\ue003\ufeff]/gu;

export function withoutUnicodeMathematics(text: string): string {
  return text
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replaceAll(unseen, '')
    .replaceAll(/[！-～]/g, compatible)
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+/g, (run) => `^{${compatible(run)}}`)
    .replaceAll(/[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢₖ]+/g, (run) => `_{${compatible(run)}}`)
    .replaceAll(/[½⅓⅔¼¾⅕-⅞]/g, (fraction) => compatible(fraction).replace(/(.)⁄(.)/, '\\frac{$1}{$2}'))
    .replaceAll(/[ℝℤℚℕℂ]/g, (set) => `\\mathbb{${compatible(set)}}`)
    .replaceAll(/(?!\d)\p{Nd}/gu, digitOf)
    .replaceAll(/[^\p{ASCII}]/gu, (each) => table.get(each) ?? each);
}

/** What Unicode calls the plain form of a character. */
function compatible(text: string): string {
  return text.normalize('NFKC');
}

const digits = new Map<string, string>();

/** Decimal digits of any script lie in tens, each from its zero to its nine. */
export function digitOf(digit: string): string {
  const known = digits.get(digit);
  if (known) return known;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  // Bold, sans-serif and monospace digits follow one another without a gap, but have a plain form.
  const plain = compatible(digit);
  const value = /^\d$/.test(plain) ? plain : String(code - zero);
  digits.set(digit, value);
  return value;
}
