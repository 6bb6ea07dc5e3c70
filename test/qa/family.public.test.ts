/** Questions of GSM8K and MATH-500, as the files have them: each is posed, with its gold answer and its types. */
import { expect, test } from 'vitest';
import { openAnswers } from '../../src/answers/index.ts';
import { qaFamily } from '../../src/families/qa/family.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { hashText } from '../../src/run/hash.ts';
import { sharedFile, sharedLines } from '../support/shared-data.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyWorld } from '../support/world.ts';

const folder = temporaryFolder();
const { io } = toyWorld({ folder });
const { absolute, readBytes, stampOf } = localFiles(folder);
const family = qaFamily({ answers: await openAnswers(), absolute, readBytes, stampOf, hashText });
const pose = (name: string, line: number) =>
  family.load({ file: sharedFile(name), line }, io, new AbortController().signal);

test('every question of GSM8K is posed with its number', async () => {
  const name = 'gsm8k/test-first-600.jsonl';
  const rows = sharedLines(name) as { answer: string }[];
  for (const [at, { answer }] of rows.entries()) {
    const gold = answer.split('####')[1]?.trim();
    expect(await pose(name, at + 1)).toMatchObject({ detail: { gold, profile: 'number' } });
  }
});

test('every question of MATH-500 is posed with its answer, subject and level', async () => {
  const name = 'math500/test-first-250.jsonl';
  const rows = sharedLines(name) as { answer: string; subject: string; level: number }[];
  for (const [at, { answer: gold, subject, level }] of rows.entries()) {
    const types = { subject, level: String(level) };
    expect(await pose(name, at + 1)).toMatchObject({ detail: { gold, profile: 'math', types } });
  }
});
