/** Tasks of these tests, and worlds with the family in a folder of files. The rule of the tasks: each colour one more. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { singleCall } from '../../src/agents/single-call/single-call.ts';
import type { Agent } from '../../src/core/agent.ts';
import { arcFamily } from '../../src/families/arc/family.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { hashText } from '../../src/run/hash.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyWorld } from '../support/world.ts';

export const oneMore = {
  train: [
    { input: [[1, 2]], output: [[2, 3]] },
    { input: [[5]], output: [[6]] },
  ],
  test: [{ input: [[3, 4, 5]] }],
};

export const twoTests = {
  train: [{ input: [[1]], output: [[2]] }],
  test: [{ input: [[3]] }, { input: [[4, 4]] }],
};

/** In the sorted order of their ids, which is not that of the file. */
export const challenges = { b2: twoTests, a1: oneMore };
export const solutions = { a1: [[[4, 5, 6]]], b2: [[[4]], [[5, 5]]] };

/** A file with these contents, each as JSON unless it is a text. Returns the folder. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

export const bothFiles = { 'my_challenges.json': challenges, 'my_solutions.json': solutions };

export function worldOf(folder: string, reply: string, agent: Agent = singleCall) {
  const family = arcFamily({ files: localFiles(folder), hashText });
  const world = toyWorld({
    folder,
    agents: [agent],
    families: [family],
    model: scriptedModel({ id: 'test', script: () => ({ text: reply }) }),
  });
  return { family, world };
}
