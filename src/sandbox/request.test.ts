import { expect, test } from 'vitest';
import type { Job } from './backend.ts';
import { defaultRunLimits } from './limits.ts';
import {
  checkArguments,
  checkPaths,
  encodeJob,
  encodePreamble,
  type Preamble,
  roomFor,
  scratchBytes,
} from './protocol.ts';

const limits = { ...defaultRunLimits, diskBytes: 10_000 };
const job: Job = { command: ['/bin/x', 'ä b'], files: [], stdin: null, collectPath: null, limits };

function encoded(changes: Partial<Job>): string {
  return Buffer.concat(encodeJob({ ...job, ...changes })).toString();
}

function preamble(changes: Partial<Preamble>): string {
  return Buffer.concat(encodePreamble({ openFiles: [], kept: [], ...changes })).toString();
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
  expect(text).toContain('wallMs 30000\n');
  expect(text).toContain('diskBytes 10000\n');
});

test('folders, pipes and a wish for the folder are told', () => {
  expect(encoded({ folders: ['box/empty'] })).toContain('path 9\nbox/emptyfolder 0\n');
  expect(encoded({ archiveBytes: 7 })).toContain('archive 7\n');
  const pipes = { stdin: '/a', stdout: '/bc', forRelay: false };
  expect(encoded({ pipes })).toContain('stdinPipe 2\n/astdoutPipe 3\n/bc');
  expect(encoded({ pipes: { ...pipes, forRelay: true } })).toContain('relayIn 2\n/arelayOut 3\n/bc');
});

test('what holds for all jobs of a cell goes ahead of them', () => {
  expect(preamble({ openFiles: [{ name: 'cgroupProcs', fd: 5 }] })).toBe('cgroupProcs 5\n');
  const kept = [
    { path: 'program', bytes: Buffer.from('elf'), executable: true },
    { path: 'box/a', bytes: Buffer.from('1') },
  ];
  expect(preamble({ kept })).toBe('path 7\nprogramkeptExecutable 3\nelfpath 5\nbox/akept 1\n1');
});

test('what is put into the scratch folder is not taken from the program', () => {
  expect(scratchBytes(limits, 0)).toBe(12_288);
  expect(scratchBytes(limits, roomFor([Buffer.alloc(1), Buffer.alloc(4097)]))).toBe(12_288 + 4096 + 8192);
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
