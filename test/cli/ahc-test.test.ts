/** `polya ahc test`, `history`, `vis` and `bundle` as a competitor uses them: the real sandbox and the contest's own tools. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { practiceWorkspace, solutionFile, type WorkspaceChange } from '../ahc/practice-workspace.ts';
import { newPlace, type Place, polya, type ShellOptions } from './shell.ts';

/** One program for all fates, because each compilation takes seconds: what it prints depends on its first number alone. */
const fickle = `#include <cstdio>
#include <cstdlib>
int main() {
  int n, m, q;
  if (scanf("%d %d %d", &n, &m, &q) != 3) return 1;
  if (n == 63) return 3;
  if (n == 107) { puts("hello"); return 0; }
  printf("%d\\n", 0);
  for (volatile long long i = 0; n == 40 && i < 4000000000LL; i = i + 1);
}
`;

type Bench = Place & {
  readonly workspace: string;
  run: (words: string, options?: ShellOptions) => ReturnType<typeof polya>;
};

function bench(change: WorkspaceChange = {}): Bench {
  const place = newPlace();
  const workspace = practiceWorkspace(place.folder, { inputs: 12, ...change });
  return {
    ...place,
    workspace,
    run: (words, options) => polya(place, ['ahc', ...words.split(' ')], options),
  };
}

const one = bench();
const file = (name: string): string => join(one.folder, name);
const json = (text: string) => JSON.parse(text);

