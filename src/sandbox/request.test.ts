import { expect, test } from 'vitest';
import { defaultRunLimits } from './limits.ts';
import { checkArguments, checkPaths, encodeRequest, type Job, scratchBytes } from './request.ts';

const limits = { ...defaultRunLimits, diskBytes: 10_000 };
const job: Job = { command: ['/bin/x', 'ä b'], files: [], stdin: null, collectPath: null, limits };

function encoded(changes: Partial<Job>, openFiles: Parameters<typeof encodeRequest>[1] = []): string {
  return Buffer.concat(encodeRequest({ ...job, ...changes }, openFiles)).toString();
}

test('a request is lines with lengths, and `go` at the end', () => {
  const text = encoded({
    files: [
      { path: 'box/a', bytes: Buffer.from('1\n2') },
      { path: 'program', bytes: Buffer.from('elf'), executable: true },
    ],
    stdin: Buffer.from(''),
    collectPath: 'box/main',
  });
  const tail =
    'arg 6\n/bin/xarg 4\nä bpath 5\nbox/afile 3\n1\n2path 7\nprogramexecutable 3\nelfstdin 0\ncollect 8\nbox/maingo 0\n';
  expect(text.endsWith(tail)).toBe(true);
  expect(text).toContain('wallMs 10000\n');
  expect(text).toContain('diskBytes 10000\n');
});

test('open files are handed over by name and number', () => {
  expect(encoded({}, [{ name: 'cgroupProcs', fd: 5 }])).toContain('\ncgroupProcs 5\n');
});

test('what is put into the scratch folder is not taken from the program', () => {
  expect(scratchBytes(job)).toBe(12_288);
  const files = [{ path: 'a', bytes: Buffer.alloc(1) }];
  expect(scratchBytes({ ...job, files, stdin: Buffer.alloc(4097) })).toBe(12_288 + 4096 + 8192);
});

test('names lead nowhere else, and do not clash', () => {
  expect(() => checkPaths(['a', 'b/c', 'b/d', '.hidden', 'ü', '...'])).not.toThrow();
  for (const path of [
    '',
    '.',
    '..',
    '/a',
    'a/',
    'a//b',
    '../a',
    'a/../b',
    'a\0b',
    'x'.repeat(256),
    'x/'.repeat(2000),
  ]) {
    expect(() => checkPaths([path])).toThrow(/cannot be the name of a file/);
  }
  expect(() => checkPaths(['a/b/c', 'a/b'])).toThrow(/Another file needs a folder/);
});

test('arguments fit', () => {
  expect(() => checkArguments(['', 'x'.repeat(90_000)])).not.toThrow();
  expect(() => checkArguments(['x'.repeat(100_000)])).toThrow(/cannot be the arguments/);
  expect(() => checkArguments(['a\0b'])).toThrow(/cannot be the arguments/);
});
