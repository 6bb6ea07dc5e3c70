/**
 * Documents that hold hostile text, read by readers that are not ours: an HTML parser as browsers have it, a reader of
 * Markdown that obeys HTML, one of CSV. Whatever was written is there as text, and nothing else is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { parse } from 'csv-parse/sync';
import MarkdownIt, { type Token } from 'markdown-it';
import { describe, expect, test, vi } from 'vitest';
import { renderedForPage } from '../../src/apps/proof/export/page-html.ts';
import { csvCell } from '../../src/core/csv.ts';
import { escapeControls, escaped, escapedJson, oneLine } from '../../src/text/format.ts';
import { escapeForTerminal, markerPaint } from '../../src/text/paint.ts';
import { csvDocuments, htmlDocuments, pictures, proofMarkdown } from './documents.ts';
import { hostileFormulas, hostileTexts } from './texts.ts';

test('there are 150 texts and more', () => {
  expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(150);
});

/** Elements that no document of ours has, and attributes that load, lead or run. */
const forbidden =
  'script, iframe, object, embed, base, frame, img, image, video, audio, source, foreignObject, template, noscript, marquee, x-y';
const leading = /^(?:src|srcset|srcdoc|data|action|formaction|poster|background|xlink:href|ping|manifest)$/i;
const ownLinks = /^(?:$|#|https?:|mailto:|\/|[\w.%-]*(?:\/|$))/i;

/** Without fonts, which are KaTeX's own and large. */
const withoutStyle = (html: string) => html.replace(/<style>[\s\S]*?<\/style>/, '');

function expectInert(html: string, { isSite = false } = {}) {
  const page = load(html);
  expect(page(forbidden).length).toBe(0);
  if (!isSite) expect(page('form, input, button, link').length).toBe(0);
  expect(page('meta[http-equiv]').length).toBe(isSite ? 0 : 1);
  page('*').each((_, element) => {
    for (const [name, value] of Object.entries(page(element).attr() ?? {})) {
      expect(name).not.toMatch(/^on/i);
      if (leading.test(name)) expect([isSite, name]).toEqual([true, 'action']);
      if (name === 'href') expect(value).toMatch(ownLinks);
      if (name === 'style') expect(value).not.toMatch(/url|expression|position:\s*fixed/i);
    }
  });
  expect(obeyed.exec(html)?.[0].charCodeAt(0).toString(16)).toBeUndefined();
  return page;
}

/** What terminals obey, or what turns a text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe.each(Object.entries(htmlDocuments))('the page of %s', (name, document) => {
  test('shows every hostile text, and obeys none', () => {
    const shown = (text: string) => text.replaceAll(/\s/g, '');
    const plain = load(withoutStyle(document('plain')))('*').length;
    for (const text of hostileTexts) {
      const page = expectInert(withoutStyle(document(text)), { isSite: name.includes('practice') });
      const inPage = shown(page('body').text());
      const written = shown(
        escapeControls(text)
          .toWellFormed()
          .replaceAll(/[\ufffe\uffff]/g, '\ufffd'),
      );
      expect(page('*').length, text).toBe(plain);
      expect(inPage).toContain(written.slice(0, 20));
    }
  });
});

test('a proof on the page holds no element, link or style of a model', () => {
  for (const text of [...hostileTexts, ...hostileFormulas]) {
    const html = renderedForPage(text);
    expectInert(`<meta http-equiv=x>${html}`);
    expect(load(html)('a, [style]').length, text).toBe(0);
  }
});

describe.each(Object.entries(pictures))('the picture: %s', (_name, document) => {
  test('is XML that holds no more elements than without the text', () => {
    const plain = load(document('plain'), { xml: true })('*').length;
    for (const text of hostileTexts) {
      const svg = document(text);
      expect(load(svg, { xml: true })('*').length).toBe(plain);
      expect(svg).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    }
  });
});

test('Markdown holds no HTML, link or picture of a model, for a reader that obeys all of them', () => {
  const reader = new MarkdownIt({ html: true, linkify: false });
  const all = (tokens: readonly Token[]): readonly Token[] =>
    tokens.flatMap((each) => [each, ...all(each.children ?? [])]);
  for (const text of [...hostileTexts, ...hostileFormulas]) {
    const markdown = proofMarkdown(text);
    const types = all(reader.parse(markdown, {})).map(({ type }) => type);
    expect(
      types.filter((type) => /html|link_open|image/.test(type)),
      JSON.stringify(text),
    ).toEqual([]);
    expect(escapeControls(markdown)).toBe(markdown);
  }
});

describe.each(Object.entries(csvDocuments))('the table of %s', (_name, document) => {
  test('has no cell that is a formula, and loses no text', () => {
    for (const text of hostileTexts) {
      const rows: readonly string[][] = parse(document(text));
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
      const cells = rows.flat();
      for (const cell of cells)
        expect(cell).not.toMatch(/^(?:[\t\r\n]|\s*[=@＝＠]|\s*[+\-＋－](?![\d.,]*%?$))/);
      expect(
        cells.some((cell) => cell.toWellFormed().includes(text.toWellFormed())),
        JSON.stringify(text),
      ).toBe(true);
    }
  });
});

test('tables are made of the one cell of CSV, and what is written as HTML or SVG is one of the documents above', () => {
  const root = join(import.meta.dirname, '..', '..', 'src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
  const pathsOf = (pattern: RegExp) =>
    files.flatMap(({ path, source }) => (pattern.test(source) ? [path] : [])).sort();
  const tables = pathsOf(/function \w*[cC]sv\w*\(/);
  // The first reads tables.
  expect(tables.filter((path) => !pathsOf(/csv(?:Cell|Field)/).includes(path))).toEqual([
    'families/qa/records.ts',
  ]);
  expect(pathsOf(/from '[./]+\/text\/markup\.ts'/)).toEqual([
    'apps/ahc/intake/local-source.ts',
    'apps/ahc/intake/own-statement.ts',
    'apps/ahc/intake/problem.ts',
    'apps/proof/export/page-html.ts',
    'cli/viewing.ts',
    'grids/svg.ts',
    'practice/atcoder/pages.ts',
    'practice/pages.ts',
  ]);
  // The last of them reads what a model escaped.
  expect(
    pathsOf(/['"&]lt;|&lt;/).filter(
      (path) =>
        !/^(?:text\/markup|apps\/proof\/export\/markdown|families\/ahc\/plain\/styles|agents\/search\/operators\/blocks-in-reply)\.ts$/.test(
          path,
        ),
    ),
  ).toEqual([]);
  expect(pathsOf(/\bkatex\b.*\.render|from 'katex'/)).toEqual(['apps/proof/export/typeset.ts']);
});

test('JSON and lines for a terminal hold nothing that a terminal obeys', () => {
  for (const text of hostileTexts) {
    for (const told of [
      escapeControls(text),
      oneLine(text),
      escapedJson({ [text]: [text] }),
      escaped(JSON.stringify(text)),
    ])
      expect(told).not.toMatch(obeyed);
    expect(JSON.parse(escapedJson(text))).toBe(text);
    const paint = markerPaint('4711');
    const painted = `${paint('good', text)}\r${paint.sequence('2K')}`;
    expect(escapeForTerminal(painted, '4711')).toBe(`\u001b[32m${escapeControls(text)}\u001b[39m\r\u001b[2K`);
  }
});

test('no hostile text reaches the console while documents are made', () => {
  const written: unknown[] = [];
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void written.push(words));
  for (const text of [...hostileTexts, ...hostileFormulas])
    [renderedForPage(text), proofMarkdown(text), csvCell(text)];
  vi.restoreAllMocks();
  expect(written).toEqual([]);
});
