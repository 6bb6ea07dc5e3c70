import { expect, test } from 'vitest';
import { places } from './backend.ts';

const place = places('/t/cells/1-2-3', '/t/relay', [
  { source: '/t/kotlin-2.4', target: '/run/polya/kotlin' },
  { source: '/etc/mono', target: '/etc/mono' },
]);

test('places inside a cell become places of the host', () => {
  expect(place('/scratch/program')).toBe('/t/cells/1-2-3/program');
  expect(place('-out:/tmp/main.exe')).toBe('-out:/t/cells/1-2-3/tmp/main.exe');
  expect(place('-Xbootclasspath/a:/run/polya/kotlin/kotlin-stdlib.jar')).toBe(
    '-Xbootclasspath/a:/t/kotlin-2.4/kotlin-stdlib.jar',
  );
  expect(place('-I/box')).toBe('-I/t/cells/1-2-3/box');
  expect(place('/run/polya/relay')).toBe('/t/relay');
});

test('what only looks like one stays', () => {
  for (const text of [
    '/usr/bin/g++',
    'main.cpp',
    '/usr/tmp/x',
    '/tmpfile',
    '/scratch.old',
    'a/box/b',
    '--tmp',
  ]) {
    expect(place(text)).toBe(text);
  }
});
