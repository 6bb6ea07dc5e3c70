import { describe, expect, test } from 'vitest';
import { UserError } from '../../core/errors.ts';
import { parseReference } from './reference.ts';

describe('references', () => {
  const good = { site: 'practice', year: 2000, day: 1, lang: 'python' };
  test('languages have one name', () => {
    expect(parseReference({ ...good, lang: 'C++', user: 'ada', seed: 4 })).toEqual({
      ...good,
      lang: 'cpp',
      user: 'ada',
      seed: 4,
    });
    expect(parseReference({ ...good, lang: 'Python' })).toEqual(good);
  });
  test.each([
    [{ ...good, lang: 'cobol' }, /"cobol" is not a language.*python, cpp/],
    [{ ...good, day: '1' }, /day/],
    [{ ...good, day: 1.5 }, /day/],
    [{ ...good, user: '../root' }, /letters, digits/],
    [{ ...good, cookie: 'x' }, /cookie/],
    [null, /Give site, year, day and lang/],
  ])('%j is refused', (reference, message) => {
    expect(() => parseReference(reference)).toThrow(UserError);
    expect(() => parseReference(reference)).toThrow(message);
  });
});
