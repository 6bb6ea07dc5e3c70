import { expect, test } from 'vitest';
import { brokenAtWords } from './wrap.ts';

test('a text is broken between words; one that is too long for a line stays whole, to be copied', () => {
  const path = '/a/very/long/path/that/nobody/could/use/without/its/end';
  expect(brokenAtWords(`It lies in ${path} and is whole.`, 20, '  ')).toEqual([
    'It lies in',
    `  ${path}`,
    '  and is whole.',
  ]);
  expect(brokenAtWords('short', 20)).toEqual(['short']);
});
