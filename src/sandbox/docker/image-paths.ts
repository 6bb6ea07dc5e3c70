/**
 * What lies in an image, by one look into a container: so that nobody starts a container for each compiler that might
 * be there. Kept in the staging folder, because nothing in an image changes without a new image.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError } from '../../core/errors.ts';
import type { Backend } from '../backend.ts';
import { defaultRunLimits } from '../limits.ts';
import { runOnce } from '../run-once.ts';
import { digest, makeOnce } from '../staged-file.ts';

/** Null where the image does not say: then everything may be there. */
export type ImagePaths = ReadonlySet<string> | null;

const looked = ['/usr', '/etc', '/opt'];
const limits = { ...defaultRunLimits, wallMs: 60_000, cpuMs: 60_000, outputBytes: 32 * 2 ** 20 };

export async function imagePaths(
  backend: Pick<Backend, 'openCell'>,
  folder: string,
  imageId: string,
): Promise<ImagePaths> {
  const kept = join(folder, 'answers', `paths-${digest([imageId])}`);
  const known = await readFile(kept, 'utf8').catch(() => null);
  const text = known ?? (await look(backend));
  if (text === null) return null;
  if (known === null) {
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await makeOnce(kept, (draft) => writeFile(draft, text));
  }
  return new Set(text.split('\n'));
}

/** In Debian, /bin and /lib are links into /usr. */
export function isInImage(paths: ImagePaths, path: string): boolean {
  return paths === null || paths.has(path) || paths.has(`/usr${path}`);
}

async function look(backend: Pick<Backend, 'openCell'>): Promise<string | null> {
  const command = ['/usr/bin/find', ...looked];
  const job = { command, files: [], stdin: null, collectPath: null, limits };
  try {
    const { step } = await runOnce(backend, { job, mounts: [] }, new AbortController().signal);
    return step.stdout.bytes > 0 && !step.stdout.cut ? step.stdout.text : null;
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}
