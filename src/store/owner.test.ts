import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { thisProcess } from './owner.ts';

describe('an owner', () => {
  const me = thisProcess();

  test('that cannot be looked at by who has no files left is not dead', () => {
    const script = `
import { openSync } from 'node:fs';
const { isAlive } = await import(process.argv[1]);
const owner = JSON.parse(process.argv[2]);
isAlive(owner, 0, 0);
const files = [];
try { for (;;) files.push(openSync('/dev/null')); } catch {}
process.stdout.write(JSON.stringify([files.length > 0, isAlive(owner, 0, 1e9)]));`;
    const module = join(import.meta.dirname, 'owner.ts');
    const node = [process.execPath, '--input-type=module', '-e', script, module, JSON.stringify(me)];
    const shell = ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...node];
    const { stdout } = spawnSync('sh', shell, { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual([true, true]);
  });
});
