/**
 * The outputs of candidates, case by case, in the session's folder: copied from where the family keeps them, those of the
 * best and of the newest candidates, within a bound of bytes. Outputs that the family has deleted are not made again.
 */
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from '../../../core/io.ts';
import { isBetter } from '../../../core/program.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { hashText } from '../../../run/hash.ts';
import { type Counting, isMoreBetter } from './course.ts';
import { candidateOf, type SessionState } from './fold.ts';
import { folders } from './names.ts';

const keptBest = 10;
const keptNewest = 10;
const mostOutputBytes = 256 * 1024 * 1024;

/** Copies the wanted outputs that are missing, and removes all others. */
export function keepWanted(
  { workspace, session }: { readonly workspace: Folder; readonly session: Folder },
  state: SessionState,
  counting: Counting,
  most = mostOutputBytes,
): void {
  const root = join(session.path, folders.outputs);
  const originOf = (id: string): string | null => {
    const source = candidateOf(state, id)?.note.source;
    return source ? join(workspace.path, layout.sessionOutputs, hashText(source)) : null;
  };
  const bytesOf = (id: string): number => Math.max(bytesIn(join(root, id)), bytesIn(originOf(id) ?? ''));
  // Decided before anything is copied, or what does not fit would be copied and removed each time.
  const kept = withinBound(wantedOutputs(state, counting), bytesOf, most);
  for (const id of kept) copyMissing(originOf(id) ?? '', join(root, id));
  for (const id of namesIn(root)) if (!kept.has(id)) rmSync(join(root, id), { recursive: true, force: true });
}

/** More cases may have been run since the last time. */
function copyMissing(from: string, to: string): void {
  const there = new Set(namesIn(to));
  for (const name of namesIn(from).filter((each) => each.endsWith('.out') && !there.has(each))) {
    makeFolder(to);
    try {
      copyFileSync(join(from, name), join(to, name));
    } catch (error) {
      rmSync(join(to, name), { force: true });
      // Another process may have deleted it meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function bytesIn(folder: string): number {
  const sizes = namesIn(folder).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Ids in the order in which they are worth keeping: the best now, the best, the newest. */
export function wantedOutputs({ candidates, bestId }: SessionState, counting: Counting): readonly string[] {
  const way = isMoreBetter(counting) ? 'maximise' : 'minimise';
  const best = candidates
    .flatMap(({ note: { id, score } }) => (score === null ? [] : [{ id, score }]))
    .toSorted((a, b) => (a.score === b.score ? 0 : isBetter(a.score, b.score, way) ? -1 : 1))
    .slice(0, keptBest);
  const newest = candidates
    .filter(({ note }) => note.evaluation !== null)
    .slice(-keptNewest)
    .map(({ note }) => note.id)
    .reverse();
  return [...new Set([...(bestId === null ? [] : [bestId]), ...best.map(({ id }) => id), ...newest])];
}

/** The wanted ids that fit; one that is too large is skipped, and those behind it are tried. */
export function withinBound(
  wanted: readonly string[],
  bytesOf: (id: string) => number,
  most: number,
): ReadonlySet<string> {
  const kept = new Set<string>();
  let bytes = 0;
  for (const id of wanted) {
    const more = bytesOf(id);
    if (bytes + more > most) continue;
    bytes += more;
    kept.add(id);
  }
  return kept;
}
