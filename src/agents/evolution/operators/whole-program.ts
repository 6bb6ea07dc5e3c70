/** A whole program, and what its author says of it, in what a model wrote. Pure. */
import { codeBlocks } from '../../ensemble/code.ts';
import { line } from '../one-line.ts';

export type WholeProgram = { readonly source: string } | { readonly source: null; readonly trouble: string };

/** The longest block that is closed: models quote pieces before and after it. */
export function wholeProgramIn(text: string, isCutOff: boolean): WholeProgram {
  const blocks = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  const longest = blocks
    .filter(({ isClosed }) => isClosed)
    .toSorted((a, b) => b.code.length - a.code.length)[0];
  const open = blocks.find(({ isClosed }) => !isClosed);
  if (open && open.code.length > (longest?.code.length ?? 0)) {
    // A fence that was forgotten at the very end is no loss; a reply that was cut off is.
    if (isCutOff)
      return {
        source: null,
        trouble: 'The reply was cut off before the program ended. Write a shorter one.',
      };
    return { source: withEnd(open.code) };
  }
  if (longest) return { source: withEnd(longest.code) };
  return {
    source: null,
    trouble: 'There is no program in the reply: write it whole, in one fenced block of code.',
  };
}

const withEnd = (code: string): string => `${code.trimEnd()}\n`;

/** `IDEA: …`, else the first words that are no code. */
export function ideaIn(text: string, otherwise: string): string {
  const said = /^(?:[*#>]|[^\S\r\n\u2028\u2029])*idea[\s*]*[::][\s*]*(.+)$/im.exec(text)?.[1];
  const first = text
    .replaceAll(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, '')
    .replaceAll(/<{5,9}\s*SEARCH[\s\S]*?(?:>{5,9}\s*REPLACE|$(?![\s\S]))/g, '')
    .split('\n')
    .find((each) => /\w/.test(each));
  return line(said ?? first ?? otherwise);
}
