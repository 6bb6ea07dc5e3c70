/** Files that come with Polya, in a clone and in the package alike. */
import { join } from 'node:path';

/** The folder of `package.json`. */
export const packageFolder = join(import.meta.dirname, '..', '..');

/** `examples/…` */
export function bundled(...path: readonly string[]): string {
  return join(packageFolder, 'examples', ...path);
}
