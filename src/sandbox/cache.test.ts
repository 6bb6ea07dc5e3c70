import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { cacheKey, openCompileCache } from './compile-once.ts';
import { emptyStep } from './protocol.ts';

let folder = '';
beforeEach(() => {
  folder = join(temporaryFolder('cache'), 'compiled');
});

const step = { ...emptyStep('ok'), wallMs: 12.5, stderr: { text: 'ä\n', bytes: 3, cut: false } };
const program = Buffer.from([0, 255, 10, 13, 0]);
const key = (text: string) => cacheKey([text]);

test('what was put comes back, for this process and another, and for nobody else to read', async () => {
  await openCompileCache(folder).put(key('a'), { step, program });
  await openCompileCache(folder).put(key('b'), { step, program: null });
  await openCompileCache(folder).put(key('c'), { step, program: Buffer.alloc(0) });
  const cache = openCompileCache(folder);
  expect(await cache.get(key('a'))).toEqual({ step, program });
  expect(await cache.get(key('b'))).toEqual({ step, program: null });
  expect(await cache.get(key('c'))).toEqual({ step, program: Buffer.alloc(0) });
  expect(await cache.get(key('d'))).toBeNull();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, key('a'))).mode & 0o077).toBe(0);
});

test('an entry that was changed or cut, in whatever way, is none, and is gone', async () => {
  const cache = openCompileCache(folder);
  await cache.put(key('a'), { step, program });
  const full = readFileSync(join(folder, key('a')));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(full.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (at, by, cut) => {
        const changed = Buffer.from(cut ? full.subarray(0, at) : full);
        if (!cut) changed[at] = (changed[at] ?? 0) ^ by;
        // The line end behind the digest says nothing.
        fc.pre(cut || at !== 64);
        writeFileSync(join(folder, key('a')), changed);
        expect(await cache.get(key('a'))).toBeNull();
        expect(readdirSync(folder)).toEqual([]);
      },
    ),
    { seed: 4, numRuns: 60 },
  );
});

test('what was not asked for longest goes first, and the bound holds', async () => {
  const cache = openCompileCache(folder, 45_000);
  const big = { step, program: Buffer.alloc(8_000) };
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    await cache.put(key(name), big);
    utimesSync(join(folder, key(name)), 1000 + index, 1000 + index);
  }
  expect(await cache.get(key('a'))).not.toBeNull();
  await cache.put(key('d'), big);
  expect(readdirSync(folder).sort()).toEqual([key('a'), key('d'), key('c')].sort());
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(45_000);
});

test('a draft that a killed process left is removed, a fresh one is let be', async () => {
  const cache = openCompileCache(folder);
  await cache.put(key('a'), { step, program });
  writeFileSync(join(folder, `${key('x')}.old`), '');
  utimesSync(join(folder, `${key('x')}.old`), 1000, 1000);
  writeFileSync(join(folder, `${key('x')}.new`), '');
  await cache.put(key('b'), { step, program });
  expect(readdirSync(folder).sort()).toEqual([key('a'), key('b'), `${key('x')}.new`].sort());
});

test('where nothing can be written, nothing is kept and nothing fails', async () => {
  writeFileSync(join(folder, '..', 'file'), '');
  const cache = openCompileCache(join(folder, '..', 'file', 'compiled'));
  await cache.put(key('a'), { step, program });
  expect(await cache.get(key('a'))).toBeNull();
});

test('many at once write and read the same and others', async () => {
  const compileCaches = [openCompileCache(folder, 60_000), openCompileCache(folder, 60_000)];
  const names = Array.from({ length: 40 }, (_, index) => `n${index % 8}`);
  await Promise.all(
    names.map(async (name, index) => {
      const own = { step, program: Buffer.from(name.repeat(2_000)) };
      await compileCaches[index % 2]?.put(key(name), own);
      const compiled = await compileCaches[(index + 1) % 2]?.get(key(name));
      if (compiled) expect(compiled).toEqual(own);
    }),
  );
  expect(readdirSync(folder).filter((name) => name.includes('.'))).toEqual([]);
});

test('no two lists of parts have one key', () => {
  const parts = fc.array(fc.oneof(fc.string(), fc.uint8Array()), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      const bytes = (list: typeof a) => JSON.stringify(list.map((part) => [...Buffer.from(part)]));
      expect(cacheKey(a) === cacheKey(b)).toBe(bytes(a) === bytes(b));
    }),
    { seed: 4 },
  );
  expect(cacheKey(['ab', 'c'])).not.toBe(cacheKey(['a', 'bc']));
});
