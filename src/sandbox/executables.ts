/** Finds programs of the machine. What a dropped user must be able to run is looked for in the system's folders. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where every user may run things. A user's own PATH may lead into folders that are closed to others. */
export const systemFolders = ['/usr/bin', '/usr/local/bin', '/bin'] as const;

export async function findExecutable(
  names: readonly string[],
  dirs: readonly string[] = systemFolders,
): Promise<string | null> {
  for (const name of names) {
    for (const folder of dirs) {
      const path = join(folder, name);
      if (await isExecutable(path)) return path;
    }
  }
  return null;
}

export function pathFolders(): readonly string[] {
  return [...systemFolders, ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Compares the first two numbers of a version. A version without numbers is too old. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
