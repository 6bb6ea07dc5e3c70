/** Reads blobs that are what their hashes name, and gives way to other work of the process when that takes long. */
import type { Store } from '../core/store.ts';
import { hashText } from './hash.ts';

/** The amount that is read, checked and decoded in about 50 ms. */
const restCharacters = 4_000_000;

/** Told how much was worked on, it gives what is to be awaited before more is done, where that is much. */
export function yieldToLoop(): (characters: number) => Promise<void> | undefined {
  let done = 0;
  return (characters) => {
    done += characters;
    if (done < restCharacters) return undefined;
    done = 0;
    return new Promise((resolve) => setImmediate(resolve));
  };
}

/** A blob whose text is not what its hash names is as good as missing. */
export async function loadVerifiedBlobs(
  store: Pick<Store, 'blobs'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const verified = new Map<string, string>();
  const rest = yieldToLoop();
  for (let requested = hashes; requested.length > 0; ) {
    const found = await store.blobs(requested);
    for (const [hash, text] of found) {
      if (hashText(text) === hash) verified.set(hash, text);
      const pause = rest(text.length);
      if (pause) await pause;
    }
    requested = found.size === 0 ? [] : requested.filter((hash) => !found.has(hash));
  }
  return verified;
}
