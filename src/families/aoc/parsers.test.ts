import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDayPage, parseReply, plainText, toMarkdown } from './page.ts';

const article = (text: string) => `<html><body><main><article><p>${text}</p></article></main></body></html>`;

describe('replies', () => {
  test.each([
    ["That's the right answer!  You are one gold star closer.", { kind: 'right' }],
    [
      "That's not the right answer; your answer is too high.  Please wait.",
      { kind: 'wrong', hint: 'too-high' },
    ],
    [
      "That's not the right answer;\n your answer is too low. (You guessed 5.)",
      { kind: 'wrong', hint: 'too-low' },
    ],
    ["That's not the right answer.", { kind: 'wrong', hint: null }],
    ['You gave an answer too recently. You have 1m 5s left to wait.', { kind: 'too-recent', leftMs: 65_000 }],
    ['You gave an answer too recently. You have 45s left to wait.', { kind: 'too-recent', leftMs: 45_000 }],
    [
      'You gave an answer too recently. You have 1h 2m 3s left to wait.',
      { kind: 'too-recent', leftMs: 3_723_000 },
    ],
    ['You gave an answer too recently. You have 5m left to wait.', { kind: 'too-recent', leftMs: 300_000 }],
    ['You gave an answer too recently. Come back later.', { kind: 'too-recent', leftMs: null }],
    ["You don't seem to be solving the right level.  Did you already complete it?", { kind: 'wrong-level' }],
    ["You've finished every puzzle!", { kind: 'finished' }],
    ["You're posting too much data; please fix your script.", { kind: 'too-much-data' }],
    ['The moon is made of cheese.', { kind: 'unknown' }],
  ])('%s', (text, expected) => {
    expect(parseReply(article(text))).toEqual({
      ...expected,
      told: text.replaceAll(/\s+/g, ' '),
      raw: article(text),
    });
  });

  test('a page that asks to log in is nobody’s verdict', () => {
    expect(parseReply('<a href="/auth/login">[Log In]</a>')).toMatchObject({ kind: 'logged-out' });
    expect(parseReply("<article>That's the right answer</article><a>[Log In]</a>")).toMatchObject({
      kind: 'right',
    });
    expect(parseReply('')).toEqual({ kind: 'unknown', told: '', raw: '' });
  });

  test('any text is some reply', () => {
    fc.assert(
      fc.property(html(), (text) => {
        const reply = parseReply(text);
        expect(reply.told.length).toBeLessThanOrEqual(1_000);
        expect(typeof reply.kind).toBe('string');
      }),
      { seed: 1 },
    );
  });
});

describe('pages', () => {
  const solved = `<article class="day-desc"><h2>--- Day 7: Fog: a Tale ---</h2><p>One. Your puzzle answer was <code>no</code></p></article>
    <p>Your puzzle answer was <code>12</code>.</p>
    <article class="day-desc"><h2 id="part2">--- Part Two ---</h2><p>Two</p></article>`;

  test('a half-solved day', () => {
    const page = parseDayPage(solved);
    expect(page).toMatchObject({ loggedIn: true, title: 'Fog: a Tale', answers: ['12'] });
    expect(page.parts).toHaveLength(2);
    expect(JSON.stringify(page.parts)).not.toContain('12');
  });

  test('a wholly solved day, and one seen by a stranger', () => {
    expect(parseDayPage(`${solved}<p>Your puzzle answer was <code>fish</code>.</p>`).answers).toEqual([
      '12',
      'fish',
    ]);
    expect(parseDayPage(`<a href="x">[Log In]</a>${solved}`).loggedIn).toBe(false);
  });

  test('any text is some page', () => {
    fc.assert(
      fc.property(html(), (text) => {
        const page = parseDayPage(text);
        expect(page.parts.length).toBeLessThanOrEqual(2);
        expect(page.answers.length).toBeLessThanOrEqual(2);
        expect(typeof toMarkdown(text)).toBe('string');
        expect(plainText(text)).not.toContain('\n');
      }),
      { seed: 1 },
    );
  });
});

describe('Markdown', () => {
  test('raised and lowered words stay raised and lowered', () => {
    expect(toMarkdown('<p>10<sup>9</sup> and x<sub>ij</sub></p>')).toBe('10^9 and x_{ij}');
  });

  test('keeps what a statement needs', () => {
    const markdown =
      toMarkdown(`<h2>--- Day 1: X ---</h2><p>It is <em>cold</em>, <span title="joke">very</span>
      <a href="/2000/about">cold</a>: <code>a_b*c</code> gives <code><em>42</em></code>, see [1].</p>
      <pre><code>1 &lt; <em>2</em>
3 4
</code></pre><ul><li>one</li><li>two</li></ul>`);
    expect(markdown).toMatchInlineSnapshot(`
      "## Day 1: X

      It is *cold*, very cold: \`a_b*c\` gives **\`42\`**, see [1].

      \`\`\`
      1 < 2
      3 4
      \`\`\`

      -   one
      -   two"
    `);
  });
});

/** Text with the tags and phrases that the parsers look for, in any order. */
function html() {
  const part = fc.constantFrom(
    '<article>',
    '</article>',
    '<article class="day-desc">',
    '<h2>--- Day 1: X ---</h2>',
    '<p>',
    '</p>',
    '<code>',
    '</code>',
    '<em>',
    '<pre>',
    '<a>[Log In]</a>',
    'Your puzzle answer was',
    "That's not the right answer",
    'You gave an answer too recently',
    'You have 9m 9s left to wait',
    '<!--',
    ']]>',
    '<script>',
    '&#0;',
    '<table><tr>',
    '<a href="',
    '\0',
  );
  return fc
    .array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 30 })
    .map((parts) => parts.join(''));
}
