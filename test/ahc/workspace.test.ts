/** Which workspace is meant, and what holds in it: one rule, seven places, in their order. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { layout, safeSessionDirName } from '../../src/families/ahc/layout.ts';
import { readContest, readContestFile, readCrate } from '../../src/families/ahc/workspace.ts';
import {
  baseFolder,
  configIn,
  openWorkspace,
  workspaceFolder,
} from '../../src/open/families/ahc/workspace.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const base = temporaryFolder('workspace');
const home = join(base, 'home');
const project = join(base, 'project');
const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'xdg'), POLYA_TRUST: '1' };
beforeEach(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
});

function put(path: string, text = ''): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return dirname(path);
}

const workspace = (id: string, text = ''): string => put(join(project, 'workspace', id, layout.config), text);

describe('the workspace that is meant', () => {
  test('is the one around, from any folder in it', () => {
    const one = workspace('ahc030');
    workspace('ahc031');
    const deep = put(join(one, 'session', 'solutions', 'x.cpp'));
    for (const folder of [one, deep]) expect(workspaceFolder({ folder, env })).toBe(one);
  });

  test("is the only one below, from its parent or that one's", () => {
    const one = workspace('ahc030');
    expect(workspaceFolder({ folder: project, env })).toBe(one);
    expect(workspaceFolder({ folder: join(project, 'workspace'), env })).toBe(one);
  });

  test('must be named where there are several, and there must be one', () => {
    expect(() => workspaceFolder({ folder: project, env })).toThrow(
      'There is no workspace at, above or below',
    );
    workspace('ahc030');
    const two = workspace('ahc031');
    expect(() => workspaceFolder({ folder: project, env })).toThrow(
      'There are 2 workspaces here: ahc030, ahc031.',
    );
    expect(workspaceFolder({ folder: project, env, workspace: 'ahc031' })).toBe(two);
    expect(workspaceFolder({ folder: project, env, workspace: 'workspace/ahc031' })).toBe(two);
    expect(() => workspaceFolder({ folder: project, env, workspace: 'ahc099' })).toThrow(
      'ahc099 is no workspace',
    );
  });

  test('is made beside the one that its user stands in, not in it, and where its file says', () => {
    const one = workspace('ahc030');
    const all = join(project, 'workspace');
    const deep = put(join(one, 'session', 'x.cpp'));
    for (const folder of [project, all, one, deep]) expect(baseFolder({ folder, env }), folder).toBe(all);
    expect(workspaceFolder({ folder: deep, env, workspace: put(join(all, 'ahc031', layout.config)) })).toBe(
      join(all, 'ahc031'),
    );
    expect(baseFolder({ folder: one, env, flags: { 'workspace.base_dir': 'here' } })).toBe(join(one, 'here'));
    workspace('ahc030', 'workspace: { base_dir: ../../other }');
    expect(baseFolder({ folder: deep, env })).toBe(join(project, 'other'));
    workspace('ahc030', 'workspace: [');
    expect(baseFolder({ folder: one, env })).toBe(all);
  });

  test('lies at home where the configuration says ~: a folder of that name is meant by nobody', () => {
    put(join(project, 'polya.yaml'), 'ahc:\n  workspace:\n    base_dir: ~/contests\n');
    expect(baseFolder({ folder: project, env })).toBe(join(home, 'contests'));
    put(join(project, 'polya.yaml'), 'ahc:\n  workspace:\n    base_dir: ~x/contests\n');
    expect(baseFolder({ folder: project, env })).toBe(join(project, '~x/contests'));
  });

  test('lies where the configuration says', () => {
    const own = put(join(project, 'contests', 'ahc001', layout.config));
    put(join(project, 'polya.yaml'), 'ahc:\n  workspace:\n    base_dir: contests\n');
    expect(workspaceFolder({ folder: project, env })).toBe(own);
  });
});

describe('what holds', () => {
  const key = 'evolution.population_size';
  const file = (size: number): string => `evolution:\n  population_size: ${size}\n`;
  const places: readonly (readonly [string, () => void])[] = [
    [
      "the user's file",
      () =>
        put(join(env.XDG_CONFIG_HOME, 'polya', 'config.yaml'), `ahc:\n  ${file(1).replace('\n', '\n  ')}`),
    ],
    ['polya.yaml', () => put(join(project, 'polya.yaml'), `ahc:\n  ${file(2).replace('\n', '\n  ')}`)],
    ['the global file', () => put(join(home, '.ahc_agent', 'config.yaml'), file(3))],
    ['the workspace', () => workspace('ahc030', file(4))],
  ];

  test('is what the nearest says', () => {
    const folder = workspace('ahc030');
    expect(openWorkspace({ folder, env }).config.get(key)).toBe(10);
    for (const [index, [name, place]] of places.entries()) {
      place();
      expect(openWorkspace({ folder, env }).config.get(key), name).toBe(index + 1);
    }
    const variables = { ...env, AHC_AGENT_EVOLUTION_POPULATION_SIZE: '5' };
    expect(openWorkspace({ folder, env: variables }).config.get(key)).toBe(5);
    expect(openWorkspace({ folder, env: variables, flags: { [key]: 6 } }).config.get(key)).toBe(6);
    expect(openWorkspace({ folder, env: variables, flags: { [key]: undefined } }).config.get(key)).toBe(5);
    expect(configIn(null, { folder: project, env }).raw(key)).toEqual({
      value: 3,
      source: join(home, '.ahc_agent', 'config.yaml'),
    });
  });

  test('is refused with its place where it does not fit', () => {
    const folder = workspace('ahc030', 'evolution:\n  population_size: none\n');
    expect(() => openWorkspace({ folder, env })).toThrow(coded('config-value-invalid'));
    rmSync(join(folder, layout.config));
    mkdirSync(join(folder, layout.config));
    expect(() => openWorkspace({ folder, env })).toThrow(coded('file-unreadable'));
  });
});

describe('a workspace', () => {
  const contest = {
    version: 1,
    id: 'ahc030',
    title: 'A - X',
    url: null,
    startsAt: null,
    endsAt: null,
    timeLimitSeconds: 2,
    memoryLimitMegabytes: 1024,
    direction: { value: 'maximise', because: null },
    scoring: { value: 'absolute', because: null },
    isInteractive: { value: false, because: null },
    tools: null,
    confirmed: null,
  };

  test('knows its contest, with the corrections of its user', async () => {
    const folder = workspace('ahc030', 'contest:\n  direction: minimise\n');
    put(join(folder, layout.contest), JSON.stringify(contest));
    const opened = openWorkspace({ folder, env });
    expect(opened.id).toBe('ahc030');
    expect((await readContestFile(opened)).direction.value).toBe('maximise');
    expect((await readContest(opened)).direction).toBe('minimise');
    expect(await readCrate(opened)).toBeNull();
  });

  test.each(['', '{', '{"version": 2}'])('that holds %j for a contest is to be repaired', async (text) => {
    const folder = workspace('ahc030');
    if (text) put(join(folder, layout.contest), text);
    await expect(readContest(openWorkspace({ folder, env }))).rejects.toThrow(
      'Run `polya ahc init ahc030` again',
    );
  });

  test('has the sources of its tools without inputs and builds', async () => {
    const folder = workspace('ahc030');
    for (const name of ['Cargo.toml', 'src/lib.rs', 'in/0000.txt', 'target/release/gen']) {
      put(join(folder, layout.crate, name), name);
    }
    expect(Object.keys((await readCrate(openWorkspace({ folder, env }))) ?? {})).toEqual([
      'Cargo.toml',
      'src/lib.rs',
    ]);
  });
});

test.each([
  ['first try', 'first_try'],
  ['a/../b', 'a_.._b'],
  ['焼きなまし', '焼きなまし'],
  ['..', null],
  ['', null],
  ['.hidden', null],
  ['problem', null],
  ['Tools', null],
  ['a'.repeat(101), null],
])('a session named %j lies in %j', (name, folder) => {
  expect(safeSessionDirName(name)).toBe(folder);
});
