import { expect, test } from 'vitest';
import { Activity } from './activity.ts';

test('a branch is at work until it waits for an effect or a branch of its own, or has ended', () => {
  const activity = new Activity();
  expect([activity.isBusy, activity.isOver]).toEqual([false, true]);
  activity.begin('');
  expect([activity.isBusy, activity.isOver]).toEqual([true, false]);
  const [wakeFirst, wakeSecond] = [activity.wait(''), activity.wait('')];
  expect(activity.isBusy).toBe(false);
  wakeFirst();
  expect(activity.isBusy).toBe(false);
  wakeSecond();
  expect(activity.isBusy).toBe(true);
  activity.end('');
  expect([activity.isBusy, activity.isOver]).toEqual([false, true]);
});

test('what has ended waits for nothing', () => {
  const activity = new Activity();
  activity.wait('a')();
  expect(activity.isBusy).toBe(false);
});

test('whoever is at work for long is parked until it does something', async () => {
  const activity = new Activity();
  activity.begin('a');
  await activity.change(1);
  expect([activity.isBusy, activity.hasParked]).toEqual([false, true]);
  const wake = activity.wait('a');
  expect([activity.isBusy, activity.hasParked]).toEqual([false, false]);
  wake();
  expect(activity.isBusy).toBe(true);
});

test('a change is told at once', async () => {
  const activity = new Activity();
  activity.begin('a');
  const changed = activity.change(60_000);
  activity.begin('b');
  await changed;
  expect(activity.hasParked).toBe(false);
});

test('a standstill of the whole process parked who was at work: it is no time that anybody had', async () => {
  const activity = new Activity();
  activity.begin('a');
  const parked = activity.change(100).then(() => activity.hasParked);
  standStill(150);
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  activity.wait('a');
  expect(await parked).toBe(false);
});

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
