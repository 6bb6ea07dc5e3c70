/** Removes what no living Polya needs, or lists it. It opens no back-end, because that would clear some of it first. */
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import type { Removed } from '../core/sandbox.ts';
import { type AbandonedContainer, findAbandoned } from './docker/container.ts';
import { findEngine, localEnvironment } from './docker/engine.ts';
import { findLeftovers, findOtherVersions } from './leftovers.ts';
import { defaultStagingParents } from './machine.ts';
import { findBareLeftovers } from './none/backend.ts';
import type { Leftover } from './owner.ts';
import { isFilterArch } from './seccomp.ts';
import { stage, stagingFolder } from './staging.ts';

export type CleanOptions = {
  /** Tells what would be removed, and removes nothing. */
  readonly isDryRun?: boolean;
  readonly stagingParents?: readonly string[];
  readonly nowMs?: number;
};

export async function cleanMachine(options: CleanOptions = {}): Promise<readonly Removed[]> {
  const removed: Removed[] = [];
  for (const { kind, name, remove } of [...(await findAll(options)), ...(await findContainers())]) {
    if (options.isDryRun === true || (await remove())) removed.push({ kind, name });
  }
  return removed;
}

/** None where no engine answers. */
async function findContainers(): Promise<readonly AbandonedContainer[]> {
  return findEngine(localEnvironment())
    .then(findAbandoned)
    .catch((error) => fallbackTo([], error));
}

function fallbackTo<T>(value: T, error: unknown): T {
  if (error instanceof UnavailableError) return value;
  throw error;
}

/** Each once, for the first reason. */
async function findAll({ stagingParents, nowMs = Date.now() }: CleanOptions): Promise<readonly Leftover[]> {
  const uid = process.getuid?.();
  if (uid === undefined) return [];
  const found: Leftover[] = [];
  for (const folder of await findStagingDirs(stagingParents ?? defaultStagingParents(), uid)) {
    // Where the shared files cannot be staged, nothing could be run either.
    const staging = isFilterArch(process.arch)
      ? await stage(folder, process.arch).catch((error) => fallbackTo(null, error))
      : null;
    if (staging) found.push(...findLeftovers(staging, uid === 0), ...findOtherVersions(staging));
    found.push(...findBareLeftovers(folder), ...findOldFiles(folder, nowMs));
  }
  return [...new Map(found.toReversed().map((each) => [each.name, each])).values()].reverse();
}

/** The existing folders; none is made. */
async function findStagingDirs(parents: readonly string[], uid: number): Promise<readonly string[]> {
  const dirs: string[] = [];
  for (const parent of parents) {
    if (!existsSync(join(parent, `polya-${uid}`))) continue;
    const folder = await stagingFolder(realpathSync(parent), uid);
    if (folder !== null && !dirs.includes(folder)) dirs.push(folder);
  }
  return dirs;
}

/** Each file in these folders is independent of the others. */
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
    return Math.max(info.mtimeMs, ...readdirSync(path).map((name) => lastUsedMs(join(path, name))));
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
