/**
 * A proof as a LaTeX document. Markdown becomes commands, formulas stay what they are, and all else is escaped: nothing of
 * what models wrote is a command outside of a formula. Pure.
 */
import type { Token } from 'markdown-it';
import type { Cell } from '../../../text/table.ts';
import type { Content } from './content.ts';
import tables from './latex.json' with { type: 'json' };
import { type Formula, lineOf } from './math.ts';
import { tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

export function latexOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, rebuttals, reports } = content;
  const body = [
    section('The problem', `\\begin{quote}\n${rendered(statement)}\n\\end{quote}`),
    hints.length
      ? section('Hints', list(hints.map(({ from, hint }) => `\\emph{${latexText(from)}:} ${rendered(hint)}`)))
      : '',
    proof ? section(proof.heading, rendered(proof.text)) : '',
    ...rebuttals.map(({ heading, text }) => section(heading, rendered(text))),
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
  return `${preamble(lineOf(title, { words: latexText, formula: latexMath }))}\n${body.filter(Boolean).join('\n\n')}\n\n\\end{document}\n`;
}

/** For pdfTeX, XeTeX and LuaTeX; the last two know every letter. */
function preamble(title: string): string {
  return tables.preamble.join('\n').replace('TITLE', () => title);
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
  const textOf = ({ type, content, meta }: Token): string => {
    if (type === 'math') return latexMath(meta as Formula);
    if (type === 'code_inline') return `\\texttt{${latexText(content)}}`;
    return type === 'link_close' ? '' : (commands[type] ?? latexText(content));
  };
  return (children ?? []).map(textOf).join('');
}

/** Its end cannot be written inside of it. */
function verbatim(text: string): string {
  const lines = text.trimEnd().split('\n');
  const set = lines.map((line) => `\\texttt{${latexText(line).replaceAll(' ', '~')}}`);
  return `\n\\begin{quote}\n${set.join(' \\\\\n')}\n\\end{quote}\n\n`;
}

function latexMath(formula: Formula): string {
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

/**
 * Whether a formula uses only commands that KaTeX sets and that do nothing but set. None of them defines, reads or writes
 * files, writes to the terminal, links, changes how TeX reads, or throws an argument away unread.
 */
function usesOnlySetting(tex: string): boolean {
  // To TeX `^^5c` is a backslash.
  if (tex.includes('^^')) return false;
  return [...tex.matchAll(/\\([A-Za-z]+|[\s\S]|$)/g)].every(([, name = '']) => known.has(name));
}

/** Inside of a display these environments have other names. */
const inner: Readonly<Record<string, string>> = tables.inner;

function inDisplay(tex: string): string {
  return tex
    .replaceAll(/\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}/g, '')
    .replaceAll(
      /\\(begin|end)\{(align|alignat|gather|multline|eqnarray)\*?\}/g,
      (_, side, name) => `\\${side}{${inner[name]}}`,
    )
    .trim();
}

const special: Readonly<Record<string, string>> = tables.special;

/** Letters that TeX's older engines do not know, each with what its mathematics has for it. */
const signs = lettersIn(tables.signs.join('  '));

function lettersIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\S) (\S+)/gu)].map(([, letter = '', sign = '']) => [letter, sign]));
}

/** Nothing of the text begins a command, ends a group or a paragraph, or is a comment. */
function latexText(text: string): string {
  return [
    ...withoutControls(text)
      .toWellFormed()
      .replaceAll(/\n\s*\n/g, '\n'),
  ]
    .map((character) => {
      const sign = signs.get(character);
      return special[character] ?? (sign === undefined ? character : `\\ensuremath{${sign}}`);
    })
    .join('');
}

/** Signs inside of mathematics. */
function latexSigns(tex: string): string {
  return [...withoutControls(tex)]
    .map((character) => (signs.has(character) ? `{${signs.get(character)}}` : character))
    .join('');
}

function withoutControls(text: string): string {
  return text.replaceAll(controls, '');
}

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TeX stops at them.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;

const commandSigns = '!"#$%&\'(),.:;=>\\^_`{|}~ \t\n';

const known: ReadonlySet<string> = new Set([...commandSigns, ...tables.commands.join(' ').split(' ')]);
