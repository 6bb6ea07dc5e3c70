/** How many files this process may open at once: below what Polya needs, each command would fail in a way of its own. */
import { readFileSync } from 'node:fs';
import { UnavailableError } from '../core/errors.ts';

/** With a store, the libraries of an agent and one program in a sandbox some 50 are open. */
export const minDescriptors = 64;

/** Throws `UnavailableError` where the system lets too few be opened. Node has raised the limit as far as it may by now. */
export function requireDescriptors(): void {
  const limit = descriptorLimit();
  if (limit !== null && limit < minDescriptors) throw tooFewDescriptors(`only ${limit}`);
}

/** The same for what the system says when the last one is used up; null for any other error. */
export function descriptorError(error: Error): UnavailableError | null {
  const code = 'code' in error ? error.code : null;
  return code === 'EMFILE' || code === 'ENFILE' ? tooFewDescriptors('no more') : null;
}

/** Null where the system does not say. */
function descriptorLimit(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch (error) {
    if (error instanceof Error && descriptorError(error)) return 0;
    return null;
  }
}

function tooFewDescriptors(number: string): UnavailableError {
  return new UnavailableError({
    code: 'descriptors-exhausted',
    what: `The system lets Polya open ${number} files at once.`,
    why: `Journals, servers and programs need a file descriptor each, together at least ${minDescriptors}.`,
    fix: 'Raise the limit (`ulimit -n 1024`, `LimitNOFILE` of a service, `--ulimit nofile` of a container), then try again.',
  });
}
