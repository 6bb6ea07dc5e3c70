/**
 * What sessions have learned, of a workspace and of all that lie beside it: each session keeps its own `knowledge.json`,
 * so that sessions that run at once never write to one file. `load-ahc-knowledge.ts` brings it in when it is needed.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Knowledge, knowledgeSchema } from '../families/ahc/knowledge/document.ts';
import { promptsByCredit, searchKnowledge } from '../families/ahc/knowledge/search.ts';
import { files } from '../families/ahc/session/names.ts';
import { localFiles } from '../io/local-files.ts';
import { openWorkspace, type WorkspaceQuestion } from './ahc.ts';

/** Newest sessions are last. What cannot be read, or is of another form, is nobody's knowledge. */
async function openKnowledge(question: WorkspaceQuestion): Promise<readonly Knowledge[]> {
  return knowledgeAt(openWorkspace(question).folder.path);
}

export async function knowledgeAt(workspace: string): Promise<readonly Knowledge[]> {
  const found: Knowledge[] = [];
  for (const beside of foldersIn(dirname(workspace))) {
    for (const session of foldersIn(beside)) {
      const known = await readKnowledge(session);
      if (known) found.push(known);
    }
  }
  return found;
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return names.map(({ name }) => join(folder, name)).sort();
  } catch {
    // Not ours to read.
    return [];
  }
}

async function readKnowledge(session: string): Promise<Knowledge | null> {
  try {
    const text = await localFiles(session).read(files.knowledge);
    return text === null ? null : (knowledgeSchema.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

export const ahcKnowledge = { openKnowledge, searchKnowledge, promptsByCredit };
