/**
 * What the programs of a search wrote, until their session has copied it: `HASH/CASE.out` by the hash of the source. How
 * many are kept has a bound; what was let go of comes back by running the program again. Without room on the disk nothing
 * is kept, and no search is held up.
 */
import { UnavailableError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';
import type { OutputKeeper } from '../records/versions.ts';

/** Longer ones are made again when they are to be shown. */
const mostCharacters = 1_000_000;
/** Of this process; and of others, of which some may be dead. */
const mostOwn = 100;
const mostOwnCharacters = 128_000_000;
const mostStrange = 300;

/** By the hash of a source that this process has run, how many characters are kept of it; the last one at the end. */
export type RecentOutputs = Map<string, number>;

export async function keepSessionOutputs(
  folder: Folder,
  source: string,
  recent: RecentOutputs,
): Promise<OutputKeeper> {
  const before = recent.get(source) ?? 0;
  recent.delete(source);
  recent.set(source, before);
  const old = lettingGo(recent, source);
  const strangers = (await folder.foldersIn(layout.sessionOutputs)).filter((name) => !recent.has(name));
  const surplus = strangers.slice(0, Math.max(0, strangers.length - mostStrange));
  for (const name of new Set([...old, ...surplus])) await folder.remove(`${layout.sessionOutputs}/${name}`);
  return {
    async add(name, _input, output) {
      const characters = (recent.get(source) ?? 0) + output.length;
      if (output.length > mostCharacters || characters > mostOwnCharacters) return;
      if (recent.has(source)) recent.set(source, characters);
      const file = `${layout.sessionOutputs}/${source}/${name}.out`;
      await folder.write(file, output, { isLasting: false }).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
      });
    },
  };
}

/** The oldest, until the others are few enough, and small enough together. */
function lettingGo(recent: RecentOutputs, newest: string): readonly string[] {
  const old: string[] = [];
  let characters = [...recent.values()].reduce((sum, each) => sum + each, 0);
  for (const [source, own] of recent) {
    if (source === newest || (recent.size <= mostOwn && characters <= mostOwnCharacters)) break;
    recent.delete(source);
    characters -= own;
    old.push(source);
  }
  return old;
}
