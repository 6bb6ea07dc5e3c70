/** The command line as its user has it: the launcher `./polya` in a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { RUSTUP_HOME } from '../support/own-rust.ts';

export const root = join(import.meta.dirname, '../..');

export type Place = { readonly folder: string; readonly home: string };
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

export function call({ folder, home }: Place, argv: readonly string[], program = 'polya'): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    HOME: home,
    RUSTUP_HOME,
    POLYA_TRUST: '1',
    ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
  };
  const child = spawn(join(root, program), argv, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kept = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    kept.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    kept.err += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...kept }));
  });
}
