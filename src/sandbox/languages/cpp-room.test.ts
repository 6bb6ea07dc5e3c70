import { expect, test } from 'vitest';
import { emptyStep } from '../protocol.ts';
import { helperRanOutOfDisk } from './cpp.ts';

const said = (text: string) => ({ ...emptyStep('exit'), stderr: { text, bytes: text.length, cut: false } });

test.each([
  'g++: internal compiler error: File size limit exceeded signal terminated program as',
  'PLEASE submit a bug report\nclang++-19: error: unable to execute command: File size limit exceeded',
  'collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]',
  '/usr/bin/ld: final link failed: No space left on device',
  "/tmp/cca1.s: Fatal error: can't write 64 bytes to section .data of /tmp/cca2.o: 'No space left on device'",
])('a helper that met the limit on files or disk: %s', (text) => {
  expect(helperRanOutOfDisk(said(text))).toBe(true);
  expect(helperRanOutOfDisk({ ...said(text), verdict: 'wall' })).toBe(false);
});

test.each([
  'main.cpp:1:9: error: invalid conversion\n    1 | int x = "g++: error: No space left on device";',
  'main.cpp:1:2: error: #error no space left on device',
  'g++: error: unrecognized command-line option',
])('a program’s own words are not taken for it: %s', (text) => {
  expect(helperRanOutOfDisk(said(text))).toBe(false);
});
