/** What a person asks of days without a run, over the same sites and caches that runs use. */
import type { Shell } from '../../cli/contract.ts';
import { type AocDesk, aocDesk } from '../../families/aoc/day.ts';
import { localFiles } from '../../io/local-files.ts';
import { type AocOptions, openAocSites } from '../../open/families/aoc.ts';
import type { Journals } from '../../open/options.ts';

/** The sites are closed when the work is done. */
export async function withDesk<T>(
  { folder, env, familyOptions }: Pick<Shell, 'folder' | 'env' | 'familyOptions'>,
  { home, world: { io } }: Pick<Journals, 'home' | 'world'>,
  work: (desk: AocDesk) => Promise<T>,
  options: AocOptions = {},
): Promise<T> {
  const place = { files: localFiles(folder), env, home, clock: io.clock };
  const { settings, close } = openAocSites(place, { ...familyOptions?.aoc, ...options });
  try {
    return await work(aocDesk(settings, io));
  } finally {
    await close();
  }
}
