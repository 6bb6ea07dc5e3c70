/**
 * A proof as a LaTeX document. Markdown becomes commands, formulas stay what they are, and all else is escaped: nothing of
 * what models wrote is a command outside of a formula. Pure.
 */
import type { Token } from 'markdown-it';
import type { Cell } from '../../../text/table.ts';
import type { Content } from './content.ts';
import { usesOnlySetting } from './latex-commands.ts';
import type { Formula } from './math.ts';
import { tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

export function latexOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, reports } = content;
  const body = [
    section('The problem', `\\begin{quote}\n${rendered(statement)}\n\\end{quote}`),
    hints.length
      ? section('Hints', list(hints.map(({ from, hint }) => `\\emph{${latexText(from)}:} ${rendered(hint)}`)))
      : '',
    proof ? section(proof.heading, rendered(proof.text)) : '',
    ...attempts.map(({ heading, head, rows }) => section(heading, tableText(head, rows))),
    ...lists.map(({ heading, lines }) => section(heading, list(lines.map(rendered)))),
    findings.length ? '\\section*{What was found}' : '',
    ...findings.map(
      ({ heading, quote, text }) =>
        `\\subsection*{${latexText(heading)}}\n\n\\begin{quote}\n${rendered(quote)}\n\\end{quote}\n\n${rendered(text)}`,
    ),
    reports.length ? '\\section*{The reports}' : '',
    ...reports.map(({ heading, text }) => `\\subsection*{${latexText(heading)}}\n\n${rendered(text)}`),
    section(
      'How it came about',
      list(facts.map(([name, fact]) => `\\textbf{${latexText(name)}:} ${latexText(fact)}`)),
    ),
  ];
  return `${preamble(title)}\n${body.filter(Boolean).join('\n\n')}\n\n\\end{document}\n`;
}

/** For pdfTeX, XeTeX and LuaTeX; the last two know every letter. */
function preamble(title: string): string {
  return String.raw`\documentclass[11pt]{article}
\usepackage{iftex}
\ifpdftex
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
\else
  \usepackage{fontspec}
\fi
\usepackage{textcomp}
\usepackage{amsmath,amssymb,mathtools,bm,cancel,xcolor}
\usepackage[margin=2.5cm]{geometry}
\providecommand{\N}{\mathbb{N}}
\providecommand{\Z}{\mathbb{Z}}
\providecommand{\Q}{\mathbb{Q}}
\providecommand{\R}{\mathbb{R}}
\providecommand{\Complex}{\mathbb{C}}
\setlength{\parindent}{0pt}
\setlength{\parskip}{.6em}
\sloppy
\title{${latexText(title)}}
\date{}

\begin{document}
\maketitle
`;
}

function section(heading: string, text: string): string {
  return `\\section*{${latexText(heading)}}\n\n${text}`;
}

function list(items: readonly string[]): string {
  return `\\begin{itemize}\n${items.map((item) => `\\item {}${item}`).join('\n')}\n\\end{itemize}`;
}

function tableText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `${cells.map((cell) => latexText(String(cell))).join(' & ')} \\\\`;
  return [
    `\\begin{tabular}{${'l'.repeat(head.length)}}`,
    `${line(head)} \\hline`,
    ...rows.map(line),
    '\\end{tabular}',
  ].join('\n');
}

/** Markdown with TeX as LaTeX. */
export function rendered(text: string): string {
  return tokensOf(text)
    .tokens.map((token) => (token.type === 'inline' ? inlineText(token) : blockText(token)))
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** What opens and closes: commands of ours around what is escaped. */
const commands: Readonly<Record<string, string>> = {
  ...{ paragraph_open: '', paragraph_close: '\n\n', hr: '\n\\par\\medskip\\hrule\\medskip\n\n' },
  ...{ heading_open: '\n{\\bfseries ', heading_close: '}\\par\n\n' },
  ...{ bullet_list_open: '\n\\begin{itemize}\n', bullet_list_close: '\\end{itemize}\n\n' },
  ...{ ordered_list_open: '\n\\begin{enumerate}\n', ordered_list_close: '\\end{enumerate}\n\n' },
  ...{ list_item_open: '\\item {}', list_item_close: '\n' },
  ...{ blockquote_open: '\n\\begin{quote}\n', blockquote_close: '\\end{quote}\n\n' },
  ...{ table_close: '\\end{tabular}\n\n', tr_close: ' \\\\\n', thead_close: '\\hline\n' },
  ...{ strong_open: '\\textbf{', strong_close: '}', em_open: '\\emph{', em_close: '}' },
  ...{ softbreak: '\n', hardbreak: ' \\\\{}\n' },
};

function blockText(token: Token): string {
  const { type, content } = token;
  if (type === 'fence' || type === 'code_block') return verbatim(content);
  // Wider than any table needs: how many columns it has, its first row tells.
  if (type === 'table_open') return `\n\\begin{tabular}{*{30}{l}}\n`;
  if (type === 'td_close' || type === 'th_close') return ' & ';
  if (type === 'tr_close') return ' \\\\\n';
  return commands[type] ?? '';
}

function inlineText({ children }: Token): string {
  return (children ?? [])
    .map((child) => {
      switch (child.type) {
        case 'math':
          return latexMath(child.meta as Formula);
        case 'code_inline':
          return `\\texttt{${latexText(child.content)}}`;
        case 'link_close':
          return '';
        default:
          return commands[child.type] ?? latexText(child.content);
      }
    })
    .join('');
}

/** Its end cannot be written inside of it. */
function verbatim(text: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => `\\texttt{${latexText(line).replaceAll(' ', '~')}}`);
  return `\n\\begin{quote}\n${lines.join(' \\\\\n')}\n\\end{quote}\n\n`;
}

export function latexMath(formula: Formula): string {
  const { isDisplay, source } = formula;
  const tex = settled(latexSigns(formula.tex));
  const written = isDisplay ? inDisplay(tex) : tex;
  if (!isWhole(written, isDisplay)) return `\\texttt{${latexText(source)}}`;
  return isDisplay ? `\\[\n${written}\n\\]` : `$${written}$`;
}

/** An empty line ends mathematics, and a comment would eat its end. */
function settled(tex: string): string {
  return tex
    .replaceAll(/(?<!\\)((?:\\\\)*)%[^\n]*/g, '$1')
    .replaceAll(/\n\s*\n/g, '\n')
    .trim();
}

/** Asked of the text as it will be written: what is taken out of it may join two halves of a command. */
function isWhole(tex: string, isDisplay: boolean): boolean {
  return tex !== '' && usesOnlySetting(tex) && typeset(tex, { isDisplay, faults: 'refused' }) !== null;
}

/** Inside of a display these environments have other names. */
const inner: Readonly<Record<string, string>> = {
  align: 'aligned',
  alignat: 'alignedat',
  gather: 'gathered',
  multline: 'gathered',
  eqnarray: 'aligned',
};

function inDisplay(tex: string): string {
  return tex
    .replaceAll(/\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}/g, '')
    .replaceAll(
      /\\(begin|end)\{(align|alignat|gather|multline|eqnarray)\*?\}/g,
      (_, side, name) => `\\${side}{${inner[name]}}`,
    )
    .trim();
}

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
