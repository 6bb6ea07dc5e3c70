/**
 * Where the journal of a batch lies that was begun in another folder: its sessions know, and they lie in their workspaces,
 * which are found from wherever their user stands.
 */
import { dirname } from 'node:path';
import {
  baseFolder,
  openWorkspace,
  type WorkspaceQuestion,
  workspaceOrNull,
  workspacesIn,
} from '../../../open/families/ahc/workspace.ts';
import { type SessionPlace, sessionsIn } from '../session/manifest.ts';

/** By its id, the beginning or end of it, or `last`. Null where no session knows such a batch, or several are meant. */
export async function homeOfBatch(question: WorkspaceQuestion, asked: string): Promise<string | null> {
  const sessions = await Promise.all(
    workspacesAround(question).map((workspace) => sessionsIn(openWorkspace({ ...question, workspace }))),
  );
  const places = sessions
    .flat()
    .toSorted((a, b) => b.manifest.createdAtMs - a.manifest.createdAtMs)
    .filter((place) => isMeant(place, asked));
  const meant = asked === 'last' ? places.slice(0, 1) : places;
  const sets = new Set(meant.map(({ manifest }) => manifest.batch?.set));
  return sets.size === 1 ? (meant[0]?.manifest.home ?? null) : null;
}

function isMeant({ manifest: { batch } }: SessionPlace, asked: string): boolean {
  if (!batch || asked === '') return false;
  return asked === 'last' || batch.set.startsWith(asked) || batch.set.endsWith(asked);
}

/** The one that is named or stood in, those beside it, and those below. */
function workspacesAround(question: WorkspaceQuestion): readonly string[] {
  const here = workspaceOrNull(question);
  const folders = [question.folder, baseFolder(question), ...(here === null ? [] : [dirname(here)])];
  return [...new Set([...(here === null ? [] : [here]), ...folders.flatMap(workspacesIn)])];
}
