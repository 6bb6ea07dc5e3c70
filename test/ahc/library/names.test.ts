/** Most solutions begin with `using namespace std`: no name of the library is one that the standard library has, too. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledLibrary } from '../../../src/open/families/ahc/library.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ids, namesIn, textOf } from './headers.ts';

/** One name that is ambiguous, so that the test can fail. */
const planted = 'namespace std { struct planted; }\nnamespace polya { struct planted; }';

/** Looked up where both are in use: two of one name are ambiguous. */
function program(names: readonly string[]): string {
  return [
    '#include <bits/stdc++.h>',
    ...ids.map((id) => `#include "${id}.hpp"`),
    planted,
    'using namespace std;',
    'using namespace polya;',
    `namespace looked_up {\n${names.map((name) => `using ::${name};`).join('\n')}\n}\n`,
  ].join('\n');
}

async function compiled(text: string): Promise<string> {
  const folder = temporaryFolder('names');
  const file = join(folder, 'main.cpp');
  writeFileSync(file, text);
  return new Promise((resolve) =>
    execFile('g++', ['-std=c++20', '-fsyntax-only', '-I', bundledLibrary, file], (_error, _out, stderr) =>
      resolve(stderr),
    ),
  );
}

test('no name of the library is ambiguous beside std', async () => {
  const names = [...new Set(ids.flatMap((id) => namesIn(textOf(`${id}.hpp`))))].sort();
  const known = [
    'UnionFind',
    'Grid',
    'grid_steps',
    'manhattan',
    'for_each_subset',
    'Annealing',
    'temperature_for',
  ];
  expect(names).toEqual(expect.arrayContaining(known));
  const errors = await compiled(program([...names, 'planted']));
  const told = [...errors.matchAll(/error: (.*)/g)].map(([, message]) => message);
  expect(told).toEqual([expect.stringContaining('planted')]);
});
