/** Waiting in tests: for something to come about, however slow the machine is, and not a moment longer. */

/** So long that only what never comes is given up; the limit of a test (vitest.config.ts) is beyond it. */
const patienceMs = 120_000;

/** What `look` finds, once that is something. */
export async function until<T>(look: () => T | Promise<T>, everyMs = 5): Promise<NonNullable<T>> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`What was waited for never came about: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
