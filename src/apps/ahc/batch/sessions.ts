/**
 * The folders of a batch's sessions: made all at once, found again when the batch goes on, and kept while its run-set runs;
 * and the journal of a batch that was begun in another folder.
 */
import { dirname } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { RunEnd } from '../../../core/event.ts';
import type { Environment } from '../../../io/home.ts';
import {
  baseFolder,
  openWorkspace,
  type WorkspaceQuestion,
  workspaceOrNull,
  workspacesIn,
} from '../../../open/families/ahc/workspace.ts';
import type { Journals, JournalsOptions } from '../../../open/options.ts';
import type { Observer } from '../../../run/world.ts';
import { type RunSet, runIdOf } from '../../../studies/run-set/plan.ts';
import { type Keeper, keepSession } from '../session/live.ts';
import { appLogOf } from '../session/log.ts';
import {
  dropSession,
  newSession,
  refuseTakenName,
  type SessionPlace,
  sessionsIn,
} from '../session/manifest.ts';
import { agentOfSessions, type SessionPlan } from '../session/plan.ts';
import { modelEnvironment } from '../session/settings.ts';
import { type BatchRow, combinationText } from './file.ts';
import type { BatchPlan } from './plan.ts';

/** How Polya is opened for a batch that goes on: with the API keys that the configurations of its workspaces name. */
export function openingOf({ id, plan }: RunSet, question: WorkspaceQuestion): JournalsOptions {
  if (!plan.rows.every(isSession)) {
    throw new UserError({
      code: 'not-a-batch',
      what: `The run-set ${id}, ${plan.name}, is no batch of sessions.`,
      fix: `Go on with it by \`polya run-set resume ${id}\`.`,
    });
  }
  const common: Record<string, string | undefined> = { ...question.env };
  for (const { problem, models } of plan.rows) {
    const { config } = openWorkspace({ ...question, workspace: String(problem.workspace) });
    Object.assign(common, modelEnvironment(config, question.env, models));
  }
  return { env: common as Environment };
}

function isSession({ family, agent, problem }: RunSet['plan']['rows'][number]): boolean {
  return family === 'ahc' && agent === agentOfSessions && typeof problem.workspace === 'string';
}

export async function refuseTakenSessions({ sessions }: BatchPlan): Promise<void> {
  for (const { row, plan } of sessions) {
    const { name } = row;
    await refuseTakenName(plan.workspace, name).catch(async (error: unknown) => {
      const there = (await sessionsIn(plan.workspace)).find(({ manifest }) => manifest.name === name);
      const set = there?.manifest.batch?.set;
      throw set === undefined ? error : begunBefore(name, set);
    });
  }
}

function begunBefore(session: string, set: string): UserError {
  return new UserError({
    code: 'batch-begun',
    what: `The session ${session} is there already: it is of the batch ${set}, which was begun before; nothing was begun.`,
    fix: `\`polya ahc batch --resume ${set}\` goes on with it. For another one, write another \`name:\` into the file.`,
  });
}

export type BatchPlace = { readonly place: SessionPlace; readonly workspace: SessionPlan['workspace'] };

/** Makes all folders, or none. */
export async function makeSessions(
  plan: BatchPlan,
  set: RunSet,
  home: string,
): Promise<readonly BatchPlace[]> {
  const places: BatchPlace[] = [];
  try {
    for (const [index, session] of plan.sessions.entries()) {
      const batch = { set: set.id, ...wordsOf(session.row, plan.sessions) };
      const named = { name: session.row.name, run: runIdOf(set, index), home, batch };
      places.push({ place: await newSession(session.plan, named), workspace: session.plan.workspace });
    }
    return places;
  } catch (error) {
    for (const { place, workspace } of places) await dropSession(workspace, place.folder);
    throw error;
  }
}

function wordsOf(row: BatchRow, sessions: BatchPlan['sessions']) {
  const { combination, repeat } = row;
  return { combination, repeat, text: combinationText(withoutCommon(row, sessions)) };
}

function withoutCommon(row: BatchRow, sessions: BatchPlan['sessions']) {
  const isSame = (key: string): boolean =>
    sessions.every((other) => JSON.stringify(other.row.values[key]) === JSON.stringify(row.values[key]));
  return Object.fromEntries(Object.entries(row.values).filter(([key]) => !isSame(key)));
}

/** The folders of a batch that was begun before, in the order of its rows. Throws `UserError` where one is gone. */
export async function findSessions(set: RunSet, question: WorkspaceQuestion): Promise<readonly BatchPlace[]> {
  const places: BatchPlace[] = [];
  for (const [index, { name, problem }] of set.plan.rows.entries()) {
    const path = String(problem.workspace);
    const workspace = openWorkspace({ ...question, workspace: path });
    const found = (await sessionsIn(workspace)).find(({ manifest }) =>
      manifest.runs.includes(runIdOf(set, index)),
    );
    if (!found) {
      throw new UserError({
        code: 'session-folder-lost',
        what: `The folder of the session ${name} is no longer in ${path}.`,
        why: 'The batch keeps its programs there.',
        fix: `Put it back, or go on without folders: \`polya run-set resume ${set.id}\`.`,
      });
    }
    places.push({ place: found, workspace });
  }
  return places;
}

export type BatchKeeper = {
  observerOf(index: number): Observer;
  onBegin(index: number): void;
  onEnd(index: number, end: RunEnd): void;
  onFailure(index: number, error: Error): void;
  /** Resolves when every folder is complete. */
  settled(): Promise<void>;
};

/** Keeps the folders of all sessions while their run-set runs. */
export async function keepSessions(
  { world }: Pick<Journals, 'world'>,
  {
    set,
    places,
    env,
  }: { readonly set: RunSet; readonly places: readonly BatchPlace[]; readonly env: Environment },
): Promise<BatchKeeper> {
  const keepers: Keeper[] = [];
  const ends = places.map(() => Promise.withResolvers<RunEnd>());
  const work = new Map<number, Promise<unknown>>();
  for (const [index, { place, workspace }] of places.entries()) {
    const log = appLogOf(workspace.config, env);
    const keeping = { world, place, workspace: workspace.folder, change: {}, env, log, observer: {} };
    keepers.push(await keepSession(keeping, runIdOf(set, index)));
  }
  return {
    observerOf: (index) => keepers[index]?.observer ?? {},
    onBegin: (index) => {
      const [keeper, end] = [keepers[index], ends[index]];
      if (keeper && end)
        work.set(
          index,
          keeper.begin().then(() => keeper.until(end.promise)),
        );
    },
    onEnd: (index, end) => ends[index]?.resolve(end),
    onFailure: (index, error) => ends[index]?.reject(error),
    settled: async () => {
      await Promise.allSettled(work.values());
      for (const [index, keeper] of keepers.entries()) {
        const row = work.has(index) ? null : await world.store.get(runIdOf(set, index));
        if (row?.ended) await keeper.complete();
      }
    },
  };
}

/**
 * The `.polya` with the journal of a batch: sessions know it, and they are found from any folder. `asked`: the id of the
 * batch, its beginning or end, or `last`. Null where no batch or several match.
 */
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

/** The workspace that is named or that the user is in, those beside it, and those below. */
function workspacesAround(question: WorkspaceQuestion): readonly string[] {
  const here = workspaceOrNull(question);
  const folders = [question.folder, baseFolder(question), ...(here === null ? [] : [dirname(here)])];
  return [...new Set([...(here === null ? [] : [here]), ...folders.flatMap(workspacesIn)])];
}
