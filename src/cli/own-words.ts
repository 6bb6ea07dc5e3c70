/** For commands that go on with any run: tells its result as the app does whose run it is. */
import type { Shell, Tell } from './contract.ts';
import { hooksFor } from './hooks.ts';

export function ownWords(shell: Shell, options: { readonly json?: boolean }): Tell {
  return async (result, polya, code) => {
    const { tell } = await hooksFor(shell, result.view.header);
    return tell?.(shell, options)(result, polya, code) ?? null;
  };
}
