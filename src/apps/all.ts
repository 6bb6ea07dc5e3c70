/** The apps, in the order in which `--help` and `polya demo` show them. To add one: a folder here, and a line. */
import { appProgram } from '../cli/commands.ts';
import type { App } from '../cli/contract.ts';
import { app as ahc } from './ahc/app.ts';
import { app as aoc } from './aoc/app.ts';
import { app as arc } from './arc/app.ts';
import { app as proof } from './proof/app.ts';
import { app as qa } from './qa/app.ts';

export const apps: readonly App[] = [aoc, proof, qa, arc, ahc];

/** `ahc-agent`: the commands of `polya ahc` as a program of their own. */
export const ahcProgram = appProgram(ahc, {
  name: 'ahc-agent',
  about: 'A workspace for AtCoder Heuristic Contests: statement, official tools, evaluation.',
  start: 'Start with `polya ahc init ID`. `polya ahc COMMAND --help` tells more of a command.',
  apps,
});
