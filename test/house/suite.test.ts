/**
 * The suite itself. Tests leave nothing behind: they make folders in one way, below a folder that goes with the run. None
 * is tried twice: one that passes at the second try is a defect, of itself or of the product. None draws by chance without
 * a seed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longest } from '../support/longest-first.ts';
import { runFolderVariable, temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const makers = ['test/support/run-folder.ts', 'test/support/temporary-folder.ts'];
// In two pieces: this file, too, is one of those that are looked at.
const maker = new RegExp(`\\b${'mk'}dtemp`);

test('no test makes a temporary folder on its own', () => {
  const found = sources().filter((path) => maker.test(readFileSync(join(root, path), 'utf8')));
  expect(found).toEqual(makers);
});

test('what a test makes lies in the folder of its run', () => {
  const [one, other] = [temporaryFolder('house'), temporaryFolder('house')];
  expect(one).not.toBe(other);
  expect(join(one, '..')).toBe(process.env[runFolderVariable]);
  expect(readdirSync(one)).toEqual([]);
});

test('no test is tried twice', () => {
  const again = new RegExp(`\\b${'ret'}ry: \\d|--${'ret'}ry\\b`);
  const files = [...sources(), 'vitest.config.ts', 'package.json', '.ci/run'];
  expect(files.filter((path) => again.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test('what is drawn by chance is drawn the same each time: else one run of many is red, and nobody finds out why', () => {
  const unseeded = sources().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const blocks = [...text.matchAll(/^( *)(?:await )?fc\.assert\((?:.*\);$|[\s\S]*?^\1\);$)/gm)];
    return blocks.filter(([block]) => !/seed/i.test(block)).map(() => path);
  });
  expect(unseeded).toEqual([]);
});

test('the files that begin first are there', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

function sources(): readonly string[] {
  const inRoom = (room: string) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`);
  const ofTests = [...inRoom('test'), ...inRoom('src').filter((path) => path.endsWith('.test.ts'))];
  return ofTests.filter((path) => path.endsWith('.ts')).sort();
}
