import { expect, test } from 'vitest';
import { untilAborted } from './compile-once.ts';

const never = new AbortController().signal;

test('waits for the work', async () => {
  let done = false;
  const work = Promise.resolve().then(() => {
    done = true;
  });
  await untilAborted(work, never);
  expect(done).toBe(true);
});

test('does not wait for what is not wanted any more, before or during', async () => {
  const endless = new Promise(() => {});
  await untilAborted(endless, AbortSignal.abort());
  const controller = new AbortController();
  const waiting = untilAborted(endless, controller.signal);
  controller.abort();
  await waiting;
});

test('tells how the work failed', async () => {
  await expect(untilAborted(Promise.reject(new Error('no')), never)).rejects.toThrow('no');
});
