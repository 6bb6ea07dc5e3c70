/** Changes as blocks: what is found is replaced, there and nowhere else; what is not found or not once is told. */
import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockBetween, written } from '../../../../test/support/change-blocks.ts';
import { extractIdea } from '../asking.ts';
import { applyBlocks } from './blocks.ts';
import { blocksIn } from './blocks-in-reply.ts';
import { readProposal } from './proposal-in-reply.ts';

const source = [
  'int main() {',
  '  int a = 1;',
  '  if (a) {',
  '    print(a);',
  '  }',
  '  print(a);',
  '}',
  '',
].join('\n');

const wordsOf = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== '');

const applied = (reply: string, to = source) => applyBlocks(to, blocksIn(reply) ?? []);
const block = (search: string, replace: string) =>
  written({ search: search.split('\n'), replace: replace === '' ? [] : replace.split('\n') });

/** Few words, so that lines are alike often, and none that could be a mark of a block. */
const programs = array(constantFrom('a;', '  b;', '\tb;', '    if (c) {', '}', '', '  a; '), {
  minLength: 1,
  maxLength: 14,
}).map((lines) => lines.join('\n'));

test('what was changed by hand and written as a block is what comes out', () => {
  assert(
    property(programs, programs, (before, after) => {
      if (before === after || before.trim() === '') return;
      const found = applyBlocks(before, blocksIn(written(blockBetween(before, after))) ?? []);
      expect(found).toEqual({ source: after });
    }),
    { seed: 3, numRuns: 1_000 },
  );
});

test('only one place of a program is ever touched, and it is one that says what was looked for', () => {
  assert(
    property(programs, programs, string(), (before, search, replace) => {
      const requested = search.split('\n');
      const found = applyBlocks(before, [
        { search: requested, replace: [`NEW ${replace.replaceAll('\n', '')}`] },
      ]);
      if (found.source === null) return;
      const [lines, changed] = [before.split('\n'), found.source.split('\n')];
      const at = changed.findIndex((line) => line.trim().startsWith('NEW'));
      const rest = lines.length - (changed.length - at - 1);
      expect(changed.slice(0, at)).toEqual(lines.slice(0, at));
      expect(changed.slice(at + 1)).toEqual(lines.slice(rest));
      // Blank lines are none where nothing is found with them.
      expect(wordsOf(lines.slice(at, rest))).toEqual(wordsOf(requested));
    }),
    { seed: 4, numRuns: 1_000 },
  );
});

test('a program that is quoted deeper or less deep is found, and the change goes as deep as its place', () => {
  const lines = array(integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 6 });
  assert(
    property(lines, integer({ min: 1, max: 3 }), (depths, extra) => {
      const own = depths.map((depth, at) => `${'  '.repeat(depth + extra)}line${at};`);
      const quoted = depths.map((depth, at) => `${'  '.repeat(depth)}line${at};`);
      const replace = [...quoted, `${'  '.repeat(depths[0] ?? 0)}more;`];
      const found = applyBlocks(['{', ...own, '}'].join('\n'), [{ search: quoted, replace }]);
      const more = `${'  '.repeat((depths[0] ?? 0) + extra)}more;`;
      expect(found).toEqual({ source: ['{', ...own, more, '}'].join('\n') });
      const editResult = applyBlocks(['{', ...quoted, '}'].join('\n'), [{ search: own, replace: own }]);
      expect(editResult).toEqual({ source: ['{', ...quoted, '}'].join('\n') });
    }),
    { seed: 5, numRuns: 300 },
  );
});

describe('a block is found', () => {
  test('exactly, even where another place is alike but for spaces', () => {
    const found = applied(block('  a;', '  b;'), '  a;\n    a;\n');
    expect(found).toEqual({ source: '  b;\n    a;\n' });
  });

  test('where lines end in spaces, or in a carriage return', () => {
    expect(applied(block('  int a = 1;  ', '  int a = 2;')).source).toContain('int a = 2');
    expect(applied(block('  int a = 1;', '  int a = 2;').replaceAll('\n', '\r\n')).source).toContain(
      'a = 2;\n  if',
    );
  });

  test('where it is indented by tabs', () => {
    const found = applied(block('\tif (a) {\n\t\tprint(a);', '\tif (a) {\n\t\tshow(a);'));
    expect(found.source).toContain('  if (a) {\n    show(a);\n');
  });

  test('and removed, where nothing takes its place', () => {
    expect(applied(block('  int a = 1;', '')).source).toBe(source.replace('  int a = 1;\n', ''));
  });

  test('beside others of one reply, all of them in the program as it was', () => {
    const found = applied(
      `${block('  int a = 1;', '  print(a);')}\ntext between\n${block('int main() {', 'int go() {')}`,
    );
    expect(found.source).toContain('int go() {\n  print(a);\n  if (a)');
  });
});

