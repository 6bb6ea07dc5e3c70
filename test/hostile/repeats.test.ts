/**
 * Short pieces that are repeated to 64 kB: what readers needed seconds for once, and for each registered reader some that a
 * seed draws from the markers that readers look for. POLYA_REPEATS=COUNT or COUNT:SEED draws more, or others.
 */
import { describe, expect, test } from 'vitest';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { toMarkdown } from '../../src/pages/markdown.ts';
import { pageOf } from '../../src/pages/page.ts';
import { cpuMs, expectLinear, signs, words } from './linear.ts';
import { readers } from './parsers.ts';

const answers = Object.keys(readers).filter((name) => name.startsWith('answers'));

test.each(answers)('%s: a marker of an answer behind another', (name) => {
  for (const unit of [
    'The answer is −',
    'The answer is -',
    'The answer is 1 ',
    'Final answer: ',
    '**Answer:** ',
  ]) {
    const text = unit.repeat(64_000 / unit.length);
    const needed = () => cpuMs(() => readers[name]?.(text));
    // It took from two to four seconds, at 4 kB too; the least of three is what it needs.
    expect(Math.min(needed(), needed(), needed()), unit).toBeLessThan(1_000);
  }
});

test.each(['<p>x', '<table><tr><td>', '<b>', '<td><p>', '<li>', '</p>'])('a page of %s', (unit) => {
  expectLinear(pageOf, unit, 160_000);
  expectLinear((html) => toMarkdown(html), unit, 64_000);
});

test('deep tags go and their text stays; lists and cells that nobody closed are no depth', () => {
  expect(toMarkdown(`${'<div>'.repeat(3_000)}deep${'</div>'.repeat(3_000)} after`)).toMatch(/deep\s+after/);
  expect(toMarkdown('<ul>'.concat('<li>x'.repeat(2_000))).match(/^- +x$/gm)?.length).toBe(2_000);
  expect(toMarkdown('<p>x'.repeat(2_000)).match(/^x$/gm)?.length).toBe(2_000);
});

const length = 64_000;
const [count = '4', seed = '1'] = (process.env.POLYA_REPEATS ?? '').split(':').filter(Boolean);

const tags = ['code', 'pre', 'table', 'tr', 'td', 'p', 'b', 'think', 'python'];
const markers = [
  ...signs,
  ...words,
  ...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag} `]),
  ...['```python\n', '12', '==', '<!--', '-->', '*/', '**', '# ', '\n\n', 'int ', 'def ', 'Score = '],
];

type Piece = { readonly before: string; readonly unit: string; readonly behind: string };

/** One to three markers in a row; some stand behind one that opens something, or before one that closes it. */
function piecesFor(reader: string): readonly Piece[] {
  const { next: chance } = seededChance(`repeats ${seed} ${reader}`);
  const some = (most: number) =>
    Array.from(
      { length: Math.floor(chance() * (most + 1)) },
      () => markers[Math.floor(chance() * markers.length)] ?? '',
    ).join('');
  return Array.from({ length: Number(count) }, () => ({
    before: some(1),
    unit: some(3) || 'x',
    behind: some(1),
  }));
}

function expectFast(read: (text: string) => unknown, { before, unit, behind }: Piece): void {
  expectLinear((text) => read(before + text + behind), unit, length);
}

test.each(Object.entries(readers))('%s: pieces of a seed', { timeout: 60_000 }, (name, read) => {
  for (const piece of piecesFor(name)) expectFast(read, piece);
});

const plain = (unit: string): Piece => ({ before: '', unit, behind: '' });

describe('what grew with the square of its length', () => {
  test.each<readonly [string, readonly Piece[]]>([
    ['grids of a task', [plain('1```'), plain('[[1,2]]\n\n'), plain('Rows 1-2\n1 1\n')]],
    ['an answer in grids', [plain('\n|'), plain('x\n\n')]],
    ['a page in a table', [plain('<tr>)//'), plain('<table><tr><td>')]],
    ['a page of a contest', [plain('$x$ ')]],
    ['Python in a reply', [plain('<code>'), plain('<code'), plain('<td><code>')]],
  ])('%s', (name, pieces) => {
    for (const piece of pieces) expectFast(readers[name] ?? String, piece);
  });
});
