import { expect } from 'vitest';

/** For `toThrow`: an error of this code, and what of its message belongs to the case. Prose may be reworded. */
export function coded(code: string, detail = ''): unknown {
  return expect.objectContaining({ code, message: expect.stringContaining(detail) });
}
