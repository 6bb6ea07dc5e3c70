/** A folder that is gone when its block ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'polya-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
