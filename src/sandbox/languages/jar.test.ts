import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { hasMainClass } from './kotlin.ts';

const jar = (manifest: string) =>
  zipSync({ 'META-INF/MANIFEST.MF': strToU8(manifest), 'MainKt.class': strToU8('x') });

test('a jar says where its program begins, or does not', () => {
  expect(hasMainClass(jar('Manifest-Version: 1.0\r\nMain-Class: MainKt\r\n'))).toBe(true);
  expect(hasMainClass(jar('Manifest-Version: 1.0\r\nCreated-By: Main-Class: x\r\n'))).toBe(false);
});

test('what is no jar, has no manifest or a huge one is left to Java', () => {
  expect(hasMainClass(strToU8('no jar at all'))).toBe(true);
  expect(hasMainClass(new Uint8Array())).toBe(true);
  expect(hasMainClass(zipSync({ 'MainKt.class': strToU8('x') }))).toBe(true);
  expect(hasMainClass(jar('x'.repeat(100_000)))).toBe(true);
});
