import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive, thisProcess } from './owner.ts';

describe('an owner', () => {
  const me = thisProcess();

  test('is this process, and nobody who began at another time', () => {
    expect(isAlive(me, 0, 1e9)).toBe(true);
    expect(isAlive({ ...me, startedAt: `${me.startedAt}0` }, 0, 0)).toBe(false);
  });

  test('that is dead is dead, however fresh its heartbeat', () => {
    const { pid } = spawnSync('true');
    expect(isAlive({ ...me, pid }, 1_000, 1_000)).toBe(false);
  });

  test('that could not tell when it began is judged by its pid alone', () => {
    const unknown = me.startedAt.replace(/[^/]*$/, '?');
    const { pid } = spawnSync('true');
    expect(isAlive({ pid, startedAt: unknown }, 0, 0)).toBe(false);
  });

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

  test('elsewhere is judged by its heartbeat', () => {
    const elsewhere = { pid: me.pid, startedAt: 'elsewhere/1' };
    expect(isAlive(elsewhere, 0, 29_999)).toBe(true);
    expect(isAlive(elsewhere, 0, 30_000)).toBe(false);
  });
});
