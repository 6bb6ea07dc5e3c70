/** A long run of one sign between words: a reader may look at each of its signs once, and not from each of them. */
import { test } from 'vitest';
import { expectLinear } from './linear.ts';
import { readers } from './parsers.ts';

test.each(['talk', 'what is left open', 'an idea', 'a passage'])('%s', (name) => {
  for (const sign of [' ', '\n', '-', ','])
    expectLinear((text) => readers[name]?.(`Thanks${text}1`), sign, 40_000);
});
