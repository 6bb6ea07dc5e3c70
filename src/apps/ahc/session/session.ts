/** What `solve`, `status` and `stop` are given of sessions. `load-ahc-session.ts` brings it in when it is needed. */
import { join } from 'node:path';
import type { JsonObject } from '../../../core/json.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { busyNow } from '../../../families/ahc/session/busy.ts';
import { candidateOf } from '../../../families/ahc/session/fold.ts';
import { files, plainNumber } from '../../../families/ahc/session/names.ts';
import { readContest } from '../../../families/ahc/workspace.ts';
import { systemClock } from '../../../io/clock.ts';
import type { Environment } from '../../../io/home.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { thisProcess } from '../../../store/owner.ts';
import { promptsUsed } from '../knowledge.ts';
import { courseOfBest, scoreNow, scoresOf } from './course.ts';
import { markCrashed } from './crashed.ts';
import { creditByOperator, creditor, standingsByFeature } from './credit.ts';
import { sessionDocument } from './documents.ts';
import { lineageSvg } from './lineage.ts';
import { attachSession, beginJob, completeFiles, factsOf, type ManifestChange } from './live.ts';
import { type AppLog, appLog, maskOf } from './log.ts';
import { logLevels } from './log-levels.ts';
import { followSession, isBehind, isFiled, runOf, seeSession, statusNow, withStoreOf } from './look.ts';
import {
  findSessions,
  refuseTakenName,
  reserve,
  type SessionPlace,
  sessionNamed,
  sessionsIn,
  writeManifest,
} from './manifest.ts';
import { milestonesOf } from './milestones.ts';
import { planSession, type SessionPlan } from './plan.ts';
import { resumption } from './resume.ts';
import { snapshotGoingOn } from './snapshot.ts';
import { machineUsage } from './usage.ts';

type NewSession = {
  readonly name: string | undefined;
  readonly run: string;
  readonly home: string;
  readonly batch?: NonNullable<SessionPlace['manifest']['batch']>;
};

/** The folder of a new session with its manifest; its run is named, and not yet begun. */
export async function newSession(
  plan: SessionPlan,
  { name, run, home, batch }: NewSession,
): Promise<SessionPlace> {
  const { workspace } = plan;
  const contest = await readContest(workspace);
  const nowMs = systemClock.now();
  const folder = reserve(workspace, name, nowMs);
  const called = folder.path.slice(workspace.folder.path.length + 1);
  const manifest = {
    version: 1 as const,
    id:
      name === undefined
        ? called
        : `${called}_${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`,
    name: called,
    contest: contest.id,
    createdAtMs: nowMs,
    home,
    scoring: contest.scoring,
    direction: contest.direction,
    problemFile: plan.problemFile,
    runs: [run],
    writer: null,
    settings: plan.settings,
    configured: plan.configured,
    configuration: plan.configuration,
    ...filesKept(workspace.config),
    ...(batch === undefined ? {} : { batch }),
  };
  const place = { folder, manifest: manifest as SessionPlace['manifest'] };
  try {
    await writeManifest(folder, place.manifest);
  } catch (error) {
    await dropSession(place, plan);
    throw error;
  }
  return place;
}

/** Nothing of a session that could not begin stays behind. */
async function dropSession({ folder }: SessionPlace, plan: SessionPlan): Promise<void> {
  await plan.workspace.folder.remove(folder.path.slice(plan.workspace.folder.path.length + 1));
}

/** What of a manifest is as the plan has it now; `settings` are all that hold from now on. */
function changeOf(
  plan: SessionPlan,
  settings: SessionPlan['settings'],
  { manifest }: SessionPlace,
): ManifestChange {
  const configuration = snapshotGoingOn(manifest.configuration as JsonObject, plan.configuration, settings);
  return {
    settings: settings as NonNullable<ManifestChange['settings']>,
    configured: plan.configured as NonNullable<ManifestChange['configured']>,
    configuration: configuration as NonNullable<ManifestChange['configuration']>,
    ...filesKept(plan.workspace.config),
  };
}

function filesKept(config: Resolved) {
  return {
    keepsFiles: config.get('workspace.keep_session_files') === true,
    maxLogBytes: Number(config.get('workspace.max_log_size_mb')) * 1024 * 1024,
    logsAreJson: config.get('logging.json') === true,
  };
}

/** `~/.ahc_agent/ahc_agent.log`, as it is configured. */
export function appLogOf(config: Resolved, env: Environment): AppLog {
  const level = logLevels.find((each) => each === config.get('logging.level')) ?? 'INFO';
  const { maxLogBytes, logsAreJson } = filesKept(config);
  return appLog({ env, level, isJson: logsAreJson, mostBytes: maxLogBytes, now: systemClock.now });
}

export const ahcSession = {
  openWorkspace,
  planSession,
  newSession,
  dropSession,
  changeOf,
  refuseTakenName,
  resumption,
  attachSession,
  beginJob,
  completeFiles,
  appLogOf,
  findSessions,
  sessionsIn,
  sessionNamed,
  seeSession,
  followSession,
  runOf,
  statusNow,
  markCrashed,
  isFiled,
  isBehind,
  withStoreOf,
  machineUsage,
  factsOf,
  sessionDocument,
  courseOfBest,
  scoresOf,
  milestonesOf,
  creditByOperator,
  creditor,
  promptsUsed,
  maskOf,
  standingsByFeature,
  lineageSvg,
  scoreNow,
  busyNow,
  candidateOf,
  plainNumber,
  thisProcess,
  workerLog: ({ folder }: SessionPlace): string => join(folder.path, files.worker),
};
