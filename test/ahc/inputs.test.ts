/** Which files are inputs, and what their cases are called. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findInputs } from '../../src/families/ahc/cases.ts';
import { openFolder } from '../../src/io/folder.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Every file holds its own path. */
function workspaceWith(...paths: readonly string[]) {
  const folder = temporaryFolder('inputs');
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  return openFolder(folder);
}

test.each([
  [
    ['0000.in.txt', '0000.out.txt', '0001.in.txt'],
    ['0000', '0001'],
  ],
  [['in.txt', 'out.txt'], ['sample']],
  [
    ['in1.txt', 'in2.txt', 'out1.txt'],
    ['1', '2'],
  ],
  [['input_1.txt', 'output_1.txt'], ['1']],
  [['sample-1-in.txt', 'sample-1-out.txt'], ['sample-1']],
  [['a_in_b.txt'], ['a-b']],
  [
    ['in/1.txt', 'in/2.txt', 'out/1.txt'],
    ['1', '2'],
  ],
  [
    ['1/in.txt', '1/out.txt', '2/input.txt'],
    ['1', '2'],
  ],
  [
    ['1_in.txt', 'in_1.txt'],
    ['1', 'in_1.txt'],
  ],
])('of the samples %j the cases are %j', async (files, names) => {
  const inputs = await findInputs(workspaceWith(...files.map((each) => `problem/samples/${each}`)), 'x');
  expect([inputs.names, inputs.areSamples]).toEqual([names, true]);
  for (const name of inputs.names) expect(await inputs.read(name)).toMatch(/in/);
});

test('words in which `in` only occurs are no inputs', async () => {
  const names = ['main.txt', 'inside.txt', 'begin.txt', 'notes.txt', 'out.txt', 'in.md'];
  const folder = workspaceWith(...names.map((each) => `problem/samples/${each}`));
  await expect(findInputs(folder, 'ahc001')).rejects.toThrow(/has no inputs.*polya ahc init ahc001/);
});

test('official inputs go before samples; one that is gone when its turn comes is told', async () => {
  const folder = workspaceWith(
    'tools/tester/in/0001.txt',
    'tools/tester/in/0000.txt',
    'tools/tester/in/sub/2.txt',
    'problem/samples/0000.in.txt',
  );
  const inputs = await findInputs(folder, 'x');
  expect([inputs.names, inputs.areSamples]).toEqual([['0000', '0001'], false]);
  await folder.remove('tools/tester/in/0001.txt');
  await expect(inputs.read('0001')).rejects.toThrow(coded('file-gone', 'tools/tester/in/0001.txt'));
});
