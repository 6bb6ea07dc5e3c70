/** What holds for every puzzle; each is held against a brute force of its own beside its file. */
import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { puzzles } from './index.ts';

const solveMs = 200;

describe.each(puzzles.map((puzzle) => [puzzle.title, puzzle] as const))('%s', (_title, puzzle) => {
  const inputs = Array.from({ length: 12 }, (_, seed) => puzzle.generate(seededRandom(String(seed))));
  const answers: (readonly string[])[] = inputs.map((input) => puzzle.solve(input));

  test('its text explains the example that its solver solves', () => {
    const parts = puzzle.parts.map((html) => load(html));
    expect(parts[0]?.('pre code').first().text()).toBe(puzzle.example);
    expect(parts.map((part) => part('code em').last().text())).toEqual([...puzzle.solve(puzzle.example)]);
    for (const html of puzzle.parts) {
      expect(load(html, null, false).html().replaceAll('&gt;', '>')).toBe(html.replaceAll('&gt;', '>'));
      expect(html).not.toContain('TODO');
    }
  });

  test('a seed determines its input, and inputs differ in all answers', () => {
    expect(puzzle.generate(seededRandom('3'))).toBe(inputs[3]);
    for (const part of puzzle.parts.keys()) {
      expect(new Set(answers.map((answer) => answer[part])).size).toBeGreaterThan(8);
    }
    for (const [one, second] of answers) {
      expect(one).toMatch(/^[1-9]\d+$/);
      expect(second).not.toBe(one);
      if (second !== undefined) expect(second).toMatch(/^([1-9]\d+|[A-Z]+|[A-Z]+\+\d+)$/);
    }
  });

  test('its input ends with a newline and is plain text of a size that one can look at', () => {
    for (const input of inputs) {
      expect(input).toMatch(/^[\x20-\x7e\n]+[\x21-\x7e]\n$/);
      expect(input.length).toBeGreaterThan(1_000);
      expect(input.length).toBeLessThan(40_000);
      expect(input.split('\n').length).toBeGreaterThan(40);
    }
  });

  test('the site makes and solves an input while somebody waits', () => {
    const times = inputs.map((input, seed) => {
      const start = process.cpuUsage();
      puzzle.solve(input);
      puzzle.generate(seededRandom(`wait ${seed}`));
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    // Of the processor, whoever else wants it; and not what the first of them take until they are compiled.
    expect(times.toSorted((a, b) => a - b)[6]).toBeLessThan(solveMs);
  });
});

describe('all puzzles together', () => {
  test('no two have one day, and only the last day has one part', () => {
    const days = puzzles.map(({ day }) => day);
    expect(days).toEqual([...new Set(days)].sort((a, b) => a - b));
    expect(puzzles.filter(({ parts }) => parts.length === 1).map(({ day }) => day)).toEqual([25]);
    expect(days.at(-1)).toBe(25);
  });
});
