/** Every command for contests: results on standard output, the rest on standard error; the same under both names. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ahcProgram, apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import { reservedNames, safeSessionDirName } from '../../src/families/ahc/layout.ts';
import { type Answer, ahcAgent, newPlace, type Place, polya } from '../cli/shell.ts';

const names = ahcProgram.commands.map(({ path }) => path);

const library = ['library list', 'library show', 'library search'];
const knowledge = ['knowledge list', 'knowledge search', 'knowledge show'];
const database = ['database list', 'database search', 'database show'];
const docker = ['docker build', 'docker run', 'docker cleanup'];

type Faulty = { readonly place: Place; readonly args: readonly string[]; readonly code: number };

/** Something that is wrong for each, found before anything is begun. */
function faulty(name: string): Faulty {
  const place = newPlace();
  if (name === 'library list') {
    const env = { ...place.env, AHC_AGENT_ALGORITHM_LIBRARY_PATH: 'nowhere' };
    return { place: { ...place, env }, args: name.split(' '), code: 2 };
  }
  if (name === 'database list') {
    const env = { ...place.env, AHC_AGENT_PAST_CONTEST_DB_PATH: 'nowhere' };
    return { place: { ...place, env }, args: name.split(' '), code: 2 };
  }
  if (/^(library|database|docker) /.test(name)) return { place, args: name.split(' '), code: 2 };
  if (name === 'config') return { place, args: [name, 'no.such.key'], code: 2 };
  if (name === 'init') return { place, args: [name, 'not an id!'], code: 2 };
  return { place, args: name === 'vis' ? [name, '0'] : [name], code: 2 };
}

test('those that there are', () => {
  expect(names).toEqual([
    'init',
    'test',
    'tune',
    'history',
    'vis',
    'bundle',
    'config',
    ...library,
    ...knowledge,
    ...database,
    ...docker,
    'solve',
    'status',
    'stop',
    'tell',
    'report',
    'export',
    'batch',
  ]);
  const inPolya = polyaProgram(apps).commands.flatMap(({ path }) =>
    path.startsWith('ahc ') ? [path.slice(4)] : [],
  );
  expect(inPolya).toEqual(names);
});

describe.each(names)('%s', (name) => {
  test('tells what is wrong on standard error alone, by the name it was called', async () => {
    const { place, args, code } = faulty(name);
    const own = await ahcAgent(place, args);
    expect([own.code, own.out]).toEqual([code, '']);
    expect(own.err).toMatch(/^ahc-agent: /m);
    expect(own.err).not.toMatch(/polya ahc| at .*\.ts:\d+/);
    const other = await polya(place, ['ahc', ...args]);
    expect([other.code, other.out]).toEqual([code, '']);
    expect(other.err).toMatch(/^polya: /m);
    expect(other.err).not.toContain('ahc-agent:');
  });

  test('with --json says it on standard output too, as one document', async () => {
    const { place, args, code } = faulty(name);
    const { out, ...answer }: Answer = await ahcAgent(place, [...args, '--json']);
    expect(answer.code).toBe(code);
    expect(JSON.parse(out)).toMatchObject({ exitCode: code, error: { what: expect.any(String) } });
  });

  test('has help on standard output, which speaks of itself by its name', async () => {
    const own = await ahcAgent(newPlace(), [...name.split(' '), '--help']);
    expect([own.code, own.err]).toEqual([0, '']);
    expect(own.out).toMatch(new RegExp(`^Usage: ahc-agent ${name}`));
    expect(own.out).not.toContain('polya ahc');
    const other = await polya(newPlace(), ['ahc', ...name.split(' '), '--help']);
    expect(other.out).toMatch(new RegExp(`^Usage: polya ahc ${name}`));
    // A shell that a person types in has none.
    if (name !== 'docker run') expect(own.out).toContain('--json');
    if (name !== 'init') expect(own.out).toContain('--workspace');
  });
});

test.each(['test', 'history', 'vis', 'bundle'])(
  '%s tells warnings of the configuration once, on standard error',
  async (name) => {
    const place = newPlace();
    const folder = join(place.folder, 'workspace', 'ahc001');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'ahc_config.yaml'), 'evaluation:\n  jbos: 1\n');
    const { out, err } = await ahcAgent(place, name === 'vis' ? [name, '0'] : [name]);
    expect(out).not.toContain('jbos');
    expect(err.split('evaluation.jbos, which nothing reads').length).toBe(2);
  },
);

test('names of sessions are made safe, and those that are taken are refused', () => {
  expect(safeSessionDirName(' my run/../x ')).toBe('my_run_.._x');
  expect(safeSessionDirName('焼きなまし-1')).toBe('焼きなまし-1');
  const refused = [
    '',
    '  ',
    '.',
    '..',
    '.ahc',

    '-x',
    'a'.repeat(101),
    'Problem',
    'TOOLS',
    ...reservedNames,
  ];
  for (const name of refused) expect(safeSessionDirName(name), name).toBeNull();
});
