/** Seeded inputs for the readers of `parsers.ts`: signs, words of every format, and what failed once, cut and put together. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { cpuMs } from './linear.ts';
import { readers } from './parsers.ts';
import { hostileFormulas, hostileTexts } from './texts.ts';

export const corpusFolder = join(import.meta.dirname, 'corpus');

/** Each file is one input that a reader failed on. */
export function corpus(): readonly string[] {
  return readdirSync(corpusFolder).map((name) => readFileSync(join(corpusFolder, name), 'utf8'));
}

const pieces = [
  ...'`~"\'()[]{}<>|\\/*_#=+-.,:;!?&%$^@09aZéß中ا\n\t\r \u0000\u2028\ue000\u00a0\u200b\ufeff',
  ...[
    '```',
    '```python\n',
    '~~~',
    '\r\n',
    '\n\n',
    '$$',
    '\\(',
    '\\[',
    '\\boxed{',
    '\\frac{1}{2}',
    '\\text{',
    '\\begin{align}',
  ],
  ...[
    '<td>',
    '</td>',
    '<em>',
    '<pre>',
    '<article class="day-desc">',
    '&lt;',
    '&#xe000;',
    '<!--',
    '<think>',
    '</think>',
  ],
  ...[
    '{"a":',
    '[[1, 2], [3, 4]]',
    '1 2\n3 4\n',
    'true',
    'null',
    '1e308',
    '-0',
    '0x1F',
    '9'.repeat(30),
    '½',
    '∞',
    '\ud83d\ude00',
  ],
  ...[
    'Score = 12\n',
    'error: ',
    'a.cpp:3:1: ',
    'answer is ',
    'Verdict: ',
    'PLAN:',
    'Idea: ',
    '### Summary ###\n',
    '&a [*a]',
    '- ? :',
  ],
  ...[
    'int main() { return 0; }',
    'for (int i = 0; i < 10; i++)',
    '#include <x>',
    'def f(x):\n  return x\n',
    '<<<<<<< SEARCH\n',
    '=======\n',
    '>>>>>>> REPLACE\n',
  ],
];

const known = [...hostileTexts, ...hostileFormulas];

/** The same for a seed and a number, whatever came before. Most are short: what fails, fails on a few signs. */
export function inputOf(seed: string, number: number, kept: readonly string[]): string {
  const { next: chance } = seededChance(`${seed} ${number}`);
  const below = (most: number) => Math.floor(chance() * most);
  const pick = <T>(from: readonly T[]): T | undefined => from[below(from.length)];
  const size = chance();
  const isLong = size > 0.998;
  let text = chance() < 0.1 ? (pick(chance() < 0.5 && kept.length > 0 ? kept : known) ?? '') : '';
  for (let left = 1 + below(isLong ? 400 : size > 0.96 ? 40 : 6); left > 0; left -= 1) {
    const piece = (pick(pieces) ?? '').repeat(chance() < 0.05 ? 1 + below(isLong ? 200 : 20) : 1);
    const at = chance() < 0.7 ? text.length : below(text.length + 1);
    text = `${text.slice(0, at)}${piece}${text.slice(chance() < 0.1 ? at + below(8) : at)}`;
  }
  return text;
}

/** They build a document of each text, which takes as long as all others together. */
const builders = new Set([
  ...['a page', 'a page in a table', 'a page in a format', 'a page of a puzzle', 'a page of a contest'],
  ...['HTML', 'LaTeX', 'a verdict of a site'],
  ...['a table of questions', 'problems of a file', 'files of a user', 'YAML'],
]);

/** Which of them read the input of a number: each has its turn, so that a million inputs take minutes. */
export function readersOf(number: number): readonly string[] {
  return Object.keys(readers).filter((name, at) => (number - at) % (builders.has(name) ? 20 : 4) === 0);
}

/** Of a text of a few thousand signs. */
const mostCpuMs = 500;

export type Failure = { readonly reader: string; readonly why: string };

/** Null where each reader read it or explained why not, in good time. */
export function failureOn(text: string, names: readonly string[] = Object.keys(readers)): Failure | null {
  for (const reader of names) {
    const read = () => readers[reader]?.(text);
    try {
      const began = performance.now();
      read();
      // What is compiled or loaded at first is no fault of the text, nor is a busy machine.
      const isSlow =
        performance.now() - began > mostCpuMs && cpuMs(read) > mostCpuMs && cpuMs(read) > mostCpuMs;
      if (isSlow) return { reader, why: `it needs more than ${mostCpuMs} ms` };
    } catch (error) {
      return { reader, why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
  return null;
}
