/** Notes of a proof as lines for people: each kind has one, and none of them holds a whole proof or report. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import { type ProofNoteData, type ProofNoteKind, proofNoteShapes } from '../../src/notes/proof.ts';

const long = 'A long proof. '.repeat(100);
const place = { attempt: 2, iteration: 3 };
const votes = { yes: 1, no: 1, of: 3 };

const notes: { readonly [Kind in ProofNoteKind]: readonly [ProofNoteData<Kind>, RegExp] } = {
  'attempt-start': [{ attempt: 2 }, /attempt 2/],
  counters: [{ ...place, passes: 1, failures: 0 }, /iteration 3.*1 pass, 0/],
  draft: [{ ...place, turn: 'correct', text: long, rebuttal: 'No.' }, /attempt 2/],
  report: [{ ...place, grader: 2, pass: false, points: 5, report: long }, /attempt 2/],
  verification: [
    { ...place, verdict: 'fail', votes, points: 3, bugReport: long },
    /1 of 2 graders .*, 1 not waited for.*3 of 7/,
  ],
  finding: [
    {
      ...place,
      id: 2,
      against: true,
      kind: 'proves-less',
      quote: long,
      lines: null,
      explanation: long,
      graders: [1],
    },
    /finding 2: proves less/,
  ],
  'finding-answer': [{ ...place, id: 2, answer: 'overruled', why: long }, /finding 2 is overruled/],
  hint: [{ ...place, turn: 'correct', hint: 'Parity.' }, /correct.*Parity\./],
  'missing-section': [{ ...place, turn: 'improve' }, /no proof/],
  'call-failed': [{ ...place, message: 'Down.' }, /Down\./],
  'attempt-end': [
    { ...place, end: 'iterations', passes: 0, failures: 2, doubts: [] },
    /iterations are used up/,
  ],
  comparison: [{ attempts: [1, 3], better: null, reasons: [long] }, /1 and 3: neither/],
  selection: [{ pool: [{ attempt: 1, score: 1 }], chosen: 1, isComplete: true }, /attempt 1 is chosen/],
  abstention: [{ attempt: 2, passes: 1, points: null, openGaps: long }, /attempt 2, with 1 pass /],
  grading: [{ pass: true, votes, points: 7, findings: [] }, /^.*passed.*7 of 7.*0 findings/],
};

test.each(Object.keys(proofNoteShapes) as ProofNoteKind[])('%s', (kind) => {
  const [data, line] = notes[kind];
  const event: Event = {
    seq: 1,
    atMs: 0,
    branch: 'attempt-2',
    ordinal: null,
    attempt: 0,
    kind: 'note',
    body: { kind, data, index: 0 },
  };
  const { text } = describeEvent(event, { agent: { name: 'verify-loop', settings: {} } });
  expect(text).toMatch(line);
  expect(text).not.toMatch(/^\[attempt-2\] note:/);
  expect(text.length).toBeLessThan(150);
});