describe('polya ahc test', () => {
  beforeAll(async () => {
    copyFileSync(solutionFile('weak'), file('weak.cpp'));
    copyFileSync(solutionFile('good'), file('good.cpp'));
    writeFileSync(file('fickle.cpp'), fickle);
  });

  test('shows every case, the sums, and the slowest', async () => {
    const { code, out, err } = await one.run('test weak.cpp --cases 0-9 --out outs');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('v1 of weak.cpp, polya002 (minimise, relative, 1 s)');
    expect(out).toMatch(/^0000 {2}AC +51,739 +– +\d\.\d{3} s +\d\.\d{3} s +[\d.]+ MiB$/m);
    expect(out.match(/^\d{4} {2}AC/gm)).toHaveLength(10);
    expect(out).toContain('v1 of weak.cpp: 10 cases: 10 AC');
    expect(out).toContain('score     total 565,340, average 56,534\n');
    expect(out).toContain('relative  100.00 % of the best known on average, 10,000,000,000 points');
    expect(readdirSync(file('outs')).length).toBe(10);
    expect(readFileSync(join(one.workspace, 'experiments.log'), 'utf8')).toMatch(
      /^\S+Z test v1 weak\.cpp: 10 cases, 10 AC, total 565340\n$/,
    );
    expect(
      readFileSync(join(file('outs'), '0000.txt'), 'utf8')
        .trim()
        .split('\n').length,
    ).toBeGreaterThan(2);
  });

  test('an output that cannot be written is told at the end, and costs no result', async () => {
    mkdirSync(file('full/0001.txt'), { recursive: true });
    const { code, out, err } = await one.run('test weak.cpp --cases 0-2 --out full --json');
    const said = '0001.txt cannot be written (EISDIR). There is a folder of that name.';
    expect([code, json(out).summary.verdicts]).toEqual([2, { AC: 3 }]);
    expect([err, json(out).warnings.join()]).toEqual([
      expect.stringContaining(said),
      expect.stringContaining(said),
    ]);
    expect(existsSync(file('full/0000.txt'))).toBe(true);
  });

  test('compares with an earlier version on the common cases, by groups as well', async () => {
    const { code, out } = await one.run('test good.cpp --vs v1 --group N --cases 8-11');
    expect(code).toBe(0);
    expect(out).toContain('against v1, over 2 cases that both were run on: 2 won, 0 lost, 0 equal');
    expect(out).toMatch(
      /mean difference \+[\d.]+ % of the best known, 95 % interval .*: too few cases differ/,
    );
    expect(out).toContain('left out, because only one was run on them: 2 of this version, 0 of the other');
    expect(out).toMatch(/^groups by N\n +N +cases +AC +average +of best +slowest +won +lost +change/m);
  });

  test('tells the worst and why, ends with 1, and prints the same as JSON', async () => {
    const { code, out } = await one.run('test fickle.cpp --cases 0-2 --json --group 1 --vs v1 -j 1');
    expect(code).toBe(1);
    const told = json(out);
    expect(told).toMatchObject({
      contest: { id: 'polya002', direction: 'minimise', scoring: 'relative' },
      version: { name: 'v3', file: 'fickle.cpp' },
      verdict: null,
      label: null,
      asked: 3,
      improved: [],
      groups: { by: 'N' },
      against: { name: 'v1', common: 3, losses: 3, scoredOnlyOld: 3, verdict: 'few' },
      warnings: [],
    });
    expect(told.cases[0]).toMatchObject({
      name: '0000',
      verdict: 'RE',
      score: null,
      message: 'exit status 3',
      points: 0,
    });
    expect(told.cases[1]).toMatchObject({ verdict: 'WA' });
    expect(told.cases[1].output).toBeUndefined();
    expect(told.worst).toHaveLength(3);
  });

  test('runs the other program as well where it is named as a file', async () => {
    const { code, out } = await one.run('test weak.cpp --vs good.cpp --cases 3,4');
    expect(code).toBe(0);
    expect(out).toContain('against good.cpp, over 2 cases that both were run on: 0 won, 2 lost, 0 equal');
    expect(out).toContain('too few cases differ to tell it from noise');
    // Which of the two comes first is a matter of how far the good one, which looks at the clock, came on them.
    expect(out).toMatch(
      /^furthest from the best known\ncase +verdict +score +best known +share\n000[34] +AC/m,
    );
    expect(out).toMatch(/^0004 +AC +57,231 +[\d,]+ +\d+\.\d\d %$/m);
  });

  test('on a terminal tells how far it is, in colour', async () => {
    const { out, err } = await one.run('test weak.cpp --cases 0-5', { isTerminal: true });
    expect(out).toContain('\x1b[32mAC\x1b[39m');
    expect(err).toContain('\r\x1b[2K');
  });

  test('warns of the AtCoder Library where it is missing, and takes it where it is', async () => {
    writeFileSync(file('acl.cpp'), '#include <atcoder/all>\nint main() { return lib(); }\n');
    const { code, err, out } = await one.run('test acl.cpp --cases 0 --json');
    expect(code).toBe(1);
    expect(err).toContain('Your program includes the AtCoder Library, which is not installed here.');
    expect(err).toMatch(/v\d+ of acl.cpp: CE, nothing was run\./);
    expect(json(out)).toMatchObject({ verdict: 'CE', cases: [], compile: { verdict: 'exit' } });
    mkdirSync(file('acl/atcoder'), { recursive: true });
    writeFileSync(file('acl/atcoder/all'), 'int lib() { return 5; }\n');
    const found = await one.run('test acl.cpp --cases 0 --json --include acl');
    expect(json(found.out).cases).toMatchObject([{ verdict: 'RE', message: 'exit status 5' }]);
  });

  test('ends as its user stops it', async () => {
    let isStopped = false;
    const stopping: ShellOptions = {
      onWrite: (text, interrupt) => {
        if (!isStopped && text.startsWith('0000  ')) {
          isStopped = true;
          interrupt();
        }
      },
    };
    const { code, out } = await one.run('test good.cpp -j 1 --cases 0-10', stopping);
    expect(code).toBe(130);
    expect(out).toMatch(/v2 of good\.cpp: \d cases? of 11, broken off: \d AC/);
  });

  test('stopped while it is compiled is no program that does not compile', async () => {
    writeFileSync(file('slow.cpp'), '#include <bits/stdc++.h>\nstd::regex slow(".*"); int main() {}\n');
    const { code, out, err } = await one.run('test slow.cpp --cases 0', {
      // The head of the table is written when the compilation begins.
      onWrite: (text, interrupt) => void (text.includes('slow.cpp') && interrupt()),
    });
    expect([code, err]).toEqual([130, '']);
    expect(out).not.toContain('CE');
    expect((await one.run('history')).out).not.toContain('slow.cpp');
  });
});

