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
  const isBatch = plan.rows.every(
    ({ family, agent, problem }) =>
      family === 'ahc' && agent === agentOfSessions && typeof problem.workspace === 'string',
  );
  if (!isBatch) {
    throw new UserError({
      code: 'not-a-batch',
      what: `The run-set ${id}, ${plan.name}, is no batch of sessions.`,
      fix: `Go on with it by \`polya run-set resume ${id}\`.`,
    });
  }
  const env: Record<string, string | undefined> = { ...question.env };
  for (const { problem, models } of plan.rows) {
    const { config } = openWorkspace({ ...question, workspace: String(problem.workspace) });
    Object.assign(env, modelEnvironment(config, question.env, models));
  }
  return { env };
}

export async function refuseTakenSessions({ sessions }: BatchPlan): Promise<void> {
  for (const { row, plan } of sessions) {
    const { name } = row;
    await refuseTakenName(plan.workspace, name).catch(async (error: unknown) => {
      const there = (await sessionsIn(plan.workspace)).find(({ manifest }) => manifest.name === name);
      const set = there?.manifest.batch?.set;
      if (set === undefined) throw error;
      throw new UserError({
        code: 'batch-begun',
        what: `The session ${name} is there already: it is of the batch ${set}, which was begun before; nothing was begun.`,
        fix: `\`polya ahc batch --resume ${set}\` goes on with it. For another one, write another \`name:\` into the file.`,
      });
    });
  }
}

export type BatchPlace = { readonly place: SessionPlace; readonly workspace: SessionPlan['workspace'] };

/** Makes all folders, or none. */
export async function makeSessions(
  { sessions }: BatchPlan,
  set: RunSet,
  home: string,
): Promise<readonly BatchPlace[]> {
  const places: BatchPlace[] = [];
  try {
    for (const [index, { row, plan }] of sessions.entries()) {
      const { name, combination, repeat, values } = row;
      const text = combinationText(withoutCommon(values, sessions));
      const batch = { set: set.id, combination, repeat, text };
      const place = await newSession(plan, { name, run: runIdOf(set, index), home, batch });
      places.push({ place, workspace: plan.workspace });
    }
    return places;
  } catch (error) {
    for (const { place, workspace } of places) await dropSession(workspace, place.folder);
    throw error;
  }
}

function withoutCommon(values: BatchRow['values'], sessions: BatchPlan['sessions']): BatchRow['values'] {
  const isCommon = (key: string): boolean =>
    sessions.every(({ row }) => JSON.stringify(row.values[key]) === JSON.stringify(values[key]));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isCommon(key)));
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

export type BatchKeeper = Awaited<ReturnType<typeof keepSessions>>;

/** Keeps the folders of all sessions while their run-set runs. */
export async function keepSessions(
  { world }: Pick<Journals, 'world'>,
  set: RunSet,
  places: readonly BatchPlace[],
  env: Environment,
) {
  const kept: { readonly keeper: Keeper; readonly end: PromiseWithResolvers<RunEnd> }[] = [];
  const work = new Map<number, Promise<unknown>>();
  for (const [index, { place, workspace }] of places.entries()) {
    const log = appLogOf(workspace.config, env);
    const keeping = { world, place, workspace: workspace.folder, env, log, observer: {} };
    const keeper = await keepSession(keeping, runIdOf(set, index));
    kept.push({ keeper, end: Promise.withResolvers() });
  }
  return {
    observerOf: (index: number): Observer => kept[index]?.keeper.observer ?? {},
    onBegin: (index: number): void => {
      const { keeper, end } = kept[index] ?? {};
      if (keeper && end)
        work.set(
          index,
          keeper.begin().then(() => keeper.until(end.promise)),
        );
    },
    onEnd: (index: number, end: RunEnd): void => kept[index]?.end.resolve(end),
    onFailure: (index: number, error: Error): void => kept[index]?.end.reject(error),
    /** Resolves when every folder is complete. */
    settled: async (): Promise<void> => {
      await Promise.allSettled(work.values());
      for (const [index, { keeper }] of kept.entries()) {
        const row = work.has(index) ? null : await world.store.get(runIdOf(set, index));
        if (row?.ended) await keeper.complete();
      }
    },
  };
}

/**
 * The `.polya` with the journal of a batch: sessions know it, and they are found from any folder. Null where no batch or
 * several match.
 */
export async function homeOfBatch(question: WorkspaceQuestion, asked: string): Promise<string | null> {
  const sessions = await Promise.all(
    workspacesAround(question).map((workspace) => sessionsIn(openWorkspace({ ...question, workspace }))),
  );
  const places = sessions
    .flat()
    .toSorted((a, b) => b.manifest.createdAtMs - a.manifest.createdAtMs)
    .filter(({ manifest: { batch } }) => batch && asked !== '' && isMeantBy(asked, batch.set));
  const meant = asked === 'last' ? places.slice(0, 1) : places;
  const sets = new Set(meant.map(({ manifest }) => manifest.batch?.set));
  return sets.size === 1 ? (meant[0]?.manifest.home ?? null) : null;
}

/** `asked`: the id of a batch, its beginning or end, or `last`. */
export function isMeantBy(asked: string, set: string): boolean {
  return asked === 'last' || set.startsWith(asked) || set.endsWith(asked);
}

/** The workspace that is named or that the user is in, those beside it, and those below. */
function workspacesAround(question: WorkspaceQuestion): readonly string[] {
  const here = workspaceOrNull(question);
  const folders = [question.folder, baseFolder(question), ...(here === null ? [] : [dirname(here)])];
  return [...new Set([...(here === null ? [] : [here]), ...folders.flatMap(workspacesIn)])];
}
