/** The vocabulary in the documents is the one in the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTypes, failures } from '../../src/families/aoc/failure.ts';
import { metricsCsv } from '../../src/families/aoc/metrics.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/aoc.md'), 'utf8');
const table = (heading: string) => {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
};

test('causes and failures', () => {
  expect(table('error_type')).toEqual(Object.entries(errorTypes));
  expect(table('last_failure')).toEqual(Object.entries(failures));
});

test('every column is explained', () => {
  for (const column of metricsCsv([]).trim().split(',')) {
    expect(text, column).toContain(`\`${column.replace(/part[12]$/, 'partX')}\``);
  }
});
