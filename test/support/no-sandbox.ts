/** A sandbox that is not there; tests put what they need in its place. */
import { UnavailableError } from '../../src/core/errors.ts';
import type { Sandbox } from '../../src/core/sandbox.ts';

export const unreachable = async (): Promise<never> => {
  throw new UnavailableError({
    code: 'no-such-thing-here-was',
    what: 'There is no such thing here: it was switched off for a test or a bench.',
  });
};

export const noSandbox: Sandbox = {
  info: unreachable,
  check: unreachable,
  build: unreachable,
  exec: unreachable,
  batch: unreachable,
  clean: unreachable,
  close: async () => undefined,
};
