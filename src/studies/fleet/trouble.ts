/** What of the errors of a shared store is no fault of a run: the run is whole, and the same may succeed soon. */
import { ExplainedError } from '../../core/errors.ts';

const passing = /^(?:ownership-lost|database-(?:unreachable|lost|slow|connections))$/;

export function willPass(error: unknown): boolean {
  return error instanceof ExplainedError && passing.test(error.code);
}

/** Another process has it, or has brought it to its end. */
export function isTaken(error: unknown): boolean {
  return error instanceof ExplainedError && /^run-(?:owned|ended)$/.test(error.code);
}

/** It was another process's meanwhile. */
export function isLost(error: unknown): boolean {
  return error instanceof ExplainedError && error.code === 'ownership-lost';
}
