/** Reads what its user has named; where that fails, an error says why and what to name. */
import { UserError } from '../core/errors.ts';
import { plainText, readEndingSync } from '../io/plain-file.ts';
import { systemReason } from '../text/system-reason.ts';

type Words = { readonly fix?: string; readonly code?: string };

/** `what` names it in messages: `The run-set a.yaml`. */
export function readText(path: string, what: string, words?: Words): string {
  return readable(what, () => plainText(readEndingSync(path)), words);
}

export function readable<T>(
  what: string,
  read: () => T,
  { fix = 'Name one that is there.', code = 'file-unreadable' }: Words = {},
): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError({ code, what: `${what} cannot be read.`, why: systemReason(error), fix });
  }
}
