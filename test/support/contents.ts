/** What a folder holds, to compare before and after. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All that a folder holds: names, modes, times and bytes. */
export function contentsOf(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      const isFile = stat?.isFile() === true;
      return [
        name,
        stat?.mode,
        stat?.mtimeNs,
        isFile ? readFileSync(join(folder, name)).toString('hex') : null,
      ];
    });
}
