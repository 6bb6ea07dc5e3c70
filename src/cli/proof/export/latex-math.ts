/**
 * A formula of somebody's as mathematics of a LaTeX document. KaTeX's parser is the judge of what is whole, a list of commands
 * of what is harmless: anything else is shown letter by letter instead. Pure.
 */
import { usesOnlySetting } from './latex-commands.ts';
import { latexSigns, latexText } from './latex-text.ts';
import type { Formula } from './math.ts';
import { typeset } from './typeset.ts';

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
