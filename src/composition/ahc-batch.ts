/**
 * A batch of sessions, wired: its file becomes rows of one run-set, each row a session in its own workspace; while the rows
 * run, their folders are kept; in the end they are compared. All that can be wrong is thrown before anything is made.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import type { OutcomeKind } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import type { ModelHeader, RunEnd } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';
import { totalTokens } from '../core/usage.ts';
import { compareCombinations, fewestFor, type SessionOutcome } from '../families/ahc/batch/comparison.ts';
import { type Batch, parseBatch } from '../families/ahc/batch/file.ts';
import { type BatchRow, combinationText, rowsOf } from '../families/ahc/batch/rows.ts';
import type { ConfigValue } from '../families/ahc/config/keys.ts';
import { sessionFolderOf } from '../families/ahc/layout.ts';
import { scoresOf } from '../families/ahc/session/course.ts';
import { candidateOf, type SessionState } from '../families/ahc/session/fold.ts';
import { milestonesOf } from '../families/ahc/session/milestones.ts';
import type { Environment } from '../io/home.ts';
import type { Observer } from '../run/world.ts';
import { type RunSet, runIdOf } from '../studies/run-set/plan.ts';
import { openWorkspace, type WorkspaceQuestion } from './ahc.ts';
import { homeOfBatch } from './ahc-batch-home.ts';
import { appLogOf, newSession } from './ahc-session.ts';
import { type Keeper, keepSession } from './ahc-session-live.ts';
import { seeSession } from './ahc-session-look.ts';
import { refuseTakenName, type SessionPlace, sessionsIn } from './ahc-session-manifest.ts';
import { modelEnvironment } from './ahc-session-model.ts';
import { agentOfSessions, planSession, type SessionPlan, type SolveChoices } from './ahc-session-plan.ts';
import type { Polya, PolyaOptions } from './options.ts';

export type BatchPlan = {
  readonly name: string;
  readonly batch: Batch;
  readonly sessions: readonly { readonly row: BatchRow; readonly plan: SessionPlan }[];
  /** How Polya is opened for all of them. */
  readonly opening: PolyaOptions;
  readonly warnings: readonly string[];
};

export function planBatch(question: WorkspaceQuestion, file: string, choices: SolveChoices): BatchPlan {
  const path = resolve(question.folder, file);
  const batch = parseBatch(file, contentOf(path, file));
  const name = nameOf(batch.name ?? basename(path, extname(path)), file);
  refuseMootModels(batch, choices);
  const from = choices.from ?? batch.from?.map((each) => resolve(dirname(path), each));
  const sessions = rowsOf(batch, name).map((row) => ({
    row,
    plan: planRow(question, row, {
      ...choices,
      ...(from === undefined ? {} : { from }),
      ...(batch.cases === undefined || choices.cases !== undefined ? {} : { cases: batch.cases }),
    }),
  }));
  refuseTwice(sessions);
  const plans = sessions.map(({ plan }) => plan);
  return {
    name,
    batch,
    sessions,
    opening: commonOpening(question, plans),
    warnings: [...plans.flatMap(({ warnings }) => warnings), ...learningWarning(plans)],
  };
}

/** What one session leaves, the next one reads: the comparison takes them for independent of one another. */
function learningWarning(plans: readonly SessionPlan[]): string[] {
  if (plans.length < 2 || !plans.some(({ spec }) => spec.settings?.knowledge === true)) return [];
  return [
    'With `knowledge`, sessions learn from those of the batch that ended before them; the comparison is made as if they did not.',
  ];
}

function contentOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError({
      what: `${file} cannot be read.`,
      why: error instanceof Error ? `${error.message}.` : '',
      fix: 'Name a file that describes a batch; examples/batches/sizes.yaml is one.',
    });
  }
}

function nameOf(asked: string, file: string): string {
  const name = sessionFolderOf(asked);
  if (name !== null) return name.slice(0, 60);
  throw new UserError({
    what: `A batch cannot be called ${JSON.stringify(asked)}: its sessions are folders of that name.`,
    fix: `Write another \`name:\` into ${file}.`,
  });
}

