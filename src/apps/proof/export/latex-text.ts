/** Text as LaTeX: what would be a command is escaped, signs of mathematics outside of it become commands. Pure. */

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '"': '\\textquotedbl{}',
  '\u00a0': '~',
  '…': '\\dots{}',
  '∎': '\\ensuremath{\\blacksquare}',
};

/** What TeX's older engines do not know as a letter, and its mathematics do. */
const signs: Readonly<Record<string, string>> = {
  ...{ '≤': '\\le', '≥': '\\ge', '≠': '\\ne', '≡': '\\equiv', '≈': '\\approx', '≅': '\\cong', '∼': '\\sim' },
  ...{ '→': '\\to', '←': '\\leftarrow', '↔': '\\leftrightarrow', '⇒': '\\Rightarrow', '⇐': '\\Leftarrow' },
  ...{
    '⇔': '\\Leftrightarrow',
    '↦': '\\mapsto',
    '∈': '\\in',
    '∉': '\\notin',
    '⊂': '\\subset',
    '⊆': '\\subseteq',
  },
  ...{ '∪': '\\cup', '∩': '\\cap', '∅': '\\emptyset', '∀': '\\forall', '∃': '\\exists', '∧': '\\wedge' },
  ...{ '∨': '\\vee', '¬': '\\neg', '×': '\\times', '·': '\\cdot', '÷': '\\div', '±': '\\pm', '∓': '\\mp' },
  ...{
    '√': '\\surd',
    '∞': '\\infty',
    '∑': '\\sum',
    '∏': '\\prod',
    '∫': '\\int',
    '∂': '\\partial',
    '∇': '\\nabla',
  },
  ...{
    ℕ: '\\mathbb{N}',
    ℤ: '\\mathbb{Z}',
    ℚ: '\\mathbb{Q}',
    ℝ: '\\mathbb{R}',
    ℂ: '\\mathbb{C}',
    '∣': '\\mid',
  },
  ...{ '⌊': '\\lfloor', '⌋': '\\rfloor', '⌈': '\\lceil', '⌉': '\\rceil', '⟨': '\\langle', '⟩': '\\rangle' },
  ...{
    '−': '-',
    '∘': '\\circ',
    '⊕': '\\oplus',
    '⊗': '\\otimes',
    '∥': '\\parallel',
    '⊥': '\\perp',
    '∠': '\\angle',
  },
  ...{
    '∤': '\\nmid',
    '⋅': '\\cdot',
    '∖': '\\setminus',
    '≪': '\\ll',
    '≫': '\\gg',
    '△': '\\triangle',
    '°': '^\\circ',
  },
  ...{ α: '\\alpha', β: '\\beta', γ: '\\gamma', δ: '\\delta', ε: '\\varepsilon', ζ: '\\zeta', η: '\\eta' },
  ...{ θ: '\\theta', ι: '\\iota', κ: '\\kappa', λ: '\\lambda', μ: '\\mu', ν: '\\nu', ξ: '\\xi', π: '\\pi' },
  ...{
    ρ: '\\rho',
    σ: '\\sigma',
    τ: '\\tau',
    υ: '\\upsilon',
    φ: '\\varphi',
    χ: '\\chi',
    ψ: '\\psi',
    ω: '\\omega',
  },
  ...{
    Γ: '\\Gamma',
    Δ: '\\Delta',
    Θ: '\\Theta',
    Λ: '\\Lambda',
    Ξ: '\\Xi',
    Π: '\\Pi',
    Σ: '\\Sigma',
    Φ: '\\Phi',
  },
  ...{
    Ψ: '\\Psi',
    Ω: '\\Omega',
    '²': '^2',
    '³': '^3',
    '¹': '^1',
    '⁴': '^4',
    ⁿ: '^n',
    '₀': '_0',
    '₁': '_1',
    '₂': '_2',
  },
  ...{
    '′': "'",
    '″': "''",
    '⋯': '\\cdots',
    '∴': '\\therefore',
    '□': '\\square',
    '■': '\\blacksquare',
    '✓': '\\checkmark',
  },
};

/** No line of what strangers wrote begins a command, ends a group, or is a comment. */
export function latexText(text: string): string {
  return [...withoutControls(text)]
    .map((character) => {
      const sign = signs[character];
      return special[character] ?? (sign === undefined ? character : `\\ensuremath{${sign}}`);
    })
    .join('');
}

/** Signs inside of mathematics. */
export function latexSigns(tex: string): string {
  return [...withoutControls(tex)]
    .map((character) => (Object.hasOwn(signs, character) ? `{${signs[character]}}` : character))
    .join('');
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TeX stops at them.
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
}
