import { expect, test } from 'vitest';
import { wrapWords } from './wrap.ts';

test('a text is broken between words; one that is too long for a line stays whole, to be copied', () => {
  const path = '/a/very/long/path/that/nobody/could/use/without/its/end';
  expect(wrapWords(`It lies in ${path} and is whole.`, 20, '  ')).toEqual([
    'It lies in',
    `  ${path}`,
    '  and is whole.',
  ]);
  expect(wrapWords('short', 20)).toEqual(['short']);
});
