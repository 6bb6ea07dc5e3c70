/** Many processes that begin at once on a fresh store and an empty cache, and what each of them leaves behind. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, launcher } from './process.ts';
import { newPlace } from './shell.ts';

/** By the order of what happened, not by the clock: a busy machine takes its time. */
export async function expectOneFiller(many: number, program = launcher): Promise<void> {
  const { folder, env } = newPlace();
  const place = { folder, env: { ...env, NODE_COMPILE_CACHE: '' } };
  const home = join(place.folder, '..', 'home');
  mkdirSync(home);
  writeFileSync(join(place.folder, 's.yaml'), 'roles:\n  solver:\n    - text: "42"\n      repeat: true\n');
  const ask = () => call(place, ['ask', 'What?', '--model', 'scripted:s.yaml'], program);
  const ended = await Promise.all(Array.from({ length: many }, ask));
  for (const each of ended) expect(each, each.err).toMatchObject({ code: 0, signal: null });
  const cache = filesBelow(join(home, '.cache', 'polya'));
  const filled = cache.find(({ path }) => path.endsWith('/filled'));
  expect(filled, 'The cache was never said to be filled.').toBeDefined();
  const compiled = cache.filter(({ path }) => path !== filled?.path);
  expect(compiled.length).toBeGreaterThan(100);
  // Who began later compiled at most a module or two that the first had no need of.
  const late = compiled.filter(({ atMs }) => atMs > (filled?.atMs ?? 0));
  expect(late.length, late.map(({ path }) => path).join('\n')).toBeLessThan(compiled.length / 20);
  expect(cache.filter(({ path }) => path.endsWith('/filling'))).toEqual([]);
}

function filesBelow(folder: string): { path: string; atMs: number }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.name === 'filling')
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, atMs: statSync(path).mtimeMs }));
}
