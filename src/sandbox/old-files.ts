/**
 * What was staged or compiled for later and has not been used for long. It would be made again where it is wanted, so
 * taking it away costs time and nothing else. It knows the places, not what lies in them.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Leftover } from './owner.ts';

/** Everything in these folders stands for itself. */
const caches = ['compiled', 'headers', 'answers'];
/** Made for one version of Polya or of a compiler. */
const tools = /^(?:runner|filter|passwd|seccomp|relay-of-runner|kotlin|acl|dotnet)-/;
export const oldAfterMs = 30 * 24 * 3_600_000;

export function findOldFiles(folder: string, nowMs: number): readonly Leftover[] {
  const isOld = (path: string) => nowMs - lastUsedMs(path) > oldAfterMs;
  const named = (kind: string, paths: readonly string[]) =>
    paths.filter(isOld).map((name): Leftover => ({ kind, name, remove: () => removed(name) }));
  return [
    ...named('staged file', pathsIn(folder, tools)),
    ...caches.flatMap((cache) => named('cache', pathsIn(join(folder, cache), /./))),
  ];
}

function pathsIn(folder: string, pattern: RegExp): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Reading counts, where the file system keeps account of it. What is gone meanwhile was used just now. */
function lastUsedMs(path: string): number {
  try {
    const info = statSync(path);
    const used = Math.max(info.atimeMs, info.mtimeMs);
    if (!info.isDirectory()) return used;
    return readdirSync(path).reduce(
      (latest, name) => Math.max(latest, lastUsedMs(join(path, name))),
      info.mtimeMs,
    );
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function removed(path: string): boolean {
  try {
    rmSync(path, { recursive: true });
    return true;
  } catch {
    return false;
  }
}
