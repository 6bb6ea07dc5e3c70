/** Addresses of links that a model wrote, and what stands for formulas while Markdown is read. */
import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { rendered } from './html.ts';
import { tokensOf } from './tokens.ts';

const links = (text: string) =>
  load(rendered(text))('a')
    .toArray()
    .map((link) => link.attribs.href);

describe('an address that is dangerous only once its formulas are back', () => {
  const inside = [
    '%EE%80%809999%EE%80%81',
    '%ee%80%809999%ee%80%81',
    '&#xe000;9999&#xe001;',
    '\ue0009999\ue001',
  ];
  const formulas = ['$x$', '\\(x\\)', '$:$', '\\(\\\\\\)'];
  test.each(
    ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'JaVaScRiPt:x'].flatMap(
      (address) => [
        `[x](${address})`,
        `[x](<${address}>)`,
        `<${address}>`,
        `[x]\n\n[x]: ${address}`,
        ...[...inside, ...formulas].flatMap((piece) =>
          [0, 4, address.indexOf(':')].map(
            (at) => `$a$ [x](<${address.slice(0, at)}${piece}${address.slice(at)}>)`,
          ),
        ),
      ],
    ),
  )('%j leads nowhere', (text) => {
    for (const link of links(text)) {
      // Without a scheme it is a path beside the document.
      expect(link === undefined || !URL.canParse(link)).toBe(true);
    }
  });
});

test('numbers of formulas that a text brings along stay what they are', () => {
  const text = '\ue0000\ue001 &#xe000;0&#xe001; `\ue0000\ue001` $a$';
  const html = rendered(text);
  expect(html.split('class="katex"').length).toBe(2);
  expect(html.split('\ue0000\ue001').length).toBe(4);
});

test.each([
  ['[a](/$x$?b=$y$ "$z$")', ['/$x$?b=$y$']],
  ['[a](https://x.example/$x$#b)', ['https://x.example/$x$#b']],
  ['[a](mailto:a@b.example) [b](#c) [d](e:f)', ['mailto:a@b.example', '#c', undefined]],
  // What stood for the formula would be encoded with the name of the host.
  ['[a](https://$x$/) <https://$x$.example>', [undefined, undefined]],
  ['[a](/\\(\ud800\\))', ['/%5C(%EF%BF%BD%5C)']],
])('addresses in %j', (text, expected) => {
  expect(links(text)).toEqual(expected);
});

test.each([
  '```$x$\nnever closed',
  '[a](https://$y$/ "$z$") <https://$g$>',
  '    $c$\n\n# $d$\n\n| $e$ |\n|---|\n| `$f` $ |',
])('nothing of what stands for a formula is left in %j, so a document is the same each time', (text) => {
  expect(tokensOf(text).formulas.length).toBeGreaterThan(0);
  expect(rendered(text)).not.toMatch(/[\ue000\ue001]/);
  expect(rendered(text)).toBe(rendered(text));
});
