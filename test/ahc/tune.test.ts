/** `polya ahc tune`: without any model, tuning alone beats the weak solution, on cases that its search never saw. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { practiceWorkspace, solutionFile } from './practice-workspace.ts';

const place = newPlace();
const folder = practiceWorkspace(place.folder, { inputs: 8 });
const here = { ...place, folder };
const tunable = readFileSync(solutionFile('tunable'), 'utf8');
const tune = (...argv: string[]) => polya(here, ['ahc', 'tune', ...argv]);
writeFileSync(join(folder, 'main.cpp'), tunable);
writeFileSync(join(folder, 'problem', 'problem.md'), '# Parcels\n');

test('what is wrong is said before anything is run', async () => {
  const told = async (...argv: string[]) => {
    const { code, err, out } = await tune(...argv);
    expect([code, out]).toEqual([2, '']);
    return err;
  };
  expect(await told('main.cpp', '--parameter', 'LENGTH_WEIGHT=1')).toContain('It is written NAME=LOW..HIGH');
  expect(await told('main.cpp', '--parameter', 'LENGTH_WEIGHT=0..1:log')).toContain(
    'cannot be searched by its logarithm',
  );
  expect(await told('main.cpp', '--parameter', 'N=0..1')).toContain('It has: LENGTH_WEIGHT, DETOUR_WEIGHT');
  const twice = ['--parameter', 'LENGTH_WEIGHT=0..1', '--parameter', 'LENGTH_WEIGHT=0..2'];
  expect(await told('main.cpp', ...twice)).toContain('LENGTH_WEIGHT is given twice');
  expect(await told('main.cpp', '--out', 'main.cpp')).toContain('exists already; nothing was begun');
  expect(await told('main.cpp', '--cases', '99')).toContain('There is no case 99');
  expect(await told('main.cpp', '--evaluations', '1')).toContain('a whole number from 10');
  writeFileSync(join(folder, 'wrong.cpp'), 'int x = 3; // tune: much\nint main() {}\n');
  expect(await told('wrong.cpp')).toContain('Line 1: `much` is no range');
  expect(existsSync(join(folder, '.polya'))).toBe(false);
});

test('a dry run shows the constants, and runs nothing', async () => {
  const { code, out } = await tune('--dry-run', '--parameter', 'DETOUR_WEIGHT=0.1..3:log');
  expect(code).toBe(0);
  expect(out).toMatch(/DETOUR_WEIGHT\s+9\s+0\s+–\s+0\.1 to 3, log/);
  expect(out).toContain(`the result goes to ${join(folder, 'main.tuned.cpp')}`);
  expect(out).toContain('no model is asked; at most 150 evaluations');
  const json = JSON.parse((await tune('--dry-run', '--json')).out);
  expect(json).toMatchObject({ dryRun: true, constants: [{ name: 'LENGTH_WEIGHT', low: 0, high: 2 }, {}] });
  expect(existsSync(join(folder, '.polya'))).toBe(false);
});

test('of a program that headers are put into, its own named constants are tuned', async () => {
  writeFileSync(join(folder, 'parts.hpp'), 'const double THEIRS = 3.5;\n');
  const own =
    '#include "parts.hpp"\nconst double MINE = 0.5;\nint main() { return int(THEIRS * 7.25 + MINE); }\n';
  writeFileSync(join(folder, 'parted.cpp'), own);
  const json = JSON.parse((await tune('parted.cpp', '--dry-run', '--json')).out);
  expect(json.constants.map(({ name }: { name: string }) => name)).toEqual(['MINE']);
  const asked = JSON.parse(
    (await tune('parted.cpp', '--dry-run', '--json', '--parameter', 'THEIRS=1..9')).out,
  );
  expect(asked.constants).toMatchObject([{ name: 'THEIRS', low: 1, high: 9, scale: 'linear' }]);
});

test('a search that its user stops is resumed, proves its gain, and writes the program', async () => {
  const argv = ['ahc', 'tune', '--evaluations', '10', '--unseen', '8'];
  let stops = 0;
  const stopped = await polya(here, argv, {
    onWrite: (text, interrupt) => {
      if (text.includes('trial ') && stops++ === 0) interrupt();
    },
  });
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain('parameter-search without a model');
  expect(stopped.err).toContain(
    'tunes LENGTH_WEIGHT = 0, DETOUR_WEIGHT = 0: 8 cases, at most 10 evaluations',
  );
  const { code, out } = await polya(here, ['runs', 'resume', 'last']);
  expect(out).toMatch(/DETOUR_WEIGHT\s+9\s+0\s+→ /);
  expect(out).toMatch(
    /On new cases: \+\d+\.\d+ % a case, 95 % interval \+.* over 8 cases, p = 0\.008: better/,
  );
  expect(out).toContain(`Written to ${join(folder, 'main.tuned.cpp')}`);
  expect(code).toBe(0);
  const tuned = readFileSync(join(folder, 'main.tuned.cpp'), 'utf8');
  expect(tuned.replaceAll(/_WEIGHT = [\d.e-]+;/g, '')).toBe(tunable.replaceAll(/_WEIGHT = [\d.e-]+;/g, ''));
  // As it stands, the program does what the weak solution does: tuning alone beats that.
  const compared = await polya(here, [
    'ahc',
    'test',
    'main.tuned.cpp',
    '--vs',
    solutionFile('weak'),
    '--json',
  ]);
  expect(JSON.parse(compared.out).against).toMatchObject({ wins: 8, losses: 0, verdict: 'better' });
});
