/** Requests of several processes to one host are spaced; a file that nobody can write is told. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import { sharedTurns } from '../../src/io/shared-turns.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder = '';
beforeAll(async () => {
  folder = temporaryFolder('turns');
});

test('three processes at once, nine requests, one at a time', async () => {
  const heardMs: number[] = [];
  const server = createServer((_request, response) => {
    heardMs.push(performance.now());
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const args = [join(folder, 'turns.sqlite'), `http://127.0.0.1:${port}/`, '3', '300'];
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, [join(import.meta.dirname, '../support/ask-child.ts'), ...args], {
      stdio: 'inherit',
    }),
  );
  await Promise.all(children.map((child) => once(child, 'exit')));
  server.close();
  expect(heardMs).toHaveLength(9);
  // A request may travel longer than the one before it; whoever kept no common turns would ask three times at once.
  for (let index = 2; index < 9; index++) {
    expect((heardMs[index] ?? 0) - (heardMs[index - 2] ?? 0)).toBeGreaterThan(200);
  }
  expect((heardMs[8] ?? 0) - (heardMs[0] ?? 0)).toBeGreaterThan(2_000);
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
  await expect(taken).rejects.toThrow('may be deleted');
});
