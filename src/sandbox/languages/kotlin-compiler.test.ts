import { expect, test } from 'vitest';
import { findKotlinCompiler, kotlinFolder, kotlinPackage } from './kotlin-compiler.ts';

test('the folder follows the rules for caches', () => {
  const name = `polya/toolchains/kotlin-compiler-${kotlinPackage.version}`;
  expect(kotlinFolder({ XDG_CACHE_HOME: '/cache', HOME: '/home/a' })).toBe(`/cache/${name}`);
  expect(kotlinFolder({ XDG_CACHE_HOME: 'relative', HOME: '/home/a' })).toBe(`/home/a/.cache/${name}`);
  expect(kotlinFolder({ HOME: '/home/a' })).toBe(`/home/a/.cache/${name}`);
});

test('what setup installed is found, with its version', async () => {
  const found = await findKotlinCompiler();
  expect(found?.version).toMatch(/^\d+\.\d+/);
  expect(Object.keys(found?.jars ?? {})).toContain('kotlin-stdlib.jar');
});
