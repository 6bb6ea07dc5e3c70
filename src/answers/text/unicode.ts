/** Unicode's mathematics as LaTeX, full-width forms as ASCII; what cannot be seen is dropped. */

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ';
const plainSuperscripts = '0123456789+-=()ni';
const subscripts = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢₖ';
const plainSubscripts = '0123456789+-=()nik';

const greek =
  'α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega';

const symbols: Readonly<Record<string, string>> = {
  '×': '\\times ',
  '⋅': '\\cdot ',
  '·': '\\cdot ',
  '∙': '\\cdot ',
  '•': '\\cdot ',
  '∗': '*',
  '÷': '/',
  '∕': '/',
  '⁄': '/',
  '≤': '\\le ',
  '⩽': '\\le ',
  '≦': '\\le ',
  '≥': '\\ge ',
  '⩾': '\\ge ',
  '≧': '\\ge ',
  '≠': '\\ne ',
  '≈': '\\approx ',
  '≅': '\\cong ',
  '≡': '\\equiv ',
  '∈': '\\in ',
  '∉': '\\notin ',
  '∪': '\\cup ',
  '∩': '\\cap ',
  '∖': '\\setminus ',
  '∅': '\\emptyset ',
  '∞': '\\infty ',
  '√': '\\sqrt ',
  '∛': '\\sqrt[3] ',
  '∜': '\\sqrt[4] ',
  '±': '\\pm ',
  '∓': '\\mp ',
  '°': '^\\circ ',
  º: '^\\circ ',
  '∑': '\\sum ',
  '∏': '\\prod ',
  '∫': '\\int ',
  '∠': '\\angle ',
  '△': '\\triangle ',
  ℝ: '\\mathbb{R}',
  ℤ: '\\mathbb{Z}',
  ℚ: '\\mathbb{Q}',
  ℕ: '\\mathbb{N}',
  ℂ: '\\mathbb{C}',
  '⟨': '\\langle ',
  '⟩': '\\rangle ',
  '→': '\\to ',
  '⇒': '\\Rightarrow ',
  '∧': '\\land ',
  '∨': '\\lor ',
  '′': "'",
  '’': "'",
  '‘': "'",
  '…': '\\ldots ',
  '⌊': '\\lfloor ',
  '⌋': '\\rfloor ',
  '⌈': '\\lceil ',
  '⌉': '\\rceil ',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '﹣': '-',
  '“': '"',
  '”': '"',
  '½': '\\frac{1}{2}',
  '⅓': '\\frac{1}{3}',
  '⅔': '\\frac{2}{3}',
  '¼': '\\frac{1}{4}',
  '¾': '\\frac{3}{4}',
  '⅕': '\\frac{1}{5}',
  '⅖': '\\frac{2}{5}',
  '⅗': '\\frac{3}{5}',
  '⅘': '\\frac{4}{5}',
  '⅙': '\\frac{1}{6}',
  '⅚': '\\frac{5}{6}',
  '⅛': '\\frac{1}{8}',
  '⅜': '\\frac{3}{8}',
  '⅝': '\\frac{5}{8}',
  '⅞': '\\frac{7}{8}',
};

const table = new Map<string, string>(Object.entries(symbols));
const letters = greek.split(' ');
for (let at = 0; at + 1 < letters.length; at += 2) table.set(letters[at] ?? '', `\\${letters[at + 1]} `);

/** Zero-width characters, marks of direction, soft hyphens, controls but for white space. */
const unseen = /(?!\s)[\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ue000-\ue003\ufeff]/gu;

export function withoutUnicodeMathematics(text: string): string {
  return text
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replaceAll(unseen, '')
    .replaceAll(/[！-～]/g, (full) => String.fromCharCode(full.charCodeAt(0) - 0xfee0))
    .replaceAll(
      new RegExp(`[${superscripts}]+`, 'g'),
      (run) => `^{${mapped(run, superscripts, plainSuperscripts)}}`,
    )
    .replaceAll(
      new RegExp(`[${subscripts}]+`, 'g'),
      (run) => `_{${mapped(run, subscripts, plainSubscripts)}}`,
    )
    .replaceAll(/(?!\d)\p{Nd}/gu, digitOf)
    .replaceAll(/[^\p{ASCII}]/gu, (each) => table.get(each) ?? each);
}

const digits = new Map<string, string>();

/** Decimal digits of any script lie in tens, each from its zero to its nine. */
function digitOf(digit: string): string {
  const known = digits.get(digit);
  if (known) return known;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && isDigit(zero - 1)) zero -= 1;
  // The bold, the sans-serif and the monospace digits follow one another without a gap.
  const value = code >= 0x1d7ce && code <= 0x1d7ff ? (code - 0x1d7ce) % 10 : code - zero;
  digits.set(digit, String(value));
  return String(value);
}

function isDigit(code: number): boolean {
  return /^\p{Nd}$/u.test(String.fromCodePoint(code));
}

function mapped(run: string, from: string, to: string): string {
  return [...run].map((each) => to[from.indexOf(each)] ?? '').join('');
}
