/** What a journal says of a proof, at every point of it: what stands there is never told to be more than it is. */
import { expect, test } from 'vitest';
import { proofRecord } from '../../../src/apps/proof/record.ts';
import { proof, proofRun, report } from '../../support/proof-run.ts';

const solver = [proof('one'), proof('two'), proof('three')];
const grader = [report('Wrong.'), report()];

test('accepted, and cut off at every event: first a draft, accepted from the event on that says so', async () => {
  const { events } = await proofRun({
    said: { solver, grader },
    settings: { passes: 2 },
  });
  const accepted = events.findIndex(
    ({ body }) => 'data' in body && JSON.stringify(body).includes('"accepted"'),
  );
  expect(accepted).toBeGreaterThan(10);
  for (let length = 1; length <= events.length; length += 1) {
    const { proof: found } = proofRecord(events.slice(0, length));
    expect(found?.standing === 'accepted', `after ${length} events`).toBe(length > accepted);
    if (found?.standing === 'accepted') expect(found.text).toBe(proof('three'));
  }
});

test('accepted in an attempt, and broken off in the next one: the accepted one stands', async () => {
  const said = { solver };
  const { events } = await proofRun({ said, settings: { pool: 2, passes: 2 } });
  const second = events.findIndex(({ branch }) => branch === 'attempt-2');
  expect(proofRecord(events.slice(0, second + 8)).proof).toEqual({
    text: proof('two'),
    standing: 'accepted',
  });
});

test('never accepted: the last draft, then the best partial result', async () => {
  const said = { solver, grader: [report('Wrong.')] };
  const { events } = await proofRun({ said, settings: { attempts: 1, failures: 2 } });
  expect(proofRecord(events.slice(0, -1)).proof).toEqual({ text: proof('three'), standing: 'draft' });
  expect(proofRecord(events).proof).toMatchObject({ standing: 'partial' });
});

test('what an earlier life noted of its end is none of a run that went on', async () => {
  const said = { solver, grader: [report('Wrong.')] };
  const { events } = await proofRun({ said, settings: { attempts: 1 }, limits: { modelCalls: 4 } });
  const end = events.findLast((event) => event.kind === 'note' && event.body.kind === 'attempt-end');
  if (end?.kind !== 'note') throw new Error('It has no end.');
  expect(proofRecord(events).attempts[0]?.end?.end).toBe('limit');
  const counters = { attempt: 1, iteration: 0, passes: 1, failures: 0 };
  const later = { ...end, seq: end.seq + 9, body: { ...end.body, kind: 'counters', data: counters } };
  expect(proofRecord([...events, later]).attempts[0]).toMatchObject({ end: null });
});
