/**
 * Commands in a real Node that has loaded Polya already: it loads the code of users as `./polya` does, and a command costs
 * a tenth of what it costs in a process of its own. Node loads a file once: what is loaded, changed and loaded again needs
 * a process of its own (`call`), as do the environment, output, warnings and end of a process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from './process.ts';
import { type Answer, atExit, type Place } from './shell.ts';

export type Asked = { readonly id: number; readonly place: Place; readonly argv: readonly string[] };
export type Told = { readonly id: number; readonly answer: Answer };

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

export function warmProgram(): (place: Place, argv: readonly string[]) => Promise<Answer> {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let child: ChildProcess | null = null;
  return ({ folder, env }, argv) => {
    child ??= started(waiting);
    const id = ++asked;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.set(id, { resolve, reject });
    child.send({ id, place: { folder, env }, argv } satisfies Asked);
    return promise;
  };
}

function started(waiting: Map<number, Waiting>): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE = '', POLYA_TESTS_IN = '' } = process.env;
  const child = fork(join(import.meta.dirname, 'warm-child.ts'), {
    execPath: join(root, 'node_modules/node/bin/node'),
    execArgv: [],
    env: { PATH, NODE_COMPILE_CACHE, POLYA_TESTS_IN },
    serialization: 'advanced',
  });
  // Nobody waits for it but those who asked.
  child.unref();
  atExit(() => child.kill('SIGKILL'));
  child.on('message', ({ id, answer }: Told) => {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`The process that runs commands ended (${code ?? signal}).`));
  });
  return child;
}
