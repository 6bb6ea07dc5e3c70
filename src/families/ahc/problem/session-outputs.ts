/**
 * What the programs of a search wrote, until their session has copied it: `HASH/CASE.out` by the hash of the source. How
 * many are kept has a bound; what was let go of comes back by running the program again. Without room on the disk nothing
 * is kept, and nobody is held up.
 */
import { UnavailableError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';

/** Longer ones are made again when somebody wants to see them. */
const mostCharacters = 1_000_000;
/** Of this process; and of others, of which some may be dead. */
const mostOwn = 100;
const mostStrange = 300;

export type SessionOutputs = { add(name: string, output: string): Promise<void> };

/** `recent`: hashes of the sources that this process has run, the last at the end; `source` is put there. */
export async function keepSessionOutputs(
  folder: Folder,
  source: string,
  recent: string[],
): Promise<SessionOutputs> {
  const before = recent.indexOf(source);
  if (before >= 0) recent.splice(before, 1);
  recent.push(source);
  const old = recent.splice(0, Math.max(0, recent.length - mostOwn));
  const strangers = (await folder.foldersIn(layout.sessionOutputs)).filter((name) => !recent.includes(name));
  const surplus = strangers.slice(0, Math.max(0, strangers.length - mostStrange));
  for (const name of new Set([...old, ...surplus])) await folder.remove(`${layout.sessionOutputs}/${name}`);
  return {
    async add(name, output) {
      if (output.length > mostCharacters) return;
      const file = `${layout.sessionOutputs}/${source}/${name}.out`;
      await folder.write(file, output, { isLasting: false }).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
      });
    },
  };
}
