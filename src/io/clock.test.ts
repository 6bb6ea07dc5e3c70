import { describe, expect, test, vi } from 'vitest';
import { fakeClock, systemClock } from './clock.ts';

describe('clock', () => {
  test('the system clock sleeps, and stops sleeping when told so', async () => {
    const start = systemClock.now();
    await systemClock.sleep(15);
    expect(systemClock.now() - start).toBeGreaterThanOrEqual(14);
    await systemClock.sleep(-5);

    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(new Error('wake up'));
    await expect(sleeping).rejects.toThrow('wake up');
    await expect(systemClock.sleep(60_000, controller.signal)).rejects.toThrow('wake up');
  });

  test('a sleep does not last longer because the date was set back meanwhile', async () => {
    const sleeping = systemClock.sleep(5);
    const date = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 86_400_000);
    try {
      await sleeping;
    } finally {
      date.mockRestore();
    }
  });

  test('a leaping clock leaps', async () => {
    const clock = fakeClock(1_000);
    await clock.sleep(500);
    clock.advance(7);
    expect(clock.now()).toBe(1_507);
    expect(clock.sleptMs).toEqual([500]);
  });
});
