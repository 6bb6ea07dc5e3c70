/** `./polya --help` against the same Node doing nothing, both as processes of their own. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, contest, timed } from './measure.ts';

const launcher = join(import.meta.dirname, '..', 'polya');
const rounds = 15;

export const startUp: Bench = {
  name: 'start-up',
  async run() {
    if (!existsSync(launcher)) return [];
    const result = await contest({
      rounds,
      ours: () => timed(() => start(launcher, ['--help'])),
      floor: () => timed(() => start(process.execPath, ['-e', '0'])),
    });
    const aim = { of: 'ratio', atMost: 2.5 } as const;
    return [{ what: './polya --help', unit: 'ms', against: 'node -e 0', ...result, aim }];
  },
};

function start(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'ignore' });
  if (error || status !== 0) throw error ?? new Error(`${command} ended with ${status}.`);
}
