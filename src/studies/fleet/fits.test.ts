import { expect, test } from 'vitest';
import type { Header } from '../../core/event.ts';
import type { RunNeeds, WorkerFacts } from '../../core/fleet.ts';
import { needsOf, pinnedBecause, unfitBecause } from './fits.ts';

const needs: RunNeeds = {
  family: 'qa',
  codeVersion: '1',
  isolation: 'bubblewrap',
  toolchains: ['g++20 (g++ 12.2.0)'],
  providers: ['openai'],
};
const worker: WorkerFacts = {
  ...{ id: 'w', host: 'h', boot: 'b', pid: 1, codeVersion: '1', slots: 1, processor: 'x' },
  ...{ isolation: 'bubblewrap', toolchains: ['g++20 (g++ 12.2.0)', 'python3'] },
  ...{ providers: ['openai'], only: [], runs: [] },
};

test('a worker takes what it can run just as it was begun', () => {
  expect(unfitBecause(needs, worker)).toBeNull();
  expect(
    unfitBecause({ ...needs, isolation: null, toolchains: [] }, { ...worker, isolation: null }),
  ).toBeNull();
  expect(unfitBecause(needs, { ...worker, only: ['qa'] })).toBeNull();
});

test.each([
  ['another family', { only: ['arc'] }, 'no runs of qa'],
  ['another version', { codeVersion: '2' }, 'Polya 2'],
  ['no key', { providers: [] }, 'no key and no server for openai'],
  ['no sandbox', { isolation: 'none' }, 'isolated by none'],
  ['nothing to isolate by', { isolation: null }, 'isolated by nothing'],
  ['another compiler', { toolchains: ['g++20 (g++ 13.1.0)'] }, 'it lacks g++20 (g++ 12.2.0)'],
])('it takes no run that asks for more: %s', (_name, change, why) => {
  expect(unfitBecause(needs, { ...worker, ...change })).toContain(why);
});

const header = (model: object, more: Partial<Header> = {}): Header =>
  ({
    problem: { family: 'qa' },
    models: { default: { spec: 'openai/gpt-5', kind: 'live', price: null, ...model } },
    ...more,
  }) as Header;

test('a run stays where a person, a file, a server or code of the user is', () => {
  const travels = { travels: true };
  expect(pinnedBecause(header({}), travels)).toBeNull();
  expect(pinnedBecause(header({ spec: 'scripted/demo', kind: 'script' }), travels)).toBeNull();
  expect(pinnedBecause(header({ baseUrl: 'https://models.example/v1' }), travels)).toBeNull();
  expect(pinnedBecause(header({ spec: 'manual', kind: 'person' }), travels)).toContain(
    'a person answers here',
  );
  expect(pinnedBecause(header({ spec: 'scripted:/a.json', kind: 'script' }), travels)).toContain('is a file');
  expect(pinnedBecause(header({ spec: 'replay:/a.json' }), travels)).toContain('is a file');
  expect(pinnedBecause(header({ baseUrl: 'http://127.0.0.1:8080/v1' }), travels)).toContain(
    'server of this host',
  );
  const code = [{ file: 'mine.ts', hash: 'x', brings: ['agent' as const] }];
  expect(pinnedBecause(header({}, { code }), travels)).toContain('its agent is code of yours');
  expect(pinnedBecause(header({}), {})).toContain('family qa keep files or sessions');
});

test('of compilers, a run needs those that its problem names, and the Python of its agent', () => {
  const toolchain = (language: 'python' | 'cpp' | 'kotlin', version: string) => ({
    ...{ language, name: language, version, level: '', notes: [], sourceFile: '' },
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
    ...{ family: 'qa', codeVersion: '1', isolation: 'sandbox', providers: ['openai'] },
    toolchains: ['python (Python 3.11)', 'cpp (g++ 12.2)'],
  });
});
