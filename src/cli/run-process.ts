/** The process of the command line: connects streams and signals to the program and sets the exit code. Decides nothing. */

import type { Program } from './commands.ts';
import { processShell } from './process-shell.ts';
import { runProgram } from './program.ts';

export async function runProcess(program: Program): Promise<void> {
  const shell = processShell(program);
  // A rejection that is not awaited is a defect too, and is told like one: in a line, and at the end of the process.
  process.on('uncaughtException', async (error) => {
    const { tellFailure } = await import('./failure.ts');
    process.exit(tellFailure(shell, error, process.argv.includes('--json')));
  });
  process.exitCode = await runProgram(process.argv.slice(2), shell, program);
}
