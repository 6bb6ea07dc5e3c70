/**
 * A formula of somebody's as mathematics of a LaTeX document. KaTeX's parser is the judge of what is whole: what it cannot
 * read, and what could reach out of a formula, is shown letter by letter instead. Pure.
 */
import katex from 'katex';
import { latexSigns, latexText } from './latex-text.ts';
import type { Formula } from './math.ts';

export function latexMath(formula: Formula): string {
  const { isDisplay, source } = formula;
  const tex = settled(formula.tex);
  if (!isWhole(tex, isDisplay)) return `\\texttt{${latexText(source)}}`;
  const written = latexSigns(isDisplay ? inDisplay(tex) : tex);
  return isDisplay ? `\\[\n${written}\n\\]` : `$${written}$`;
}

/** An empty line ends mathematics, and a comment would eat its end. */
function settled(tex: string): string {
  return tex
    .replaceAll(/(?<!\\)((?:\\\\)*)%[^\n]*/g, '$1')
    .replaceAll(/\n\s*\n/g, '\n')
    .trim();
}

/** Definitions outlive their formula, and what is KaTeX's own LaTeX does not know. */
const barred =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|html\w*|href|url|includegraphics|char|verb|tag|label|ref|eqref)(?![A-Za-z])/;

function isWhole(tex: string, displayMode: boolean): boolean {
  if (tex === '' || barred.test(tex)) return false;
  try {
    katex.renderToString(tex, {
      displayMode,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 1_000,
    });
    return true;
  } catch {
    return false;
  }
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