describe('polya ahc history', () => {
  test('shows evaluations, as text and JSON', async () => {
    const { code, out } = await one.run('history --last 3');
    expect(code).toBe(0);
    expect(out).toMatch(/^version +when +file +cases +verdicts +total +average +of best +slowest\n/);
    expect(out).toContain('older evaluations not shown');
    const told = json((await one.run('history --json')).out);
    expect(
      told.versions.slice(0, 3).map(({ name, file: of }: { name: string; file: string }) => `${name} ${of}`),
    ).toEqual(['v1 weak.cpp', 'v2 good.cpp', 'v3 fickle.cpp']);
    expect(told.evaluations[0]).toMatchObject({ version: 'v1', asked: 10, summary: { total: 565_340 } });
  });

  test('of a new workspace says how it begins', async () => {
    const empty = bench({ inputs: 1 });
    expect((await empty.run('history')).out).toContain(
      'Nothing was evaluated in this workspace yet: `./polya ahc test` begins.',
    );
  });

  test('shows what can be read of a damaged one', async () => {
    const broken = bench({ inputs: 1 });
    mkdirSync(join(broken.workspace, '.ahc'));
    writeFileSync(join(broken.workspace, '.ahc/history.jsonl'), 'x\n');
    expect((await broken.run('history')).err).toContain('1 line of the history cannot be read');
  });
});

