/** What a visualizer's page draws on: found wherever it is named, and nothing beyond its own folder. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsNamedIn } from '../../../src/apps/ahc/intake/problem.ts';
import { newDesk, siteWith } from './fixture.ts';

const page = 'https://img.atcoder.jp/ahc030/ab12.html?lang=en';

describe('a page names', () => {
  test('scripts, styles, pictures and what inline scripts and styles bring', () => {
    const html = `<link rel="stylesheet" href="./lib/vis.css?v=2"><script type="module" src="ab12.js"></script>
<img src="logo.png"><script type="module">import init from './pkg/vis.js'; await init('pkg/vis_bg.wasm');</script>
<style>body { background: url("dots.svg") }</style><img src="logo.png#twice">`;
    expect(partsNamedIn(html, { name: '', page })).toEqual([
      'lib/vis.css',
      'ab12.js',
      'logo.png',
      'pkg/vis.js',
      'pkg/vis_bg.wasm',
      'dots.svg',
    ]);
  });

  test('nothing of another folder, of another site, or of a name that leads out', () => {
    const html = `<script src="https://cdn.example/x.js"></script><script src="../ahc001/x.js"></script>
<script src="/x.js"></script><img src="data:image/png;base64,AA"><script src="a/%2e%2e/%2e%2e/x.js"></script>
<script src="%2fetc.js"></script><script src=".hidden.js"></script><script src="x.tmp"></script>`;
    expect(partsNamedIn(html, { name: '', page })).toEqual([]);
  });

  test('of a script what it names, as seen from where it lies; of what is no text nothing', () => {
    const script = 'import "./snippets/a.js"; new URL("vis_bg.wasm?x=1", import.meta.url); f(`../top.json`)';
    expect(partsNamedIn(script, { name: 'pkg/vis.js', page })).toEqual([
      'pkg/snippets/a.js',
      'pkg/vis_bg.wasm',
      'top.json',
    ]);
    expect(partsNamedIn('"x.js"', { name: 'pkg/vis_bg.wasm', page })).toEqual([]);
    expect(partsNamedIn('i { src: url(f.woff2) }', { name: 'lib/a.css', page })).toEqual(['lib/f.woff2']);
  });

  test('of any text something that stays in the folder, or nothing', () => {
    const pieces = fc.constantFrom(
      '<script src="',
      '"',
      '../',
      'a.js',
      '/',
      '\\',
      '%2e',
      'import "',
      '>',
      '?',
      ':',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 }))), (parts) => {
        for (const name of ['', 'a/b.js']) {
          for (const found of partsNamedIn(parts.join(''), { name, page })) {
            expect(found).toMatch(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/);
          }
        }
      }),
      { seed: 1 },
    );
  });
});

test('the visualizer is kept with what it draws on, once, and told where something of it is not to be had', async () => {
  const site = await siteWith({ mischief: [{ path: '_bg.wasm', times: 1, does: { status: 404 } }] });
  const desk = newDesk();
  const first = await desk.init('polya002', { site: site.url });
  expect(first.troubles.map(({ what }) => what).join()).toMatch(
    /The visualizer names files that could not be had: \w+_bg\.wasm/,
  );
  const second = await desk.init('polya002', { site: site.url });
  expect(second.written).toEqual([expect.stringMatching(/_bg\.wasm$/)]);

  const other = newDesk();
  await other.init('polya002', { site: site.url });
  const names = Object.keys(other.files('polya002')).filter((name) => name.startsWith('tools/visualizer/'));
  expect(names.map((name) => name.replace(/[0-9a-f]{10}/, 'HASH')).sort()).toEqual([
    'tools/visualizer/HASH.js',
    'tools/visualizer/HASH_bg.wasm',
    'tools/visualizer/address.txt',
    'tools/visualizer/index.html',
  ]);
});
