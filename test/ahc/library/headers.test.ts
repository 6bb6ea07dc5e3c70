/**
 * Every header of the algorithm library compiles alone, agrees with brute force, and its example prints what it says: bundled
 * by Polya, in the real sandbox. Sanitizers run outside of it, because the one for leaks traces its own program, and the sandbox
 * lets nobody trace.
 */
import { describe, expect, test } from 'vitest';
import { checkAlone, divided, ids, type Ran, runExamples, runTests, textOf } from './headers.ts';

const warnings = ['-Wall', '-Wextra', '-Werror'];
// Without optimisation: to compile takes longer than to run, and twice as long with it.
const sanitized = ['-O0', '-g1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

const both = async (work: (chosen: readonly string[]) => Promise<readonly Ran[]>): Promise<readonly Ran[]> =>
  (await Promise.all(divided(ids, 2).map(work))).flat();

describe('the headers of the library', { timeout: 300_000 }, () => {
  test('compile alone, without a warning', async () => {
    await Promise.all(divided(ids, 2).map((chosen) => checkAlone(chosen, warnings)));
  });

  test('agree with brute force, all in one file, with sanitizers that find nothing', async () => {
    const ran = await both((chosen) => runTests(chosen, [...warnings, ...sanitized]));
    for (const { id, status, printed } of ran) expect([id, status, printed]).toEqual([id, 0, 'ok\n']);
  });

  test('have examples that print what they say', async () => {
    const ran = await both((chosen) => runExamples(chosen, [...warnings, '-O0']));
    for (const { id, status, printed } of ran) {
      const said = [...textOf(`${id}.example.cpp`).matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
      expect(said.length, `${id}.example.cpp ends with lines "// prints: …"`).toBeGreaterThan(0);
      expect([id, status, printed.trimEnd().split('\n')]).toEqual([id, 0, said]);
    }
  });
});