describe('polya ahc vis', () => {
  test('draws the output that was scored', async () => {
    const { code, out, err } = await one.run('vis 9 weak.cpp');
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^v1, case 0009, the output that was scored: score 81,693\n/),
    ]);
    const files = out.trim().split('\n');
    expect(files).toHaveLength(1);
    for (const path of files) expect(readFileSync(path, 'utf8')).toContain('<svg');
  });

  test('runs the program where its output is not kept', async () => {
    const { code, out } = await one.run('vis 0011 weak.cpp --out picture.html --json');
    expect(code).toBe(0);
    expect(json(out)).toMatchObject({
      case: '0011',
      version: 'v1',
      isKept: false,
      files: [file('picture.html')],
    });
  });

  test('of an output that is none says what the visualizer says', async () => {
    const { code, err } = await one.run('vis 1 fickle.cpp');
    expect(code).toBe(1);
    expect(err).toContain('Nothing was drawn.');
    expect(err).toContain('the output ends before k_2');
  });

  test.each([['vis 99', 'There is no case 99.']])('refuses %s', async (words, message) => {
    const { code, err } = await one.run(words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('polya ahc bundle', () => {
  test('hands out one file that compiles alone', async () => {
    mkdirSync(file('lib'), { recursive: true });
    writeFileSync(file('lib/deep.hpp'), '#pragma once\ninline int deep() { return 1; }\n');
    writeFileSync(file('near.hpp'), '#pragma once\n#include "deep.hpp"\n#include "deep.hpp"\n');
    writeFileSync(
      file('many.cpp'),
      '#include "near.hpp"\n#include "deep.hpp"\nint main() { return deep(); }\n',
    );
    const { code, out, err } = await one.run('bundle many.cpp -I lib');
    expect(code).toBe(0);
    expect(out.match(/int deep\(\)/g)).toHaveLength(1);
    expect(out).not.toContain('#include');
    expect(err).toMatch(/^2 files put in, \d+ of 524,288 bytes; it compiles alone\.\n$/);
    const told = await one.run('bundle many.cpp -I lib --out one.cpp --json');
    expect(json(told.out)).toMatchObject({
      compiled: true,
      out: 'one.cpp',
      included: [file('near.hpp'), file('lib/deep.hpp')],
    });
    expect(`${readFileSync(file('one.cpp'), 'utf8')}`).toBe(out);
    expect((await one.run('bundle many.cpp -I lib --out one.cpp')).err).toContain('exists already');
  });

  test('writes nothing that does not compile, is too large, or is not all there', async () => {
    writeFileSync(file('bad.cpp'), 'int main() { return x; }\n');
    const bad = await one.run('bundle bad.cpp --out bad-one.cpp --json');
    expect([bad.code, existsSync(file('bad-one.cpp'))]).toEqual([1, false]);
    expect(json(bad.out)).toMatchObject({
      compiled: false,
      error: expect.stringContaining('was not declared'),
    });
    writeFileSync(file('large.cpp'), `// ${'x'.repeat(600_000)}\nint main() {}\n`);
    expect((await one.run('bundle large.cpp')).err).toContain(
      'too large for the judge: 600,018 bytes, and 524,288 are taken',
    );
    writeFileSync(file('missing.cpp'), '#include "nowhere.hpp"\n');
    expect((await one.run('bundle missing.cpp')).err).toContain('line 1: "nowhere.hpp" is nowhere.');
  });
});

describe('what cannot be meant is said before anything is run:', () => {
  test.each([
    ['test no.cpp', 'There is no file no.cpp.'],
    ['test', 'There is no main.cpp in'],
    ['test workspace/polya002/ahc_config.yaml', 'is no C++ file.'],
    ['test weak.cpp --cases 500', 'There is no case 500. '],
    ['test weak.cpp --group X', 'The input format names no X.'],
    ['test weak.cpp --vs v99', 'There is no version v99 here.'],
    ['test weak.cpp --vs nosuch', 'There is no version nosuch here.'],
    ['test weak.cpp --vs weak.cpp', 'weak.cpp is the same program.'],
    ['test weak.cpp --cases 11 --vs v3', 'v3 was not run on any of these cases.'],
    ['test weak.cpp --include nowhere', 'nowhere is no folder.'],
    ['test weak.cpp --jobs 0', '--jobs'],
    ['test weak.cpp --backend vm', 'cannot be "vm"'],
    ['test weak.cpp --workspace other', 'other is no workspace'],
    ['test weak.cpp --out weak.cpp', '--out weak.cpp is no folder that can be written to.'],
    ['history --svg x.svg', 'has no option --svg any more.'],
  ])('%s', async (words, message) => {
    const { code, err } = await one.run(words);
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(message)]);
  });

  test('no workspace at all', async () => {
    const { code, err } = await polya(newPlace(), ['ahc', 'test']);
    expect([code, err]).toEqual([2, expect.stringContaining('There is no workspace at, above or below')]);
  });

  test('no inputs, no tools', async () => {
    const bare = bench({ inputs: 0 });
    writeFileSync(join(bare.workspace, 'main.cpp'), 'int main() {}\n');
    expect((await bare.run('test')).err).toContain('has no inputs: tools/tester/in is empty.');
    rmSync(join(bare.workspace, 'tools/tester/Cargo.toml'));
    expect((await bare.run('test')).err).toContain('The official tools are not in');
  });

  test('a program in another encoding, whose text would be another one here', async () => {
    writeFileSync(file('sjis.cpp'), Buffer.from([0x2f, 0x2f, 0x83, 0x5c, 0x0a]));
    const { code, err } = await one.run('bundle sjis.cpp');
    expect([code, err]).toEqual([2, expect.stringContaining('sjis.cpp is not UTF-8 text.')]);
    expect(err).toContain('iconv -f SHIFT_JIS -t UTF-8 sjis.cpp');
  });

  test('an empty program', async () => {
    writeFileSync(file('empty.cpp'), ' \n');
    expect((await one.run('test empty.cpp')).err).toContain('empty.cpp is empty.');
  });
});

describe('a workspace in another state', () => {
  test('without tools looks at how programs end; samples stand in for inputs', async () => {
    const bare = bench({ inputs: 0, contest: { tools: null } });
    mkdirSync(join(bare.workspace, 'problem/samples'), { recursive: true });
    writeFileSync(join(bare.workspace, 'problem/samples/in_1.txt'), '5 5 5\n');
    writeFileSync(join(bare.workspace, 'main.cpp'), fickle);
    const { code, out, err } = await bare.run('test');
    expect(code).toBe(0);
    expect(out).toMatch(/^1 +AC +– +–/m);
    expect(err).toContain('these are the samples of the statement');
    expect(err).toContain('No official tool scores here');
    expect((await bare.run('vis 1 main.cpp')).err).toContain('no visualizer among its tools');
  });

  test('with tools that do not build says so', async () => {
    const broken = bench({ inputs: 1 });
    writeFileSync(join(broken.workspace, 'tools/tester/src/lib.rs'), 'fn broken( {}');
    writeFileSync(join(broken.workspace, 'main.cpp'), fickle);
    const { code, err } = await broken.run('test');
    expect([code, err]).toEqual([3, expect.stringContaining('The official tools do not build here.')]);
  });

  test('with best scores that cannot be read puts them aside', async () => {
    const spoilt = bench({ inputs: 3, config: 'contest:\n  direction: maximise\n' });
    mkdirSync(join(spoilt.workspace, '.ahc'));
    writeFileSync(join(spoilt.workspace, '.ahc/best.json'), 'precious');
    writeFileSync(join(spoilt.workspace, 'main.cpp'), readFileSync(solutionFile('weak')));
    const { code, out, err } = await spoilt.run('test --workspace polya002');
    expect(code).toBe(0);
    expect(out).toContain('polya002 (maximise, relative, 1 s)');
    expect(err).toContain('put aside as .ahc/best.broken-1.json');
    expect(readFileSync(join(spoilt.workspace, '.ahc/best.broken-1.json'), 'utf8')).toBe('precious');
  });

  test('without a sandbox says so at every result', async () => {
    const { err, out } = await one.run('test weak.cpp --cases 0 --backend none --json');
    expect(err).toContain('Programs run WITHOUT a sandbox, with the rights of its user.');
    expect(json(out).label).toContain('WITHOUT a sandbox');
  });
});

describe('what people who come from pahcer have', () => {
  const at = bench({ inputs: 30 });
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(at.workspace, name)), { recursive: true });
    writeFileSync(join(at.workspace, name), text);
  };
  const inWorkspace = (words: string) => polya({ ...at, folder: at.workspace }, ['ahc', ...words.split(' ')]);

  beforeAll(() => {
    copyFileSync(solutionFile('weak'), join(at.workspace, 'weak.cpp'));
    put('main.py', 'print(0)\n');
    put('late.rs', 'fn main() { println!("0"); std::process::exit(3); }\n');
    put('sol/Cargo.toml', '[package]\nname = "sol"\nversion = "0.1.0"\nedition = "2021"\n');
    put('sol/src/other.rs', 'pub fn answer() -> u32 { 0 }\n');
    put(
      'sol/src/main.rs',
      'mod other;\nfn main() { println!("{}", other::answer()); std::process::exit(4); }\n',
    );
    put('bad.py', 'print(\n');
  });

  test('of many cases only a summary is shown; each row, and the worst, where they are asked for', async () => {
    const short = await inWorkspace('test weak.cpp -m first --tag base --worst 7');
    expect(short.out).toContain('furthest from the best known: none, each score is the best known');
    // It was refused as the guide has it: "There is no version last here. There are v1 to v1."
    const unedited = await inWorkspace('test weak.cpp --cases 0 --vs last');
    expect(unedited).toMatchObject({ code: 0, err: expect.stringContaining('no other version to compare') });
    expect(short.out).toContain('v1 of weak.cpp: 30 cases: 30 AC');
    expect(short.out).not.toMatch(/^0000 {2}AC/m);
    expect((await inWorkspace('test weak.cpp --rows')).out.match(/^\d{4} {2}AC/gm)).toHaveLength(30);
    // What fails is always shown.
    const failing = await inWorkspace('test late.rs --worst 7 -m slower');
    expect(failing.out.match(/^\d{4} {2}RE .*exit status 3/gm)).toHaveLength(30);
    expect(failing.out.split('furthest from the best known')[1]?.match(/^\d{4} +RE/gm)).toHaveLength(7);
    expect((await inWorkspace('test sol/src/main.rs --cases 0')).out).toContain('exit status 4');
    const history = await inWorkspace('history');
    expect(history.out).toMatch(/^v1 .*weak\.cpp.* \[base\] first$/m);
    expect(history.out).toMatch(/ average .* comment$/m);
    expect(history.out).toMatch(/^v1 .* [\d,]+\.\d\d +\d+\.\d\d %/m);
    expect(JSON.parse((await inWorkspace('history --json')).out).evaluations[0]).toMatchObject({
      message: 'first',
      tag: 'base',
    });
    for (const tag of ['v3', 'last']) expect((await inWorkspace(`test weak.cpp --tag ${tag}`)).code).toBe(2);
    expect((await inWorkspace('test weak.cpp --cases 0 --vs base')).err).not.toContain('no file base');
  });

  test('programs in Rust and in Python are tested, drawn and handed out; a search stays with C++', async () => {
    const python = await inWorkspace('test main.py --cases 0');
    expect(python.out).toMatch(/v\d+ of main\.py: 1 case/);
    expect((await inWorkspace('bundle late.rs')).out).toContain('fn main()');
    const bad = await inWorkspace('bundle bad.py');
    expect([bad.code, bad.out]).toEqual([1, '']);
    expect((await inWorkspace('tune main.py')).err).toContain('is no C++ file');
  });

  test('cases beyond the official ones are made from their numbers, and run only where they are asked for', async () => {
    const { out, err } = await inWorkspace('test weak.cpp --cases 28-33');
    expect(err).toContain('Making 4 inputs');
    expect(out).toContain('6 cases: 6 AC');
    expect((await inWorkspace('test weak.cpp')).out).toContain('30 cases: 30 AC');
    expect((await inWorkspace('test weak.cpp --cases 33')).out).toMatch(/^0033 {2}AC/m);
    const many = await inWorkspace('test weak.cpp --cases 0-29999999');
    expect(many.err).toContain('more than 100,000 inputs that are not there');
    expect(many.err).toContain('There are 34 inputs.');
  });

  test('pahcer_config.toml names seeds and the program; what does not fit is told', async () => {
    const config = (more: string) =>
      `[problem]\nproblem_name = "x"\nobjective = "Max"\nscore_regex = 'Points: (?P<score>\\d+)'\n[test]\nstart_seed = 2\n${more}\nthreads = 1\n[[test.compile_steps]]\nprogram = "g++"\nargs = ["-O2", "./weak.cpp"]\n`;
    put('pahcer_config.toml', config('end_seed = 5'));
    const { out, err } = await inWorkspace('test');
    expect(out.match(/^000[234] {2}AC/gm)).toHaveLength(3);
    expect(err).toMatch(/says maximise, and here minimise holds.*contest\.direction maximise/);
    expect(err).toContain('score_regex of pahcer_config.toml is not used');
    for (const wrong of [config('end_seed = 2'), config('end_seed = "x"'), '[test', 'test = 3']) {
      put('pahcer_config.toml', wrong);
      expect((await inWorkspace('test')).err).toContain('pahcer_config.toml cannot be used');
    }
    rmSync(join(at.workspace, 'pahcer_config.toml'));
  });
});
