/** What stands for formulas while Markdown is read: nothing of it is left, and no link of a model. */
import { expect, test } from 'vitest';
import { renderedForPage } from './page-html.ts';
import { tokensOf } from './tokens.ts';

test('numbers of formulas that a text brings along stay what they are', () => {
  const text = '\ue0000\ue001 &#xe000;0&#xe001; `\ue0000\ue001` $a$';
  const html = renderedForPage(text);
  expect(html.split('<math ').length).toBe(2);
  expect(html.split('\ue0000\ue001').length).toBe(4);
});

test.each([
  ['[a](https://x.example)', '<p>[a](https://x.example)</p>\n'],
  ['[a](javascript:alert(1)) ![b](c.png)', '<p>[a](javascript:alert(1)) ![b](c.png)</p>\n'],
  ['<https://x.example>', '<p>&lt;https://x.example&gt;</p>\n'],
  ['[a]\n\n[a]: https://x.example', '<p>[a]</p>\n<p>[a]: https://x.example</p>\n'],
])('a link stays as it was written: %j', (text, expected) => {
  expect(renderedForPage(text)).toBe(expected);
});

test.each([
  '```$x$\nnever closed',
  '[a](https://$y$/ "$z$") <https://$g$>',
  '    $c$\n\n# $d$\n\n| $e$ |\n|---|\n| `$f` $ |',
])('nothing of what stands for a formula is left in %j, so a document is the same each time', (text) => {
  expect(tokensOf(text).formulas.length).toBeGreaterThan(0);
  expect(renderedForPage(text)).not.toMatch(/[\ue000\ue001]/);
  expect(renderedForPage(text)).toBe(renderedForPage(text));
});
