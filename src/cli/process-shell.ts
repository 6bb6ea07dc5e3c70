/** The shell of the real process. */
import { ansiPaint, noPaint, wantsColour } from './paint.ts';
import type { Output, Shell } from './shell.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function processShell(): Shell {
  const { env } = process;
  return {
    env,
    folder: process.cwd(),
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
    isInteractive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    confirm,
    onInterrupt(listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  const isTerminal = Boolean(stream.isTTY);
  let isClosed = false;
  // Whoever reads has had enough (`| head`): no reason to complain, nor to break off a run.
  stream.on('error', () => {
    isClosed = true;
  });
  return {
    write: (text) => {
      if (!isClosed) stream.write(text);
    },
    isTerminal,
    get columns() {
      return stream.columns || 100;
    },
    paint: wantsColour(isTerminal, process.env) ? ansiPaint : noPaint,
    get isClosed() {
      return isClosed;
    },
  };
}

async function confirm(question: string): Promise<boolean> {
  // Loaded here because hardly any command asks.
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, output: process.stderr });
  return answer === true;
}
