/** Whether a reader takes time in proportion to the length of its text, in processor time, on however busy a machine. */
import { expect } from 'vitest';

export const signs = [...'`~"\'()[]{}<>|\\/*_#=+-.,:;!?&%$^0a\n\r\t \u2028\u2029\ue000\u00a0é'];

/** Beginnings of what readers look for. */
export const words = [
  ...[
    '```',
    '~~~',
    '```x\n',
    '```\u2028',
    '$$',
    '\\(',
    '\\[',
    '\\boxed{',
    '\\begin{align}',
    '\\text{',
    '\\message{',
  ],
  ...[
    '&#xe000;',
    '&amp;',
    '<answer>',
    'answer: ',
    'answer is ',
    'the ',
    '\n\n',
    '\r\n',
    '\n ',
    ' \u2028',
    '- ',
    '1. ',
  ],
  ...[
    '[[',
    '[1],',
    '[[1,',
    '0 0\n',
    '1,',
    '"a":',
    'a: [',
    '&a ',
    'k: 1\n',
    'PLAN:',
    '\nidea: ',
    'Train 1: ',
    'Done: ',
  ],
  ...[
    '// tune: ',
    'int a=5;',
    '"\\',
    "'\\",
    'R"(',
    '/*',
    '#include ',
    'f() {\n',
    'x^',
    '=0,',
    '0 < a, ',
    'Cookie:',
    '-eyJ',
  ],
];

/** What is shorter than this freezes nothing, and is lost among what a collector of garbage needs. */
const floorMs = 200;
const tries = 8;

/**
 * Twice the length takes less than three times as long; what grows with the square takes four times as long. The least of
 * several tries is what a reader needs, and one that is enough ends them. What a busy machine made of one length it
 * does not make of half of it too.
 */
export function expectLinear(read: (text: string) => unknown, unit: string, length: number): void {
  const whole = textOf(unit, length);
  if (cpuMs(() => read(whole)) < floorMs) return;
  const growths = [length, length / 2].map((each) => growth(read, unit, each));
  expect(
    Math.min(...growths),
    `${JSON.stringify(unit)}: ${growths.join(' and ')} times as long`,
  ).toBeLessThan(3);
}

function growth(read: (text: string) => unknown, unit: string, length: number): number {
  const [whole, half] = [textOf(unit, length), textOf(unit, length / 2)];
  let [long, short] = [Infinity, Infinity];
  for (let at = 0; at < tries; at += 1) {
    short = Math.min(
      short,
      Math.max(
        1,
        cpuMs(() => read(half)),
      ),
    );
    long = Math.min(
      long,
      cpuMs(() => read(whole)),
    );
    if (long < 3 * short || long < floorMs / 4) break;
  }
  return long / short;
}

function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