/** The command line goes before the file: what it names would be the same in all. */
function refuseMootModels({ combinations }: Batch, { models }: SolveChoices): void {
  const varied = ['llm.model', 'llm.provider'].find((key) => combinations.some((each) => key in each));
  if (models.default === undefined || varied === undefined) return;
  throw new UserError({
    what: `The batch tries several of ${varied}, and --model would make them all the same.`,
    fix: 'Leave --model out; for single roles, --model ROLE=MODEL stays possible.',
  });
}

function planRow(
  question: WorkspaceQuestion,
  { problem, values }: BatchRow,
  choices: SolveChoices,
): SessionPlan {
  const keys = Object.entries(values).filter(([key]) => key.includes('.'));
  const settings = Object.entries(values).filter(([key]) => !key.includes('.'));
  return planSession(
    {
      ...question,
      ...(problem === null ? {} : { workspace: problem }),
      flags: { ...(Object.fromEntries(keys) as Record<string, ConfigValue>), ...question.flags },
    },
    {
      ...choices,
      agentSettings: { ...(Object.fromEntries(settings) as JsonObject), ...choices.agentSettings },
    },
  );
}

function refuseTwice(sessions: BatchPlan['sessions']): void {
  const seen = new Map<string, string | null>();
  for (const { row, plan } of sessions) {
    const key = JSON.stringify([plan.workspace.folder.path, row.name]);
    if (seen.has(key)) {
      throw new UserError({
        what: `The problems ${seen.get(key) ?? ''} and ${row.problem ?? ''} are the same workspace: ${plan.workspace.folder.path}.`,
        fix: 'Name it once; `repeat:` runs everything several times.',
      });
    }
    seen.set(key, row.problem);
  }
}

/** They live in one process: what its environment says of keys, patience and sandbox holds for all of them. */
function commonOpening({ env, folder }: WorkspaceQuestion, plans: readonly SessionPlan[]): PolyaOptions {
  const common: Record<string, string | undefined> = { ...env };
  const backends = new Set(plans.map(({ opening }) => opening.backend ?? ''));
  for (const { opening } of plans) {
    for (const [name, value] of Object.entries(opening.env ?? {})) {
      if (value === env[name]) continue;
      if (common[name] !== env[name] && common[name] !== value) throw notTogether(name);
      common[name] = value;
    }
  }
  if (backends.size > 1) throw notTogether('sandbox.backend');
  const [backend = ''] = backends;
  return { folder, env: common as Environment, create: true, ...(backend === '' ? {} : { backend }) };
}

