/** What sessions have learned, of a workspace and of those beside it. Each session keeps its own `knowledge.json`. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Knowledge, knowledgeSchema } from '../../../families/ahc/knowledge/knowledge.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { codeOf, isMissing, readPlainFileSync } from '../../../io/plain-file.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { openWorkspace, type WorkspaceQuestion } from './workspace.ts';

export type ReadKnowledge = {
  readonly known: readonly Knowledge[];
  /** What could not be read, each with why. */
  readonly warnings: readonly string[];
};

export function openKnowledge(question: WorkspaceQuestion): ReadKnowledge {
  return readKnowledge(openWorkspace(question).folder.path);
}

export function readKnowledge(workspace: string): ReadKnowledge {
  const read = siblingWorkspaces(workspace).flatMap((folder) =>
    listDirs(folder).flatMap((each) => (typeof each === 'string' ? knowledgeOf(each) : each)),
  );
  return {
    known: read.flatMap((each) => ('session' in each ? [each] : [])),
    warnings: read.flatMap((each) => ('trouble' in each ? [`${each.trouble} It is left out.`] : [])),
  };
}

type ReadError = { readonly trouble: string };

/** A folder that is no workspace is left alone, whatever it holds. */
function siblingWorkspaces(workspace: string): readonly string[] {
  const siblings = listDirs(dirname(workspace)).filter((each) => typeof each === 'string');
  const others = siblings.filter((each) => each !== workspace && existsSync(join(each, layout.config)));
  return [workspace, ...others].sort();
}

function listDirs(folder: string): readonly (string | ReadError)[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return names.map(({ name }) => join(folder, name)).sort();
  } catch (error) {
    return [{ trouble: `The folder ${folder} cannot be read: ${systemReason(error)}` }];
  }
}

/** What sessions write is a hundredth of it. */
const mostBytes = 4 * 1024 * 1024;

function knowledgeOf(session: string): readonly (Knowledge | ReadError)[] {
  const file = join(session, layout.sessionKnowledge);
  try {
    return [knowledgeIn(file, readPlainFileSync(file, mostBytes).toString('utf8'))];
  } catch (error) {
    if (isMissing(error)) return [];
    const why = codeOf(error) === 'EFBIG' ? 'It is larger than what sessions write.' : systemReason(error);
    return [{ trouble: `${file} cannot be read: ${why}` }];
  }
}

function knowledgeIn(file: string, text: string): Knowledge | ReadError {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { trouble: `${file} is damaged: it is no JSON.` };
  }
  const read = knowledgeSchema.safeParse(value);
  if (read.success) return read.data;
  const [why = ''] = z.prettifyError(read.error).split('\n');
  return { trouble: `${file} is of another form, or of another version of Polya (${why}).` };
}
