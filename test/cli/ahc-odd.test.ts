/** Commands on contests in workspaces that something has happened to. Few programs are compiled. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inputHash } from '../../src/families/ahc/judge/evaluate.ts';
import { hashText } from '../../src/run/hash.ts';
import { practiceWorkspace, type WorkspaceChange } from '../ahc/practice-workspace.ts';
import { newPlace, polya } from './shell.ts';

function bench(change: WorkspaceChange = {}) {
  const place = newPlace();
  const workspace = practiceWorkspace(place.folder, { inputs: 2, ...change });
  mkdirSync(join(workspace, '.ahc'));
  return {
    ...place,
    put: (name: string, text: string) => writeFileSync(join(workspace, name), text),
    run: (...words: string[]) => polya({ ...place, folder: workspace }, ['ahc', ...words]),
    at: (name: string) => join(workspace, name),
  };
}

const version = (source: string, file = 'main.cpp') => JSON.stringify({ source, file, atMs: 0 });
const evaluation = (source: string, cases: readonly string[], more: object = {}) =>
  JSON.stringify({
    format: 1,
    atMs: 0,
    file: 'main.cpp',
    source,
    direction: 'minimise',
    scoring: 'relative',
    backend: 'bubblewrap',
    compiled: true,
    asked: cases.length,
    cases: cases.map((name) => [name, 'in', 'AC', 100, 20, 30, 1024]),
    ...more,
  });

describe('a history', () => {
  test('of versions that have too little in common leaves these out; of what did not compile, and of what was lost, says so', async () => {
    const { put, run } = bench();
    put('.ahc/versions.jsonl', `${version('a')}\n${version('b')}\n`);
    put(
      '.ahc/history.jsonl',
      [
        evaluation('a', ['0000']),
        evaluation('b', ['0001', '0002'], { asked: 9 }),
        evaluation('b', [], { compiled: false, asked: 9 }),
        evaluation('lost', ['0000']),
        '',
      ].join('\n'),
    );
    const { code, out } = await run('history', '--last', '3');
    expect(code).toBe(0);
    expect(out).toMatch(/^v2 .* 2 of 9 +2 AC/m);
    expect(out).toMatch(/^v2 .* 0 +CE +– +– +– +–$/m);
    expect(out).toMatch(/^v\? .* 1 +1 AC/m);
    expect(out).toContain('1 older evaluation not shown; --last shows more.');
  });
});

test.each([
  ['.ahc/history.jsonl', 'There is a folder of that name.'],
  ['.ahc/best.jsonl', 'There is a folder of that name.'],
])(
  'what cannot be kept is told before the first case is run: a folder in the place of %s',
  async (name, fix) => {
    const { put, run, at } = bench();
    put('main.cpp', 'int main() {}\n');
    mkdirSync(at(name));
    const { code, out, err } = await run('test');
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(fix)]);
    expect(existsSync(at('.ahc/versions.jsonl'))).toBe(false);
  },
);

test.each(['main.cpp', 'ahc_config.yaml', 'problem/contest.json', '.ahc/history.jsonl'])(
  'a pipe in the place of %s is named, and not waited for',
  async (name) => {
    const { put, run, at } = bench();
    put('main.cpp', 'int main() {}\n');
    rmSync(at(name), { force: true });
    execFileSync('mkfifo', [at(name)]);
    const { code, err } = await run('test');
    expect([code, err]).toEqual([2, expect.stringContaining(name)]);
  },
);

describe('a picture', () => {
  test('of a version whose source is gone, and of a contest whose tools draw nothing, is refused with a way on', async () => {
    const { put, run } = bench();
    put('.ahc/versions.jsonl', `${version('a')}\n`);
    expect((await run('vis', '0')).err).toContain('The source of v1 is gone from .ahc/versions.');
    const bare = bench({ contest: { tools: null } });
    expect((await bare.run('vis', '0')).err).toMatch(
      /no visualizer among its tools\.\s+It has no tools at all/,
    );
  });

  test('of a program that does not compile says why', async () => {
    const { put, run } = bench();
    put('main.cpp', 'int main() { return x; }\n');
    const { code, err } = await run('vis', '0', 'main.cpp');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/This program does not compile\.\s[\s\S]*not declared/),
    ]);
  });

  test('by tools that do not build says so', async () => {
    const { put, run, at } = bench();
    put('tools/tester/src/lib.rs', 'fn broken( {}');
    const source = 'int main() {}\n';
    const hash = hashText(source);
    put('.ahc/versions.jsonl', `${version(hash)}\n`);
    // Its output is kept, so nothing is run but the visualizer.
    mkdirSync(at('.ahc/versions'));
    mkdirSync(at('.ahc/outputs'));
    put(`.ahc/versions/${hash}.cpp`, source);
    const input = inputHash(hashText, readFileSync(at('tools/tester/in/0000.txt'), 'utf8'));
    put(`.ahc/outputs/${hash}.jsonl`, `${JSON.stringify({ name: '0000', input, output: '0\n' })}\n`);
    const { code, err } = await run('vis', '0');
    expect([code, err]).toEqual([3, expect.stringContaining('The visualizer does not build here.')]);
    expect(err).toContain('`./polya ahc init polya002`');
  });
});

test('a bundle that does not compile is one document as JSON, with the hint; one without a last newline gets it', async () => {
  const { put, run } = bench();
  put('acl.cpp', '#include <atcoder/dsu>\nint main() {}\n');
  const bad = await run('bundle', 'acl.cpp', '--json');
  expect([bad.code, JSON.parse(bad.out)]).toEqual([
    1,
    expect.objectContaining({ compiled: false, hint: expect.stringContaining('--include FOLDER') }),
  ]);
  put('short.cpp', 'int main() {}');
  expect((await run('bundle', 'short.cpp')).out).toBe('int main() {}\n');
  const good = await run('bundle', 'short.cpp', '--json');
  expect(JSON.parse(good.out)).toEqual({ compiled: true, bytes: 13, included: [], source: 'int main() {}' });
});

test('a workspace without a name is none', async () => {
  expect(await bench().run('history', '--workspace', ' ')).toMatchObject({
    code: 2,
    err: expect.stringContaining('It must not be empty.'),
  });
});
