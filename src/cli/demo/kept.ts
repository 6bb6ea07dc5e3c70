/** Programs that end with us, however we end: each is watched by a shell that reads from us until we are gone. */
import { spawn } from 'node:child_process';
import type { Environment } from '../../io/home.ts';

export type Kept = {
  /** What it said last on its standard error. */
  said(): string;
  hasEnded(): boolean;
  /** Resolves when nothing of it is left. */
  end(): Promise<void>;
};

/** `removes`: a folder that goes with it. */
type Words = { readonly env?: Environment; readonly folder: string; readonly removes?: string };

/**
 * Descriptor 3 ends when we do, be it by SIGKILL. Then nobody reads what is said, and who says something all the same dies of
 * it. What is being removed may still be written in.
 */
const watching = `removes=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
exec 2>/dev/null
{ read -r _; kill $child; } <&3 &
watcher=$!
wait $child
kill $watcher
[ -z "$removes" ] || until rm -rf "$removes"; do sleep 0.2; done`;

const mostSaid = 4_000;

export function kept(command: readonly string[], { env, folder, removes = '' }: Words): Kept {
  const child = spawn('sh', ['-c', watching, 'sh', removes, ...command], {
    cwd: folder,
    env,
    // In a session of its own: Ctrl-C at our terminal does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-mostSaid);
  });
  child.stdin.on('error', () => undefined);
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    for (const event of ['error', 'exit']) child.once(event, () => resolve());
  }).then(() => {
    isOver = true;
  });
  return {
    said: () => said,
    hasEnded: () => isOver,
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
