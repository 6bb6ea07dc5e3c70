/**
 * Every header of the algorithm library compiles alone, agrees with brute force, and its example prints what it says: bundled
 * by Polya into one program, with sanitizers. It runs outside of the sandbox, because the sanitizer for leaks traces its own
 * program, and the sandbox lets nobody trace.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { checkAlone, companies, ids, type Runs, runAll, textOf } from './headers.ts';

const warnings = ['-Wall', '-Wextra', '-Werror'];
// Without optimisation: to compile takes longer than to run, and twice as long with it. Left out is what would stop a program
// by itself, or is found by the sanitizer for addresses: it doubles the code.
const sanitized = [
  '-O0',
  '-fsanitize=address,undefined',
  '-fno-sanitize=null,alignment,vptr,object-size,nonnull-attribute,returns-nonnull-attribute,pointer-overflow',
  '-fno-sanitize-recover=all',
  '--param=asan-instrumentation-with-call-threshold=0',
];

describe('the headers of the library', { timeout: 600_000 }, () => {
  let ran: Runs;
  beforeAll(async () => {
    ran = await runAll([...warnings, ...sanitized]);
  }, 600_000);

  test('compile alone, without a warning', async () => {
    await checkAlone(ids, warnings);
    // Each of them, and in fewer readings of the standard library than there are headers.
    const together = companies(ids);
    expect(
      together
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    expect(together.length).toBeLessThan(ids.length / 2);
  });

  test('agree with brute force, all in one file, with sanitizers that find nothing', () => {
    for (const id of ids)
      expect(ran.get(`${id}.test`)).toEqual({ id: `${id}.test`, status: 0, printed: 'ok\n' });
  });

  test.each(ids)('%s has an example that prints what it says', (id) => {
    const said = [...textOf(`${id}.example.cpp`).matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
    expect(said.length, `${id}.example.cpp ends with lines "// prints: …"`).toBeGreaterThan(0);
    const { status, printed = '' } = ran.get(`${id}.example`) ?? {};
    expect([status, printed.trimEnd().split('\n')]).toEqual([0, said]);
  });
});
