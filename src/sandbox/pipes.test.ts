import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { makePipesFolder, pipesFolderName } from './pair.ts';

// A program of an ordinary user runs as the owner of the folder, found both pipes there, and could open what was not its own.
test('the pipes of a pair are listed by nobody, their owner included, and go with their folder', async () => {
  const staging = temporaryFolder('pipes');
  const { mount, make, remove } = await makePipesFolder(staging);
  await make();
  expect(statSync(mount.source).mode & 0o777).toBe(0o311);
  await remove();
  expect(readdirSync(join(staging, pipesFolderName))).toEqual([]);
  await remove();
  expect(existsSync(mount.source)).toBe(false);
});
