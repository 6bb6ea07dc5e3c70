/**
 * The process of the command line: what `./polya` starts, and what a published bin would after it has checked the
 * version of Node. It connects streams and signals to the program and sets the exit code; it decides nothing.
 */

import { processShell } from './process-shell.ts';
import { runProgram } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2), processShell());
