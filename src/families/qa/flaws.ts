/** What is wrong with lines of a data set, told all at once: nobody should find them one run at a time. */
import { UserError } from '../../core/errors.ts';

/** Lines count from 1, as editors do. */
export type Flaw = { readonly line: number; readonly what: string };

const mostTold = 12;

export function flawedFile(path: string, flaws: readonly Flaw[], fix: string): UserError {
  const told = flaws.slice(0, mostTold).map(({ line, what }) => `line ${line}: ${what}`);
  const more = flaws.length > mostTold ? [`and ${flaws.length - mostTold} more`] : [];
  return new UserError({
    code: 'flawed-file',
    what: `${path} cannot be used as it is: ${flaws.length === 1 ? '1 line is' : `${flaws.length} lines are`} wrong.`,
    why: `${[...told, ...more].join('; ')}.`,
    fix,
  });
}
