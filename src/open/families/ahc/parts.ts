/** What the family of contests is given: workspaces by their path, the library and the past contests that hold in them. */
import { availableParallelism, cpus } from 'node:os';
import type { MachineTimes } from '../../../families/ahc/judge/share.ts';
import type { AhcParts } from '../../../families/ahc/problem/services.ts';
import type { Environment } from '../../../io/home.ts';
import type { LocalFiles } from '../../../io/local-files.ts';
import { indexTexts } from '../../../io/text-index.ts';
import { hashText } from '../../../run/hash.ts';
import { openDatabase } from './database.ts';
import { openLibrary } from './library.ts';
import { openWorkspace } from './workspace.ts';

export function ahcParts(files: LocalFiles, env: Environment): AhcParts {
  const question = (path: string) => ({ folder: path, env, workspace: path });
  return {
    openWorkspace: (path) => openWorkspace(question(path)),
    openLibrary: (path) => openLibrary(question(path)),
    openDatabase: (path) => openDatabase(question(path)),
    files,
    hashText,
    indexTexts,
    cores: availableParallelism(),
    machine: machineTimes,
  };
}

/** How long all processors of this machine together had nothing to do. */
export function machineTimes(): MachineTimes {
  return {
    atMs: performance.now(),
    idleMs: cpus().reduce((sum, { times }) => sum + times.idle, 0),
  };
}
