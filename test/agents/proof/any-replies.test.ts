/**
 * Whatever models reply, and whatever the settings are: the loop ends, a replay of it is the same, nothing empty is
 * graded, and a proof is accepted only after so many passes without a failure or another proof between them.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScriptCall, ScriptSuccess } from '../../../src/models/scripted.ts';
import { proofNoteOf } from '../../../src/notes/proof.ts';
import { hashText } from '../../../src/run/hash.ts';
import { answerText, open, type ProofRun, proof, proofRun, report, value } from '../../support/proof-run.ts';

type Reply = string | ScriptSuccess;
const blank: ScriptSuccess = { text: '', finish: 'length' };

/** One of these, by chance that is always the same at one place. */
function oneOf(seed: number, replies: (call: ScriptCall) => readonly Reply[]) {
  return (call: ScriptCall): Reply => {
    const place = `${seed} ${call.branch} ${call.role} ${call.index} ${call.request.messages.length}`;
    const all = replies(call);
    return (
      all[Number.parseInt(Buffer.from(hashText(place)).toString('hex').slice(0, 8), 16) % all.length] ?? ''
    );
  };
}

const saidBy = (seed: number) => ({
  solver: oneOf(seed, ({ index, branch }) => [
    ...[1, 2, 3].map((version) => proof(`${branch} ${index} ${version}`)),
    'No heading at all.',
    '### Rebuttal ###\nIt holds.',
    `### Rebuttal ###\nIt holds.\n\n${proof(`defended ${index}`)}`,
    blank,
  ]),
  grader: oneOf(seed, () => [
    report(),
    report(),
    report(),
    report('See.', 'justification-gap', 'version'),
    value({ ...JSON.parse(report('See.')), verdict: 'complete' }),
    ...[5, 6, 7, 7].map((points) => value({ findings: [], points })),
    value({ findings: [], verdict: 'less', points: 8 }),
    'Words alone.',
    blank,
  ]),
  'left-open': oneOf(seed, () => [open(), open(), open('version'), open('nowhere'), '7']),
  judge: oneOf(seed, () => [
    value({ better: 'first', reason: '' }),
    value({ better: 'second', reason: '' }),
    'neither',
  ]),
  reviewer: oneOf(seed, () => [
    ...[true, false].map((holds) => value({ findings: [{ number: 1, why: 'w', holds }] })),
    'all wrong',
  ]),
});

const settings = fc.record({
  passes: fc.integer({ min: 1, max: 4 }),
  failures: fc.integer({ min: 1, max: 3 }),
  iterations: fc.integer({ min: 1, max: 6 }),
  attempts: fc.integer({ min: 1, max: 3 }),
  pool: fc.integer({ min: 1, max: 2 }),
  graders: fc.integer({ min: 1, max: 4 }),
  vote: fc.constantFrom('majority', 'unanimous'),
  grading: fc.constantFrom('verdict', 'points'),
  passPoints: fc.integer({ min: 1, max: 7 }),
  review: fc.boolean(),
});

test('of any replies', async () => {
  const ends = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.nat(),
      fc.option(fc.integer({ min: 1, max: 40 })),
      async (chosen, seed, calls) => {
        const limits = calls === null ? {} : { modelCalls: calls };
        const run = await proofRun({ said: saidBy(seed), settings: chosen, limits });
        ends.add(run.end.solution?.end);
        expect(run.end.outcome).not.toBe('error');
        for (const asked of run.of('grader'))
          expect(JSON.stringify(asked)).not.toMatch(/### Solution ###\\n\\n\s*(?:\\n)*\\n### /);
        if (run.end.solution?.answer && ['answered', 'doubtful'].includes(run.end.solution.end))
          expectEarned(run, chosen.passes);
        else expect(run.end.solution?.detail).toBeTruthy();
      },
    ),
    { seed: 8, numRuns: 25 },
  );
  expect(ends).toContain('answered');
  expect(ends).toContain('gave-up');
});

/** The accepted proof is one that stood unchanged through the last passes of its attempt. */
function expectEarned(run: ProofRun, passes: number): void {
  const accepted = run.notes('attempt-end').filter(({ end }) => end === 'accepted');
  const last = accepted.map(({ attempt }) => {
    const notes = run.events
      .map(proofNoteOf)
      .filter((note) => note && 'attempt' in note.data && note.data.attempt === attempt);
    const draft = notes.findLastIndex((note) => note?.kind === 'draft');
    const since = notes
      .slice(draft)
      .flatMap((note) => (note?.kind === 'verification' ? [note.data.verdict] : []));
    expect(since).not.toContain('fail');
    expect(since.filter((verdict) => verdict === 'pass').length).toBeGreaterThanOrEqual(passes);
    const note = notes[draft];
    return note?.kind === 'draft' ? note.data.text : '';
  });
  expect(last).toContain(answerText(run.end));
}
