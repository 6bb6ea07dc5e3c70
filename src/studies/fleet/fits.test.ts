import { expect, test } from 'vitest';
import type { Header } from '../../core/event.ts';
import type { RunNeeds, WorkerInfo } from '../../core/fleet.ts';
import { aocFamily } from '../../families/aoc/family.ts';
import { mismatchReason, needsOf, pinnedReason } from './fits.ts';

const needs: RunNeeds = {
  family: 'qa',
  codeVersion: '1',
  isolation: 'bubblewrap',
  toolchains: ['g++20 (g++ 12.2.0)'],
  providers: ['openai'],
  code: [],
  files: [],
};
const worker: WorkerInfo = {
  id: 'w',
  host: 'h',
  boot: 'b',
  pid: 1,
  codeVersion: '1',
  slots: 1,
  processor: 'x',
  isolation: 'bubblewrap',
  toolchains: ['g++20 (g++ 12.2.0)', 'python3'],
  providers: ['openai'],
  code: [],
  only: [],
  runs: [],
};

test('a worker takes what it can run just as it was begun', () => {
  expect(mismatchReason(needs, worker)).toBeNull();
  expect(
    mismatchReason({ ...needs, isolation: null, toolchains: [] }, { ...worker, isolation: null }),
  ).toBeNull();
  expect(mismatchReason(needs, { ...worker, only: ['qa'] })).toBeNull();
});

test.each([
  ['another family', { only: ['arc'] }, 'no runs of qa'],
  ['another version', { codeVersion: '2' }, 'Polya 2'],
  ['no key', { providers: [] }, 'no key and no server for openai'],
  ['no sandbox', { isolation: 'none' }, 'isolated by none'],
  ['nothing to isolate by', { isolation: null }, 'isolated by nothing'],
  ['no file of the user', { code: [] }, 'it lacks your code agents/mine.ts (hash 01234567)'],
  [
    'an edited file of the user',
    { code: [{ file: '/home/w/mine.ts', hash: 'other' }] },
    'it lacks your code agents/mine.ts (hash 01234567); the mine.ts that it has loaded is another (hash other)',
  ],
  ['another compiler', { toolchains: ['g++20 (g++ 13.1.0)'] }, 'it lacks g++20 (g++ 12.2.0)'],
])('it takes no run that asks for more: %s', (_name, change, why) => {
  const code = [{ file: 'agents/mine.ts', hash: '0123456789' }];
  const copy = { ...worker, code: [{ file: '/srv/other-name.ts', hash: '0123456789' }] };
  expect(mismatchReason({ ...needs, code }, copy)).toBeNull();
  expect(mismatchReason({ ...needs, code }, { ...copy, ...change })).toContain(why);
});

const header = (model: object, more: Partial<Header> = {}): Header =>
  ({
    problem: { family: 'qa' },
    models: { default: { spec: 'openai/gpt-5', kind: 'live', price: null, ...model } },
    ...more,
  }) as Header;

const broughtBy = (...brings: ('agent' | 'family' | 'model')[]) => [{ file: 'mine.ts', hash: 'x', brings }];

test.each([
  ['a model of a provider', header({})],
  ['a script that comes with Polya', header({ spec: 'scripted/demo', kind: 'script' })],
  ['a server elsewhere', header({ baseUrl: 'https://models.example/v1' })],
  ['code of the user', header({}, { code: broughtBy('agent', 'family', 'model') })],
])('a run goes to any host: %s', (_name, header) => {
  expect(pinnedReason(header, { travels: true })).toBeNull();
  expect(pinnedReason(header, { travels: () => ({ files: ['/a'] }) })).toBeNull();
});

test.each([
  ['a person', { spec: 'manual', kind: 'person' }, 'a person answers here'],
  ['a script of the user', { spec: 'scripted:/a.json', kind: 'script' }, 'is a file of this host'],
  ['a local server', { baseUrl: 'http://127.0.0.1:8080/v1' }, 'server of this host'],
  ['a local server by its name', { baseUrl: 'http://models.localhost:1/v1' }, 'server of this host'],
  ['a local server on all addresses', { baseUrl: 'http://0.0.0.0:1/v1' }, 'server of this host'],
  ['a local server of IPv6', { baseUrl: 'http://[::1]:1/v1' }, 'server of this host'],
])('a run stays where its model is: %s', (_name, model, why) => {
  expect(pinnedReason(header(model), { travels: true })).toContain(why);
});

test('a run stays where its problem is', () => {
  expect(pinnedReason(header({}), {})).toContain('family qa keep files or sessions');
  expect(pinnedReason(header({}, { code: broughtBy('family') }), {})).toContain(
    'its family qa (mine.ts) does not say that its problems travel',
  );
  const travels = () => ({ staysBecause: 'its site is asked with a cookie' });
  expect(pinnedReason(header({}), { travels })).toBe('its site is asked with a cookie');
});

const days = aocFamily({
  sites: { practice: { events: [], isEverywhere: true, connect }, aoc: { events: 'official', connect } },
  hashText: String,
});

test.each([
  ['a practice day', { site: 'practice', year: 2000, day: 1 }, null],
  ['files of the user', { site: 'files', statement: '/s.md', input: '/in.txt' }, null],
  ['a session cookie', { site: 'aoc', year: 2020, day: 1 }, 'session cookie of this host'],
  [
    'a cache of aocd',
    { site: 'files', year: 2020, day: 1, aocd: '/home/u/aocd' },
    'cache of aocd on this host',
  ],
])('what pins a day of Advent of Code: %s', (_name, reference, why) => {
  const spec = { family: 'aoc', reference: { ...reference, lang: 'python' } };
  const pinned = pinnedReason(header({}, { problem: spec as unknown as Header['problem'] }), days);
  if (why === null) expect(pinned).toBeNull();
  else expect(pinned).toContain(why);
});

async function connect(): Promise<never> {
  throw new Error('No site is asked.');
}

test('of compilers, a run needs those that its problem names, and the Python of its agent', () => {
  const toolchain = (language: 'python' | 'cpp' | 'kotlin', version: string) => ({
    language,
    name: language,
    version,
    level: '',
    notes: [],
    sourceFile: '',
  });
  const toolchains = [
    toolchain('python', 'Python 3.11'),
    toolchain('cpp', 'g++ 12.2'),
    toolchain('kotlin', '2.4'),
  ];
  const asked = {
    ...header({}),
    sandbox: { isolation: 'sandbox', toolchains },
    problem: { family: 'qa', brief: { environment: 'C++ by g++ 12.2, 2 s.' } },
    codeVersion: '1',
  } as unknown as Header;
  expect(needsOf(asked)).toEqual({
    family: 'qa',
    codeVersion: '1',
    isolation: 'sandbox',
    providers: ['openai'],
    code: [],
    files: [],
    toolchains: ['python (Python 3.11)', 'cpp (g++ 12.2)'],
  });
  const code = [{ file: 'mine.ts', hash: 'x', brings: ['model' as const] }];
  const own = needsOf({ ...asked, code }, (spec) => spec === 'openai/gpt-5');
  expect(own).toMatchObject({ providers: [], code: [{ file: 'mine.ts', hash: 'x' }] });
});
