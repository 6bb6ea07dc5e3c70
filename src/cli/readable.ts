/** Reads what its user has named; where that fails, an error says why and what to name. */
import { UserError } from '../core/errors.ts';
import { plainText, readEndingSync } from '../io/plain-file.ts';

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
    throw new UserError({ code, what: `${what} cannot be read.`, why: reasonOf(error), fix });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is nothing of that name.',
  ENOTDIR: 'It is no folder.',
  EISDIR: 'It is a folder.',
  EACCES: 'It is not open to you.',
  EFBIG: 'It has more than 256 MiB, or no end.',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? `${error.message}.`;
}
