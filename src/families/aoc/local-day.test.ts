import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePage } from './local-day.ts';
import { markdownOf, wordsOf } from './page.ts';

const partsOf = (text: string) => parsePage(text).parts.map(markdownOf);

describe('statements in files', () => {
  test('as Markdown or plain text, with both parts or one', () => {
    expect(partsOf('# --- Day 1: A <b> ---\nOne [x] *y*')).toEqual(['# --- Day 1: A <b> ---\nOne [x] *y*']);
    for (const heading of [
      '## --- Part Two ---',
      '--- Part Two ---',
      '**--- PART TWO ---**',
      '--- part two --- ',
      '## Part Two',
    ]) {
      expect(partsOf(`One\n${heading}\nTwo`)).toEqual(['One', '## Part Two\n\nTwo']);
    }
    expect(partsOf('Say "--- Part Two ---" aloud')).toHaveLength(1);
    for (const heading of ['## --- Day 12: A Title ---', '## Day 12: A Title', '--- Day 12: A Title ---'])
      expect(parsePage(`${heading}\nOne`).title).toBe('A Title');
    expect(parsePage('On Day 12: nothing').title).toBeNull();
  });

  test('as HTML', () => {
    expect(
      partsOf('<h2>--- Day 1: A ---</h2><p>One</p><h2 id="part2">--- Part Two ---</h2><p>Two</p>'),
    ).toEqual(['## Day 1: A\n\nOne', '## Part Two\n\nTwo']);
    const saved = `<html><article class="day-desc"><p>One</p></article><p>Your puzzle answer was <code>5</code>.</p>
      <article class="day-desc"><p>Two</p></article></html>`;
    expect(partsOf(saved)).toEqual(['One', 'Two']);
    expect(parsePage(saved).answers).toEqual(['5']);
  });

  test.each([
    [
      'One\n\nYour puzzle answer was 7.\n\n--- Part Two ---\nTwo\n\nYour puzzle answer was -12.\n',
      ['7', '-12'],
    ],
    ['One\n\nYour puzzle answer was `4.2`. The first half of this puzzle is complete!\n', ['4.2']],
    ['> Your puzzle answer was **`ab,c`**.\r\nOne\n--- Part Two ---\nTwo', ['ab,c', undefined]],
    [
      '<p>One</p>\n<p>Your puzzle answer was <code>7</code>.</p>\n<h2>--- Part Two ---</h2><p>Two</p>',
      ['7', undefined],
    ],
    ['<p>One</p><p>Your puzzle answer was <code>x&amp;7</code>.</p>', ['x&7']],
  ])('an answer that stands in them is known, and shown to nobody: %j', (text, answers) => {
    const page = parsePage(text);
    expect(page.answers).toEqual(answers);
    const shown = page.parts.map(markdownOf).join('\n');
    expect(shown).toContain('One');
    expect(shown).not.toMatch(/puzzle answer|7|4\.2|12|ab,c|complete/);
  });

  test('any text has one part or two, and part 2 is not in part 1', () => {
    const piece = fc.constantFrom(
      '--- Part Two ---',
      '\n',
      '<h2>',
      '</h2>',
      '<article class="day-desc">',
      'SECRET',
      ' ',
    );
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 10 }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (statement) => {
        const { parts } = parsePage(statement);
        expect(parts.length).toBeGreaterThan(0);
        expect(parts.length).toBeLessThanOrEqual(2);
        for (const part of parts) expect(wordsOf(part)).not.toContain('\n');
      }),
      { seed: 1 },
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, second) => {
        fc.pre(!one.trimStart().startsWith('<'));
        expect(partsOf(`${one}\n--- Part Two ---\nSECRET${second}`)[0]).not.toContain('SECRET');
      }),
      { seed: 1 },
    );
  });
});
