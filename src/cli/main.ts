/**
 * The process of the command line: what `./polya` starts, and what a published bin would after it has checked the
 * version of Node. It connects streams and signals to the program and sets the exit code; it decides nothing.
 */

import { processShell } from './process-shell.ts';
import { runProgram } from './program.ts';

const shell = processShell();

// What nobody waited for is a defect too, and is told like one: in a line, and at the end of the process.
process.on('uncaughtException', async (error) => {
  const { tellFailure } = await import('./failure.ts');
  process.exit(tellFailure(shell, error, process.argv.includes('--json')));
});

process.exitCode = await runProgram(process.argv.slice(2), shell);
