/** The help of all commands as it was recorded: test/fixtures/cli/help.txt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const helpFile = join(import.meta.dirname, '../fixtures/cli/help.txt');

export type Help = { readonly program: string; readonly command: readonly string[]; readonly text: string };

/** A heading that shows how it is called, then what was said. */
export function recordedHelp(): readonly Help[] {
  const parts = readFileSync(helpFile, 'utf8').split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    const [program = '', ...words] = part.slice(0, end).split(' ');
    return { program, command: words.slice(0, -1), text: part.slice(end) };
  });
}

export function helpText(all: readonly Help[]): string {
  return all
    .map(({ program, command, text }) => `$ ${[program, ...command, '--help'].join(' ')}\n${text.trim()}\n`)
    .join('\n');
}
