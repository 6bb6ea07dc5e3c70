/** Waiting in tests: for something to come about, however slow the machine is, and not a moment longer. */

/** So long that only what never comes is given up; the limit of a test (vitest.config.ts) is beyond it. */
const patienceMs = 120_000;

/** A look costs processor time that whoever is waited for needs: what has taken long is looked at less often. */
const share = 0.1;
const longestPauseMs = 500;

/** What `look` finds, once that is something; found late by a tenth of the wait at most. */
export async function until<T>(look: () => T | Promise<T>, everyMs = 5): Promise<NonNullable<T>> {
  const begun = performance.now();
  const end = begun + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`What was waited for never came about: ${look}`);
    const pauseMs = Math.max(everyMs, Math.min((performance.now() - begun) * share, longestPauseMs));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
