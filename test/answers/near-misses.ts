/** One sign, digit, exponent or bracket that is changed makes another answer: it is never called equal. */
import { expect, test } from 'vitest';
import type { Answers } from '../../src/answers/index.ts';

export function holdNearMisses(golds: readonly string[], answers: Answers, atLeast: number): void {
  test.each(Object.entries(changes))('one %s that is changed', (_name, change) => {
    let tried = 0;
    for (const gold of new Set(golds)) {
      for (const changed of change(gold)) {
        if (changed === gold || isStillTheSame(gold, changed)) continue;
        tried += 1;
        const verdict = answers.equal(gold, changed);
        expect(verdict.equal, `${gold} | ${changed} ${JSON.stringify(verdict)}`).toBe(false);
      }
    }
    expect(tried).toBeGreaterThanOrEqual(atLeast);
  });
}

type Change = (text: string) => readonly string[];

const eachMatch = (text: string, pattern: RegExp, change: (found: string) => readonly string[]): string[] =>
  [...text.matchAll(pattern)].flatMap((match) =>
    change(match[0]).map(
      (each) => text.slice(0, match.index) + each + text.slice(match.index + match[0].length),
    ),
  );

const changes: Readonly<Record<string, Change>> = {
  digit: (text) =>
    eachMatch(text, /\d/g, (digit) => [String((Number(digit) + 1) % 10), String((Number(digit) + 3) % 10)]),
  sign: (text) => [
    ...eachMatch(text, /(?<=[\w)}\s])[-+](?=[\s\w\\])/g, (sign) => [sign === '-' ? '+' : '-']),
    ...(text.startsWith('-') ? [text.slice(1)] : [`-${text}`]),
  ],
  exponent: (text) => eachMatch(text, /\^\d/g, (power) => [`^${Number(power.slice(1)) + 1}`]),
  bracket: (text) =>
    /^[([].*,.*[)\]]$/.test(text)
      ? [
          (text.startsWith('(') ? '[' : '(') + text.slice(1),
          text.slice(0, -1) + (text.endsWith(')') ? ']' : ')'),
        ]
      : [],
};

/** Perhaps truly equal after the change: some functions forget what they were given, nothing is not negative, and two solutions ± stay two when all is turned. */
function isStillTheSame(gold: string, changed: string): boolean {
  if (/^\\(?:binom|lfloor|gcd)/.test(gold)) return true;
  if (/^-?0$/.test(gold) || gold.startsWith('\\pm')) return true;
  return (
    changed === `-${gold}` &&
    /^(?:[^=<>]*=[^=]*0$|.*[<>∪,:]|\\(?:text|mathbb|emptyset|infty)|[[({])/.test(gold)
  );
}
