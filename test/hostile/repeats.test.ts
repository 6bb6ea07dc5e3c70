/** What readers needed seconds for once, at 64 kB and repeated: markers that follow one another, tags that are never closed. */
import { expect, test } from 'vitest';
import { toMarkdown } from '../../src/pages/markdown.ts';
import { pageOf } from '../../src/pages/page.ts';
import { cpuMs, expectLinear } from './linear.ts';
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
