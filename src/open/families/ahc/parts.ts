/** What the family of contests is given: workspaces by their path, the library and the past contests that hold in them. */
import { availableParallelism, loadavg } from 'node:os';
import type { AhcParts } from '../../../families/ahc/problem/services.ts';
import type { Environment } from '../../../io/home.ts';
import type { LocalFiles } from '../../../io/local-files.ts';
import { indexTexts } from '../../../io/text-index.ts';
import { hashText } from '../../../run/hash.ts';
import { openDatabase } from './database.ts';
import { knowledgeAt } from './knowledge.ts';
import { openLibrary } from './library.ts';
import { openWorkspace } from './workspace.ts';

export function ahcParts(files: LocalFiles, env: Environment): AhcParts {
  const question = (path: string) => ({ folder: path, env, workspace: path });
  return {
    openWorkspace: (path) => openWorkspace(question(path)),
    openLibrary: (path) => openLibrary(question(path)),
    openDatabase: (path) => openDatabase(question(path)),
    openKnowledge: knowledgeAt,
    files,
    hashText,
    indexTexts,
    cores: availableParallelism(),
    isBusy: machineIsBusy,
  };
}

/** By the load of the last minute, to which the evaluation itself has added one for each processor. */
export function machineIsBusy(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism() * 1.5;
}