/** How Polya is opened for a batch that goes on: with the keys that the configurations of its workspaces name. */
export function openingOf({ id, plan }: RunSet, question: WorkspaceQuestion): PolyaOptions {
  if (!plan.rows.every(isSession)) {
    throw new UserError({
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

function notTogether(what: string): UserError {
  return new UserError({
    what: `The sessions of this batch want different values of ${what}.`,
    why: 'They run in one process, which has one.',
    fix: 'Make two batches of it.',
  });
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
    what: `The session ${session} is there already: it is of the batch ${set}, which was begun before; nothing was begun.`,
    fix: `\`polya ahc batch --resume ${set}\` goes on with it. For another one, write another \`name:\` into the file.`,
  });
}

type Place = { readonly place: SessionPlace; readonly workspace: SessionPlan['workspace'] };

/** The folders of the sessions, made now: all of them, or none. */
export async function makeSessions(plan: BatchPlan, set: RunSet, home: string): Promise<readonly Place[]> {
  const places: Place[] = [];
  try {
    for (const [index, session] of plan.sessions.entries()) {
      const batch = { set: set.id, ...wordsOf(session.row, plan.sessions) };
      const named = { name: session.row.name, run: runIdOf(set, index), home, batch };
      places.push({ place: await newSession(session.plan, named), workspace: session.plan.workspace });
    }
    return places;
  } catch (error) {
    for (const { place, workspace } of places) await workspace.folder.remove(place.manifest.name);
    throw error;
  }
}

function wordsOf(row: BatchRow, sessions: BatchPlan['sessions']) {
  const { combination, repeat } = row;
  return { combination, repeat, text: combinationText(withoutCommon(row, sessions)) };
}

/** What is the same in all rows says nothing of one of them. */
function withoutCommon(row: BatchRow, sessions: BatchPlan['sessions']) {
  const isSame = (key: string): boolean =>
    sessions.every((other) => JSON.stringify(other.row.values[key]) === JSON.stringify(row.values[key]));
  return Object.fromEntries(Object.entries(row.values).filter(([key]) => !isSame(key)));
}

/** Those of a batch that was begun before, in the order of its rows. Throws `UserError` where one is gone. */
export async function findSessions(set: RunSet, question: WorkspaceQuestion): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const [index, { name, problem }] of set.plan.rows.entries()) {
    const path = String(problem.workspace);
    const workspace = openWorkspace({ ...question, workspace: path });
    const found = (await sessionsIn(workspace)).find(({ manifest }) =>
      manifest.runs.includes(runIdOf(set, index)),
    );
    if (!found) {
      throw new UserError({
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

/** Keeps the folders of all sessions while a run-set brings them to their ends. */
export async function keepSessions(
  { world }: Pick<Polya, 'world'>,
  {
    set,
    places,
    env,
  }: { readonly set: RunSet; readonly places: readonly Place[]; readonly env: Environment },
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

export type BatchOutcome = SessionOutcome & {
  readonly session: string;
  readonly folder: string;
  readonly text: string;
  readonly outcome: string | null;
  /** By the budget that all share: it can go on. */
  readonly isCutShort: boolean;
  /** What broke it off; null where nothing did. */
  readonly why: string | null;
  readonly best: string | null;
  /** Over the cases of the search; with relative scoring, against what its session began with. */
  readonly score: number | null;
  readonly scoring: 'absolute' | 'relative';
  readonly generations: number;
  /** Whether its cases are such as no search saw. */
  readonly isHeldOut: boolean;
  /** By role. */
  readonly models: Readonly<Record<string, ModelHeader>>;
  readonly course: readonly { readonly tokens: number; readonly aliveMs: number; readonly score: number }[];
};

/** What a provider or a machine did to a session says nothing of its settings. */
const brokenOff: ReadonlySet<string> = new Set<OutcomeKind>(['cancelled', 'error']);

/** What each session came to, from its journal. */
export async function outcomesOf(
  { world }: Polya,
  places: readonly Place[],
): Promise<readonly BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const { place, workspace } of places) {
    const { manifest } = place;
    const { state, events } = await seeSession(world.store, place);
    const { run, bestId } = state;
    const scoreOf = scoresOf(state, manifest);
    const { cases, isHeldOut } = finalCases(state);
    outcomes.push({
      ...{ session: manifest.name, folder: place.folder.path, problem: manifest.contest },
      workspace: workspace.folder.path,
      ...{ combination: manifest.batch?.combination ?? 0, repeat: manifest.batch?.repeat ?? 1 },
      ...{ text: manifest.batch?.text ?? '', direction: manifest.direction },
      ...{ cases, isHeldOut, best: bestId, score: bestId === null ? null : scoreOf(bestId) },
      isDone: run.end !== null && !brokenOff.has(run.end.outcome) && !run.end.cutShort,
      // Its agent gave up what it was refused; that was the limit's doing.
      outcome: run.end?.cutShort ? 'limit' : (run.end?.outcome ?? null),
      isCutShort: run.end?.cutShort === true,
      why: run.end?.error?.message ?? null,
      scoring: manifest.scoring,
      generations: state.generation,
      models: run.header?.models ?? {},
      tokens: run.totals.callsOfUnknownTokens > 0 ? null : totalTokens(run.totals.tokens),
      costUsd: run.totals.callsOfUnknownCost > 0 ? null : run.totals.costUsd,
      aliveMs: run.aliveMs,
      course: milestonesOf(events).flatMap(({ id, isBest, tokens, aliveMs }) => {
        const score = isBest ? scoreOf(id) : null;
        return score === null ? [] : [{ tokens, aliveMs, score }];
      }),
    });
  }
  return outcomes;
}

/** Of the program that was chosen: on held-out cases, or, where there were none, on those of the search. */
function finalCases(state: SessionState) {
  const chosen = candidateOf(state, state.final?.chosen ?? state.bestId);
  const final = chosen?.more.find(({ why }) => why === 'final');
  return {
    cases: (final?.evaluation ?? chosen?.note.evaluation)?.cases ?? [],
    isHeldOut: final !== undefined,
  };
}

export const ahcBatch = {
  planBatch,
  openingOf,
  homeOfBatch,
  refuseTakenSessions,
  makeSessions,
  findSessions,
  keepSessions,
  outcomesOf,
  compareCombinations,
  fewestFor,
  combinationText,
};
