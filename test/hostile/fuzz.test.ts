/** A short part of `npm run fuzz`, and what asks for readers that its table lacks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpus, failureOn, inputOf } from './fuzzing.ts';
import { readers } from './parsers.ts';

test('what a reader failed on once, it reads', () => {
  for (const text of corpus()) expect(failureOn(text)).toBeNull();
});

describe.each(Object.keys(readers))('%s', (name) => {
  test('reads anything, or explains why not', () => {
    const kept = corpus();
    for (let number = 0; number < 60; number += 1) {
      const text = inputOf(name, number, kept);
      expect(failureOn(text, [name]), JSON.stringify(text)).toBeNull();
    }
  });
});

/** Read within others, or no text of anybody else. */
const elsewhere = new Set([
  ...[
    'sentencesOf',
    'tagCandidates',
    'markerCandidates',
    'conclusionCandidates',
    'boxedCandidates',
    'unclosedBox',
  ],
  ...[
    'isShort',
    'isAside',
    'parseReadings',
    'parse',
    'tokensOf',
    'groupAt',
    'splitUnit',
    'spaceUnit',
    'flattened',
    'asText',
    'dateIn',
  ],
  ...['isPlainBefore', 'jsonCandidates', 'isOption', 'isTalk', 'correctionOf', 'withPythonLogarithm'],
  ...['clean', 'withoutScaleWords', 'fromPython', 'withPythonConstants', 'withoutUnicodeMathematics', 'hash'],
  ...['findLists', 'findBlocks', 'labelText', 'line', 'text', 'pageOf', 'rendered', 'mathPieces'],
  ...[
    'titleFrom',
    'truncate',
    'brokenAtWords',
    'shellWord',
    'inHelp',
    'asCalled',
    'plainJson',
    'withoutThoughts',
    'withoutEntities',
    'csvText',
  ],
  ...[
    'findPassages',
    'quotesOf',
    'slug',
    'siteAt',
    'namedContest',
    'isHttpUrl',
    'fillText',
    'sectionOf',
    'secretRemover',
  ],
  ...[
    'cutMiddle',
    'shortened',
    'shorten',
    'byteLength',
    'parsePage',
    'linesInCode',
    'withPlus',
    'blocksOf',
    'wordsOfLines',
    'amountOf',
  ],
  ...[
    'manifestIn',
    'withResult',
    'majorLine',
    'bytesOf',
    'jsonIn',
    'textPixels',
    'glyphBoxes',
    'textBlock',
    'partsNamedIn',
    'lineOf',
    'minorLine',
    'programNameIn',
    'withoutFence',
    'entryOfText',
    'limitNesting',
    'parseMemberships',
    'findLanguage',
  ],
]);

test('every reader of a text is in the table, or named here', () => {
  const root = join(import.meta.dirname, '..', '..', 'src');
  const table = readFileSync(join(import.meta.dirname, 'parsers.ts'), 'utf8');
  const missing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) =>
      /^(?:agents|answers|apps|core|families|grids|models|notes|pages|sandbox|text)\/.*\.ts$/.test(path),
    )
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(
          /^export function (\w+)\(\s*(?:text|reply|html|said|raw): string/gm,
        ),
      ].map(([, name = '']) => ({ path, name })),
    )
    .filter(({ name }) => !elsewhere.has(name) && !new RegExp(`\\b${name}\\b`).test(table));
  expect(missing).toEqual([]);
});
