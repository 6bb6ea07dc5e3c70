/**
 * What the programs of a search wrote, until their session has copied it: `HASH/CASE.out` by the hash of the source. How
 * many are kept has a bound; what was let go of comes back by running the program again.
 */
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';

/** Longer ones are made again when somebody wants to see them. */
const mostCharacters = 1_000_000;
const mostSources = 100;

export type SessionOutputs = { add(name: string, output: string): Promise<void> };

/**
 * Lets go of others where there are too many, those first that this process has not kept: whoever wanted them has had the
 * time of a hundred evaluations.
 */
export async function keepSessionOutputs(
  folder: Folder,
  { source, recent }: { readonly source: string; readonly recent: readonly string[] },
): Promise<SessionOutputs> {
  const rank = new Map(recent.map((each, at) => [each, at]));
  const others = (await folder.foldersIn(layout.sessionOutputs))
    .filter((name) => name !== source)
    .sort((a, b) => (rank.get(a) ?? -1) - (rank.get(b) ?? -1));
  for (const name of others.slice(0, Math.max(0, others.length + 1 - mostSources)))
    await folder.remove(`${layout.sessionOutputs}/${name}`);
  return {
    async add(name, output) {
      if (output.length > mostCharacters) return;
      await folder.write(`${layout.sessionOutputs}/${source}/${name}.out`, output, { isLasting: false });
    },
  };
}
