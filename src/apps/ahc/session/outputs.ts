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
import { candidateOf, type SessionState } from './fold.ts';
import { folders } from './names.ts';
import type { SessionFacts } from './session-facts.ts';

const keptBest = 10;
const keptNewest = 10;
const mostOutputBytes = 256 * 1024 * 1024;

type OutputPlaces = { readonly workspace: Folder; readonly session: Folder };

/** Copies the wanted outputs that are missing, and removes all others. */
export function keepWanted(
  places: OutputPlaces,
  state: SessionState,
  facts: SessionFacts,
  most = mostOutputBytes,
): void {
  const root = join(places.session.path, folders.outputs);
  const bytesOf = (id: string): number =>
    Math.max(bytesIn(join(root, id)), bytesIn(originOf(places, state, id) ?? ''));
  // Decided before anything is copied, or what does not fit would be copied and removed each time.
  const kept = withinBound(wantedOutputs(state, facts), bytesOf, most);
  for (const id of kept) bring(places, state, id);
  for (const id of namesIn(root)) if (!kept.has(id)) rmSync(join(root, id), { recursive: true, force: true });
}

/** More cases may have been run since: only what is missing is copied. */
function bring(places: OutputPlaces, state: SessionState, id: string): void {
  const from = originOf(places, state, id);
  if (from === null) return;
  const to = join(places.session.path, folders.outputs, id);
  const there = new Set(namesIn(to));
  for (const name of namesIn(from).filter((each) => each.endsWith('.out') && !there.has(each))) {
    makeFolder(to);
    copyWhole(join(from, name), join(to, name));
  }
}

/** Where the family keeps the outputs. */
function originOf({ workspace }: OutputPlaces, state: SessionState, id: string): string | null {
  const source = candidateOf(state, id)?.note.source ?? '';
  return source === '' ? null : join(workspace.path, layout.sessionOutputs, hashText(source));
}

/** Another process may delete the file at the same time. */
function copyWhole(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    rmSync(to, { force: true });
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
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
  return namesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Ids in the order in which they are worth keeping: the best now, the best, the newest. */
export function wantedOutputs(
  { candidates, bestId }: SessionState,
  { direction, scoring }: Pick<SessionFacts, 'direction' | 'scoring'>,
): readonly string[] {
  const way = scoring === 'relative' ? 'maximise' : direction;
  const scored = candidates
    .flatMap(({ note }) => (note.score === null ? [] : [{ id: note.id, score: note.score }]))
    .toSorted((a, b) => (a.score === b.score ? 0 : isBetter(a.score, b.score, way) ? -1 : 1));
  const newest = candidates
    .filter(({ note }) => note.evaluation !== null)
    .slice(-keptNewest)
    .map(({ note }) => note.id)
    .reverse();
  const best = scored.slice(0, keptBest).map(({ id }) => id);
  return [...new Set([...(bestId === null ? [] : [bestId]), ...best, ...newest])];
}

/** The wanted ids that fit; one that is too large is skipped, and those behind it are tried. */
export function withinBound(
  wanted: readonly string[],
  bytesOf: (id: string) => number,
  most = mostOutputBytes,
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
