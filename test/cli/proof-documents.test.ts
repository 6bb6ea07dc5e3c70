/** docs/proof.md and the story of a proof: their commands work, their options exist, their journal is what a run writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRunSet } from '../../src/studies/run-set/file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { root } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const commandsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('    ./polya ') && !/NAME|RUN/.test(line))
    .map((line) =>
      [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, word]) => quoted ?? word ?? ''),
    );

/** Paths in the documentation are those of a clone; journals and documents stay out of it. */
function clone(): Place {
  const home = temporaryFolder('proof-docs');
  return { folder: root, env: { ...newPlace().env, POLYA_HOME: home } };
}

test('the commands of docs/proof.md do what it says', async () => {
  const place = clone();
  const commands = commandsIn(page('proof.md'));
  expect(commands.length).toBeGreaterThan(5);
  for (const argv of commands) {
    const out = argv.map((word) => (word === 'proof.html' ? join(place.env.POLYA_HOME ?? '', word) : word));
    const { code, err } = await polya(place, out);
    expect(code, `${argv.join(' ')}\n${err}`).toBe(argv.includes('verify') ? 1 : 0);
  }
});

test('the options that it names exist, and its run-set is one', async () => {
  const helps = await Promise.all(
    [
      ['proof', 'solve'],
      ['proof', 'verify'],
      ['proof', 'show'],
      ['proof', 'score'],
      ['runs', 'fork'],
    ].map((words) => polya(newPlace(), [...words, '--help'])),
  );
  const known = helps.map(({ out }) => out).join('\n');
  for (const [option] of page('proof.md').matchAll(/--[a-z][a-z0-9-]+/g)) expect(known).toContain(option);
  const file = /```yaml\n(name: [\s\S]*?)```/.exec(page('proof.md'))?.[1] ?? '';
  const plan = parseRunSet(file, { file: 'x.yaml', modelName: (name) => name });
  expect(plan).toMatchObject({ stopWhen: 'answered', stopWithin: 'set', rows: { length: 3 } });
});

test('the story is that of a real journal', async () => {
  const place = clone();
  const told: string[] = [];
  for (const argv of commandsIn(page('proof-story.md'))) {
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(0);
    told.push(out, err);
  }
  // The line of a journal has the time of its run in it.
  const real = told.join('\n').replaceAll(/^( *\d+) +\+\d+\.\d {2}/gm, '$1  ');
  const lines = [...page('proof-story.md').matchAll(/```\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );
  expect(lines.length).toBeGreaterThan(25);
  for (const line of lines.filter(Boolean)) expect(real).toContain(line);
});
