/** The process of a session, ended with a test that left it; a number that another process has by now is left alone. */
import { readFileSync } from 'node:fs';
import { atExit } from '../cli/shell.ts';

export function endsWithTests(pid: number): void {
  atExit(() => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (/background|worker-child/.test(command)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
}
