/** Long reports on a terminal go through the user's pager, as git's do; where there is none, they are printed. */
import { spawn } from 'node:child_process';
import { wrapped } from '../text/wrap.ts';
import { exactly, type Output, type Shell } from './contract.ts';

/** `less` keeps colours, and ends at once if the text fits on the screen. */
const usualPager = 'command -v less >/dev/null || exit 127; exec less';
const usualLess = 'FRX';

/** Null where its user wants none. */
function readPager({ PAGER }: Shell['env']): string | null {
  const named = PAGER?.trim();
  if (named === undefined) return usualPager;
  return named === '' || named === 'cat' ? null : named;
}

/** Resolves to false where the pager could not be started: nothing was shown. */
export function pipeToPager(pager: string, text: string, env: Shell['env']): Promise<boolean> {
  // The pager is the one that Ctrl-C is for.
  const stay = () => undefined;
  process.on('SIGINT', stay);
  return new Promise<boolean>((resolve) => {
    const child = spawn('/bin/sh', ['-c', pager], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...env, LESS: env.LESS ?? usualLess, LV: env.LV ?? '-c' },
    });
    child.once('error', () => resolve(false));
    // 126 and 127: the shell found no such program.
    child.once('exit', (code) => resolve(code !== 126 && code !== 127));
    // Its user has seen enough.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  }).finally(() => process.off('SIGINT', stay));
}

/** Does the work of a command that reports, and shows what it prints: whole if it fits, else through the pager. */
export async function withPager(shell: Shell, work: (shell: Shell) => Promise<number>): Promise<number> {
  const { out, page } = shell;
  const pager = readPager(shell.env);
  if (!page || pager === null || !out.isTerminal) return work(shell);
  const kept: string[] = [];
  const keep: Output = Object.create(exactly(out), {
    write: { value: (text: string) => void kept.push(text) },
    paint: { value: out.paint },
  });
  try {
    return await work({ ...shell, out: fitOutput(keep) });
  } finally {
    const text = kept.join('');
    const isLong = text.split('\n').length > (out.rows ?? Number.POSITIVE_INFINITY);
    if (!isLong || !(await page(pager, text))) exactly(out).write(text);
  }
}

/** A line of help that is to be typed. */
const command = /^ *(?:\$ )?(?:\S*\/)?(?:polya|ahc-agent) /;

export function fitOutput(output: Output): Output {
  if (!output.isTerminal) return output;
  const write = (text: string) => output.write(wrapped(text, output.columns, command));
  return Object.create(output, { write: { value: write }, exact: { value: output } });
}
