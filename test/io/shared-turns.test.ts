/** Requests of several processes to one host are spaced; a file that nobody can write is told. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import { sharedTurns } from '../../src/io/spacing.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
let folder = '';
beforeAll(() => {
  folder = temporaryFolder('turns');
});

test('three processes at once, nine requests, one at a time', async () => {
  const heard: number[] = [];
  const server = createServer((_request, response) => {
    heard.push(Date.now());
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const script = join(import.meta.dirname, '../support/ask-child.ts');
  const args = [script, join(folder, 'turns.sqlite'), `http://127.0.0.1:${port}/`, '3', '300'];
  const told = await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
  server.close();
  const turns = told.flatMap(({ stdout }) => stdout.trim().split('\n').map(Number)).sort((a, b) => a - b);
  expect(turns).toHaveLength(9);
  for (let index = 1; index < 9; index++) {
    expect((turns[index] ?? 0) - (turns[index - 1] ?? 0)).toBeGreaterThanOrEqual(300);
  }
  // However long a request travels, none is made before its turn; a timer may be a moment early.
  expect(heard).toHaveLength(9);
  for (const [index, at] of heard.entries()) expect(at).toBeGreaterThan((turns[index] ?? 0) - 20);
});

test('each host has turns of its own, and a clock that was set back does not stop them', async () => {
  const take = sharedTurns(join(folder, 'own.sqlite'));
  expect(await take('a', 1_000, 3_000)).toBe(1_000);
  expect(await take('a', 1_500, 3_000)).toBe(4_000);
  expect(await take('b', 1_500, 3_000)).toBe(1_500);
  expect(await take('a', 60_000, 3_000)).toBe(60_000);
  expect(await take('c', 9_000_000, 3_000)).toBe(9_000_000);
  expect(await take('c', 5_000, 3_000)).toBe(5_000);
});

test('a file that is none is told', async () => {
  await writeFile(join(folder, 'blocked'), 'not a database, and long enough to be looked at');
  const taken = sharedTurns(join(folder, 'blocked'))('a', 0, 1);
  await expect(taken).rejects.toBeInstanceOf(UnavailableError);
  await expect(taken).rejects.toThrow(coded('folder-unwritable'));
});
