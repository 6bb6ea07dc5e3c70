/** What the commands for contests are given of workspaces and their configuration, and the local AtCoder of the demo. */
import { join } from 'node:path';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import { UnsetVariable } from '../../../families/ahc/config/layer.ts';
import {
  configIn,
  NoWorkspace,
  workspaceAround,
  workspaceFolder,
} from '../../../open/families/ahc/workspace.ts';
import { practiceContest } from '../../../practice/atcoder/contest.ts';
import { startAtCoder } from '../../../practice/atcoder/site.ts';
import { keysNamed, shownKey, writeConfig } from './config.ts';

export const ahc = {
  workspaceFolder,
  workspaceAround,
  configIn,
  configKeys,
  keysNamed,
  shownKey,
  writeConfig,
  /** The local AtCoder with the contests that come with Polya. */
  startAtCoder,
  solutionOf: (id: string, name: 'weak' | 'good'): string =>
    join(practiceContest(id).folder, 'solutions', `${name}.cpp`),
  isNoWorkspace: (error: unknown): boolean => error instanceof NoWorkspace || error instanceof UnsetVariable,
};
