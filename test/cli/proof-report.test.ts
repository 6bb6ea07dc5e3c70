/** What a journal of a proof tells beyond the plain loop: votes, points, reviews, a pool, abstention, failed calls. */
import { describe, expect, test } from 'vitest';
import { proofMarkdown } from '../../src/apps/proof/export/markdown.ts';
import { proofText } from '../../src/apps/proof/report.ts';
import { proofJson } from '../../src/apps/proof/tell.ts';
import type { Output } from '../../src/cli/contract.ts';
import { noPaint } from '../../src/text/paint.ts';
import { note, proofReport } from '../support/proof-journal.ts';

const output: Output = {
  write: () => undefined,
  isTerminal: false,
  columns: 100,
  paint: noPaint,
  isClosed: false,
};
const at = (iteration: number | null, attempt = 1) => ({ attempt, iteration });
const votes = { yes: 1, no: 2, of: 5 };

const found = { against: true, kind: 'justification-gap' as const, quote: 'one', lines: null, graders: [2] };

const notes = [
  note('attempt-start', { attempt: 1 }),
  note('hint', { ...at(null), turn: 'solve', hint: 'Look\u001b[31m twice.' }),
  note('missing-section', { ...at(null), turn: 'improve' }),
  note('draft', { ...at(null), turn: 'solve', text: 'one', rebuttal: null }),
  note('report', { ...at(null), grader: 2, pass: false, points: 3, report: 'A gap.\u0007' }),
  note('report', { ...at(null), grader: 1, pass: true, points: 7, report: 'Fine.' }),
  note('finding', { ...at(null), ...found, id: 1, explanation: 'The gap.' }),
  note('finding', { ...at(null), ...found, id: 2, explanation: 'A typo.' }),
  note('finding-answer', { ...at(null), id: 2, answer: 'overruled', why: 'There is none.' }),
  note('verification', { ...at(null), verdict: 'void', votes, points: 3, bugReport: '' }),
  note('counters', { attempt: 1, iteration: 0, passes: 0, failures: 3 }),
  note('call-failed', { ...at(0), message: 'timeout' }),
  note('draft', { ...at(0), turn: 'correct', text: 'two', rebuttal: 'It is Fermat.' }),
  note('attempt-end', { ...at(0), end: 'accepted', passes: 1, failures: 0, doubts: [] }),
  note('comparison', { attempts: [1, 2], better: null, reasons: ['shorter', 'clearer'] }),
  note('comparison', { attempts: [1, 3], better: 3, reasons: [] }),
  note('selection', {
    pool: [
      { attempt: 1, score: 0.5 },
      { attempt: 3, score: 1.5 },
    ],
    chosen: 3,
    isComplete: false,
  }),
];

describe('a report', () => {
  const { result, record } = proofReport({
    notes,
    end: { solution: { end: 'answered', answer: { type: 'text', text: 'two' } } },
  });
  const told = proofText(output, { result, record }, { withReports: true });

  test.each([
    'begin                      solve                           void                   1 : 2 of 5       3',
    '0               0       3  correct, rebuts, a call failed',
    'Report of grader 2, attempt 1, at the beginning: not passed, 3 of 7 points (event 6)',
    'attempt 1, at the beginning, from its turn "solve" on: Look␛[31m twice.',
    'attempt 1, at the beginning, justification gap, open: “one” The gap.',
    'attempt 1, at the beginning, justification gap, overruled (There is none.): “one” A typo.',
    'Of 2 accepted proofs that of attempt 3 was chosen (attempt 1: 0.5, attempt 3: 1.5; a limit ended the comparison).',
    'Attempts 1 and 2: neither is better. shorter / clearer',
    'The accepted proof\n\ntwo\n',
  ])('tells %j', (line) => {
    expect(told).toContain(line);
  });
});

describe('rebuttals are shown wherever the proof is', () => {
  const shown = proofReport({
    notes,
    end: { solution: { end: 'answered', answer: { type: 'text', text: 'two' } } },
  });

  test('in the report and in JSON', () => {
    for (const withReports of [true, false])
      expect(proofText(output, shown, { withReports })).toContain(
        'Rebuttal, attempt 1, iteration 0\n\nIt is Fermat.\n',
      );
    expect(proofJson(shown).rebuttals).toEqual([
      { heading: 'Rebuttal, attempt 1, iteration 0', text: 'It is Fermat.' },
    ]);
  });
});

describe('a title with a formula', () => {
  const titled = (title: string) => {
    const shown = proofReport({ notes: [] });
    const { header } = shown.record;
    if (!header) throw new Error('There is no header.');
    return {
      ...shown,
      record: { ...shown.record, header: { ...header, problem: { ...header.problem, title } } },
    };
  };

  test.each([
    ['Let $a$ and $\\frac{1}{…', 'Let $a$ and …'],
    ['Let \\(x + …', 'Let …'],
    ['Let $$x + …', 'Let …'],
    ['Let $a$ and more …', 'Let $a$ and more …'],
    ['It costs 5$', 'It costs 5$'],
  ])('%j is never cut inside of one', (title, whole) => {
    expect(proofMarkdown(titled(title)).split('\n')[0]).toBe(`# ${whole}`);
  });
});
