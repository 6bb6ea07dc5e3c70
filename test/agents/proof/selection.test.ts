/** A pool of accepted proofs and the choice among them; and the best partial result where none is accepted. */
import { describe, expect, test } from 'vitest';
import type { ScriptCall } from '../../../src/models/scripted.ts';
import { answerText, judged, proof, proofRun, report, textIn, value } from '../../support/proof-run.ts';

const attemptOf = ({ branch }: ScriptCall) => /attempt-(\d+)/.exec(branch)?.[1] ?? '';
const solver = (call: ScriptCall) => proof(`of attempt ${attemptOf(call)}`);

/** Judges by this order of attempts, from the best on. */
const judge =
  (order: string, whenEqual: 'first' | 'second' | 'equal' = 'equal') =>
  (call: ScriptCall) => {
    const text = textIn(call.request.messages[1]);
    const [first = '', second = ''] = [...text.matchAll(/of attempt (\d)/g)].map(([, number]) => number);
    const [a, b] = [order.indexOf(first), order.indexOf(second)];
    const better = a < 0 || b < 0 ? whenEqual : a < b ? 'first' : 'second';
    return value({ better, reason: `${first} and ${second}` });
  };

describe('a pool', () => {
  test('of three: each pair is compared in both orders, and the best one is handed in', async () => {
    const run = await proofRun({ said: { solver, judge: judge('312') }, settings: { pool: 3 } });
    expect(answerText(run.end)).toBe(proof('of attempt 3'));
    expect(run.end.solution?.detail).toBe(
      'The proof of attempt 3 passed 5 verifications in a row, chosen of 3 accepted ones.',
    );
    expect(run.asked.filter(({ branch }) => branch.startsWith('selection'))).toHaveLength(6);
    expect(run.notes('comparison')).toMatchObject([
      { attempts: [1, 2], better: 1, reasons: ['1 and 2', '2 and 1'] },
      { attempts: [1, 3], better: 3 },
      { attempts: [2, 3], better: 3 },
    ]);
    expect(run.notes('selection')).toEqual([
      {
        pool: [
          { attempt: 1, score: 1 },
          { attempt: 2, score: 0 },
          { attempt: 3, score: 2 },
        ],
        chosen: 3,
        isComplete: true,
      },
    ]);
  });

  test('whose judge prefers what stands first: nothing is decided by it, and the earlier proof stays', async () => {
    const run = await proofRun({
      said: { solver, judge: judge('', 'first') },
      settings: { pool: 2 },
    });
    expect(run.notes('comparison')).toMatchObject([{ better: null }]);
    expect(answerText(run.end)).toBe(proof('of attempt 1'));
  });

  test('whose judge cannot be read: the earlier proof stays', async () => {
    const run = await proofRun({ said: { solver, judge: ['The second!'] }, settings: { pool: 2 } });
    expect(answerText(run.end)).toBe(proof('of attempt 1'));
  });

  test('of equals with one score: the one that beat the other', async () => {
    // 2 beats 1, 1 beats 3, 3 and 2 are equal to each other.
    const told = (call: ScriptCall) => {
      const pair = /selection\/(\d-\d)/.exec(call.branch)?.[1];
      const [first] = /of attempt (\d)/.exec(textIn(call.request.messages[1]))?.slice(1) ?? [];
      const winner = { '1-2': '2', '1-3': '3', '2-3': '' }[pair ?? ''] ?? '';
      return value({ better: winner === '' ? 'equal' : first === winner ? 'first' : 'second', reason: '' });
    };
    const run = await proofRun({ said: { solver, judge: told }, settings: { pool: 3 } });
    expect(run.notes('selection')[0]).toMatchObject({
      pool: [{ score: 0 }, { score: 1.5 }, { score: 1.5 }],
      chosen: 2,
    });
  });

  test('of the same words twice: nobody is asked', async () => {
    const same = [proof('one')];
    const run = await proofRun({ said: { solver: same, judge: ['yes'] }, settings: { pool: 2 } });
    expect(run.asked.filter(({ branch }) => branch.startsWith('selection'))).toEqual([]);
    expect(answerText(run.end)).toBe(proof('one'));
  });

  test('that is not full when the attempts are used up: the only accepted proof is handed in', async () => {
    const grader = (call: ScriptCall) => (attemptOf(call) === '2' ? report() : report('Wrong.'));
    const said = { solver, grader, reviewer: judged(true) };
    const run = await proofRun({ said, settings: { pool: 2, attempts: 3, failures: 2 } });
    expect(answerText(run.end)).toBe(proof('of attempt 2'));
  });

  test('a limit in the next attempt, or while they are compared, loses no accepted proof', async () => {
    const said = { solver, judge: judge('21') };
    const between = await proofRun({ said, settings: { pool: 2 }, limits: { modelCalls: 12 } });
    expect(between.end).toMatchObject({
      solution: { end: 'answered', answer: { text: proof('of attempt 1') } },
    });
    const comparing = await proofRun({ said, settings: { pool: 2 }, limits: { modelCalls: 17 } });
    expect(comparing.end).toMatchObject({
      solution: { end: 'answered', answer: { text: proof('of attempt 1') } },
    });
    expect(comparing.notes('selection')).toMatchObject([{ isComplete: false }]);
  });

  test('a judge out of service ends the run, to be resumed', async () => {
    const down = [{ error: { kind: 'network' } } as const];
    const run = await proofRun({ said: { solver, judge: down }, settings: { pool: 2 } });
    expect(run.end.outcome).toBe('error');
    expect(run.end.again).not.toEqual([]);
  });
});

describe('abstention', () => {
  test('the proof that passed most verifications is handed in, with what is open in it', async () => {
    // Attempt 2 passes three times before a no on the same proof.
    const said = {
      solver: (call: ScriptCall) => proof(`of attempt ${attemptOf(call)}, version ${call.index}`),
      grader: (call: ScriptCall) =>
        attemptOf(call) === '2' && call.index < 3
          ? report()
          : report(`Found in attempt ${attemptOf(call)} at ${call.index}.`),
    };
    const run = await proofRun({ said, settings: { attempts: 3, failures: 2 } });
    expect(run.end.outcome).toBe('gave-up');
    const text = answerText(run.end);
    expect(text.startsWith(proof('of attempt 2, version 1'))).toBe(true);
    expect(text).toMatch(/### Open Gaps ###[\s\S]*was not accepted[\s\S]*Found in attempt 2 at 3\./);
    expect(run.end.solution?.detail).toBe(
      'None of 3 attempts has passed 5 verifications in a row. No proof was accepted; handed in is the best partial result, of attempt 2, which passed 3 in a row; what is open in it stands below it.',
    );
    expect(run.notes('abstention')).toMatchObject([{ attempt: 2, passes: 3, points: null }]);
  });

  test('of proofs that passed nothing, the one with more points', async () => {
    const points: Readonly<Record<string, number>> = { 1: 2, 2: 5, 3: 1 };
    const said = {
      solver,
      grader: (call: ScriptCall) => {
        const explanation = `Found in ${attemptOf(call)}.`;
        const findings = [{ kind: 'critical-error', quote: 'of attempt', explanation }];
        return value({ findings, points: points[attemptOf(call)] ?? 0 });
      },
    };
    const run = await proofRun({ said, settings: { grading: 'points', attempts: 3, failures: 1 } });
    expect(answerText(run.end)).toContain('of attempt 2');
    expect(run.end.solution?.detail).toContain('which passed no verification, with 5 of 7 points');
  });
});