describe('nothing is changed, and the model is told', () => {
  test.each([
    [
      'where it is missing, with what is most like it',
      block('  int b = 1;', 'x'),
      /not in the program.*\n2: {3}int a = 1;/s,
    ],
    ['where it is there twice', block('print(a);', 'x'), /2 times, from lines 4, 6/],
    ['where it looks for nothing', block('', 'x'), /SEARCH part is empty/],
    [
      'where two blocks meet',
      `${block('  int a = 1;', 'x')}\n${block('  int a = 1;\n  if (a) {', 'y')}`,
      /Two blocks replace line 2/,
    ],
    [
      'where one of two is missing',
      `${block('  int a = 1;', 'x')}\n${block('nowhere', 'y')}`,
      /Block 2 of 2/,
    ],
    ['where there is none', 'I would change the loop.', /There is no SEARCH\/REPLACE block/],
  ])('%s', (_what, reply, error) => {
    const found = applied(reply);
    expect(found.source).toBeNull();
    expect(found).toMatchObject({ trouble: expect.stringMatching(error) as string });
  });

  test.each(['<<<<<<< SEARCH\na\n', '<<<<<<< SEARCH\na\n=======\nb\n', '<<<<<<< SEARCH\n<<<<<<< SEARCH\n'])(
    'a block that does not end is none: %j',
    (reply) => {
      expect(blocksIn(reply)).toBeNull();
    },
  );

  test('a text with indentation that stands for two is no copy', () => {
    const found = applyBlocks('{\n  a;\n    b;\n}', [{ search: ['a;', 'b;'], replace: ['c;'] }]);
    expect(found.source).toBeNull();
  });
});

/** Replies in the styles of many models, written before the reader was looked at: edits that come of each, or `refused`. */
describe('patches as models write them', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../../test/data/patches/${name}`, import.meta.url), 'utf8');
  const program = read('program.cpp');
  const edits: Record<string, [string, string]> = JSON.parse(read('edits.json'));
  const replies = read('replies.txt')
    .split(/^@@@@ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const [name = '', requested = ''] = part.slice(0, end).split(' | ');
      return { name, wanted: requested, reply: part.slice(end + 1) };
    });

  test.each(replies)('$name: $wanted', ({ wanted, reply }) => {
    const blocks = blocksIn(reply);
    const found = blocks === null ? null : applyBlocks(program, blocks).source;
    const words = (text: string | null) => text && wordsOf(text.replaceAll(/[ \t]+/g, ' ').split('\n'));
    const edited = wanted.split(' ').reduce((text, name) => {
      const [from = '', to = ''] = edits[name] ?? [];
      return text.replace(from, () => to);
    }, program);
    expect(words(found)).toEqual(wanted === 'refused' ? null : words(edited));
  });

  test.each(['=', '-', '<', '>', '*', ' ', '#', 'search '])(
    'a long row of %j is read as fast as any line',
    (sign) => {
      const row = `${sign.repeat(100_000)}x`;
      expect(blocksIn(`<<<<<<< SEARCH\n${row}\n=======\nb\n>>>>>>> REPLACE`)?.length ?? 0).toBeLessThan(2);
    },
  );
});

describe('what a contestant met', () => {
  test.each([
    ['a unique part of a line', block('if (a)', 'if (a > 1)'), source.replace('if (a)', 'if (a > 1)')],
    [
      'a line whose mark the model left out',
      block('const double T = 5;  // start', 'const double T = 7;'),
      'const double T = 7; // tune: 1..9\n',
    ],
  ])('%s', (_what, reply, changed) => {
    const to = changed.startsWith('const') ? 'const double T = 5; // tune: 1..9\n' : source;
    expect(applied(reply, to)).toEqual({ source: changed });
  });

  const program = '#include <cstdio>\nint main() {\n  int steps = 3;\n  puts("a");\n}\n';
  const reply = (text: string) => ({ text, finish: 'stop' as const });

  test('blocks in the place of a rewrite are taken where they fit what was shown', () => {
    const found = readProposal(reply(block('  int steps = 3;', '  int steps = 4;')), null, program);
    expect(found).toEqual({ source: program.replace('3', '4') });
  });

  test('a program that is cut off is said to be that, where blocks were asked for', () => {
    const cut = readProposal(reply(`\`\`\`cpp\n${program.repeat(2)}int f() {`), program);
    expect(cut).toMatchObject({ source: null, trouble: expect.stringContaining('ends before its program') });
  });

  test('an idea in JSON is read, not its text', () => {
    expect(extractIdea('{"idea": "swap two", "edits": []}', '')).toBe('swap two');
  });
});
