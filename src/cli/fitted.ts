/** What is told on a terminal is no wider than it: long lines are broken at blanks. */
import { wrapped } from '../text/wrap.ts';
import type { Output } from './contract.ts';

/** A line of help that is to be typed. */
const command = /^ *(?:\$ )?(?:\S*\/)?(?:polya|ahc-agent) /;

export function fitted(output: Output): Output {
  if (!output.isTerminal) return output;
  const write = (text: string) => output.write(wrapped(text, output.columns, command));
  return Object.create(output, { write: { value: write }, exact: { value: output } });
}
