/**
 * What the faces do with a contest's workspace outside of runs: evaluate programs, compare versions, draw, bundle.
 * `load-ahc-workbench.ts` brings it in when it is needed.
 */
import { basename } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { sourceLimitBytes } from '../../../families/ahc/contest.ts';
import { type Desk, inputHash, prepare, testProgram } from '../../../families/ahc/evaluation.ts';
import { featureIndex, featureNames, grouped } from '../../../families/ahc/features.ts';
import { buildWhole, judgeFlags } from '../../../families/ahc/judge/evaluate.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { readBest } from '../../../families/ahc/records/best.ts';
import { type CaseRecord, casesOfVersion, readHistory } from '../../../families/ahc/records/history.ts';
import {
  findVersion,
  isVersionName,
  keptOutput,
  readSource,
  readVersions,
} from '../../../families/ahc/records/versions.ts';
import { readContest, type Workspace } from '../../../families/ahc/workspace.ts';
import { seededChance } from '../../../io/chance.ts';
import { systemClock } from '../../../io/clock.ts';
import { openFolder } from '../../../io/folder.ts';
import { libraryFolders } from '../../../open/families/ahc/library-folders.ts';
import {
  configIn,
  openWorkspace,
  type WorkspaceQuestion,
  workspaceOrNull,
} from '../../../open/families/ahc/workspace.ts';
import { hashText } from '../../../run/hash.ts';
import { courseOf } from '../compare/course.ts';
import { compareVersions, type PairedOptions } from '../compare/paired.ts';
import { nearLimit, pointsOf, slowest, summaryOf, timeOf, worst } from '../compare/summary.ts';
import { bundleFile } from '../workspace/bundle.ts';
import { sandboxFor } from '../workspace/sandbox.ts';
import { draw, visualizerOf } from './drawing.ts';
import { measureNoise } from './noise.ts';

/** Nothing is tried of the sandbox before it is needed. */
function openDesk(question: WorkspaceQuestion): Desk {
  return deskIn(openWorkspace(question), question);
}

/** For what needs no contest: without a workspace, the folder where the user is stands for it. */
function openDeskAnywhere(question: WorkspaceQuestion): Desk {
  const { folder } = question;
  if (workspaceOrNull(question) !== null) return openDesk(question);
  const config = configIn(null, question);
  return deskIn({ id: basename(folder), folder: openFolder(folder), config }, question);
}

function deskIn(workspace: Workspace, { env }: WorkspaceQuestion): Desk {
  return { workspace, sandbox: sandboxFor(workspace.config, env), clock: systemClock, hashText };
}

/** Cases at once, as it is configured; undefined: one a core. */
function jobsOf({ config }: Workspace): { readonly jobs?: number } {
  const jobs = config.get('evaluation.jobs');
  return typeof jobs === 'number' ? { jobs } : {};
}

/** The same two lists give the same interval, today and tomorrow. */
function compare(
  news: readonly CaseRecord[],
  olds: readonly CaseRecord[],
  options: Omit<PairedOptions, 'random'>,
) {
  return compareVersions(news, olds, { ...options, random: seededChance('polya ahc').next });
}

/** The names that the statement's input format gives to the first numbers. */
async function featuresOf({ folder }: Workspace): Promise<readonly string[]> {
  return featureNames(await folder.read(layout.inputFormat));
}

/** Whether the program compiles as it would at the judge; null where it does, else the compiler's words. */
async function compileError(desk: Desk, source: string, signal: AbortSignal): Promise<string | null> {
  const wallMs = Number(desk.workspace.config.get('docker.compilation_timeout')) * 1000;
  const request = {
    language: 'cpp' as const,
    source,
    flags: judgeFlags,
    compileLimits: { wallMs, cpuMs: wallMs },
  };
  const { executable, compile } = await buildWhole(desk.sandbox, request, signal);
  return executable ? null : ((compile?.digest || compile?.stderr.text) ?? '');
}

/** A case by its name, also without its zeros. Throws `UserError` where there is none. */
function oneCase(names: readonly string[], asked: string): string {
  const found = names.find(
    (name) => name === asked || (/^\d+$/.test(asked) && Number(name) === Number(asked)),
  );
  if (found !== undefined) return found;
  throw new UserError({
    code: 'no-case',
    what: `There is no case ${asked}.`,
    why: `There are ${names.length}: ${names[0]} to ${names.at(-1)}.`,
    fix: 'Name one of them.',
  });
}

export const ahcWorkbench = {
  openDesk,
  openDeskAnywhere,
  openFolder,
  jobsOf,
  bundleFile,
  libraryFolders,
  sourceLimitBytes,
  compileError,
  prepare,
  testProgram,
  measureNoise,
  compare,
  summaryOf,
  pointsOf,
  timeOf,
  slowest,
  worst,
  nearLimit,
  featuresOf,
  featureIndex,
  grouped,
  readContest,
  readBest,
  readHistory,
  readVersions,
  readSource,
  findVersion,
  isVersionName,
  casesOfVersion,
  courseOf,
  draw,
  visualizerOf,
  keptOutput,
  inputHash,
  oneCase,
  layout,
};
