/**
 * What candidates wrote, case by case, in the session's folder: copied from where the family keeps it, for as long as
 * `retention.ts` says. What the family has already let go of is not made again.
 */
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { candidateOf, type SessionState } from '../../../families/ahc/session/fold.ts';
import { folders } from '../../../families/ahc/session/names.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { hashText } from '../../../run/hash.ts';
import { mostOutputBytes, wantedOutputs, withinBound } from './retention.ts';

export type OutputPlaces = { readonly workspace: Folder; readonly session: Folder };

/** Brings what is wanted and missing, and lets go of the rest. */
export function keepWanted(
  places: OutputPlaces,
  state: SessionState,
  facts: SessionFacts,
  most = mostOutputBytes,
): void {
  const root = join(places.session.path, folders.outputs);
  const bytesOf = (id: string): number =>
    Math.max(bytesIn(join(root, id)), bytesIn(originOf(places, state, id) ?? ''));
  // Whatever would not fit is not copied first, each time anew.
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

/** Where the family keeps them. */
function originOf({ workspace }: OutputPlaces, state: SessionState, id: string): string | null {
  const source = candidateOf(state, id)?.note.source ?? '';
  return source === '' ? null : join(workspace.path, layout.sessionOutputs, hashText(source));
}

/** Another process may let go of it at the same time. */
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
