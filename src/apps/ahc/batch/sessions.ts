/**
 * The sessions of a batch. Its file becomes the rows of one run-set, each a session in its workspace; whatever is wrong with
 * it is thrown before anything is made. Their folders are made all at once, found again when the batch goes on, and kept
 * while its run-set runs.
 */
import { basename, dirname, extname, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { RunEnd } from '../../../core/event.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Store } from '../../../core/store.ts';
import { findInputs } from '../../../families/ahc/cases.ts';
import type { ConfigValue } from '../../../families/ahc/config/keys.ts';
import { inputHash } from '../../../families/ahc/judge/evaluate.ts';
import { sessionFolderOf } from '../../../families/ahc/layout.ts';
import { addToBest, betterOf } from '../../../families/ahc/records/best.ts';
import type { Environment } from '../../../io/home.ts';
import {
  baseFolder,
  openWorkspace,
  type WorkspaceQuestion,
  workspaceOrNull,
  workspacesIn,
} from '../../../open/families/ahc/workspace.ts';
import type { Journals, JournalsOptions } from '../../../open/options.ts';
import { requireOwn, requireTrusted } from '../../../open/trust/trust.ts';
import { hashText } from '../../../run/hash.ts';
import type { Observer } from '../../../run/world.ts';
import { type RunSet, runIdOf } from '../../../studies/run-set/plan.ts';
import { type Keeper, keepSession } from '../session/live.ts';
import { appLogOf } from '../session/log.ts';
import { seeSession } from '../session/look.ts';
import {
  dropSession,
  newSession,
  refuseTakenName,
  type SessionPlace,
  sessionsIn,
} from '../session/manifest.ts';
import {
  agentOfSessions,
  planSession,
  type SessionPlan,
  type SolveChoices,
  textOfNamed,
} from '../session/plan.ts';
import { modelEnvironment } from '../session/settings.ts';
import { conflict } from '../workspace.ts';
import { type Batch, type BatchRow, combinationText, parseBatch, rowsOf } from './file.ts';

export type BatchPlan = {
  readonly name: string;
  readonly batch: Batch;
  readonly sessions: readonly { readonly row: BatchRow; readonly plan: SessionPlan }[];
  /** How Polya is opened for all of them. */
  readonly opening: JournalsOptions;
  readonly warnings: readonly string[];
};

export function planBatch(question: WorkspaceQuestion, file: string, choices: SolveChoices): BatchPlan {
  const path = resolve(question.folder, file);
  const fix = 'Name a file that describes a batch; examples/batches/sizes.yaml is one.';
  requireOwn(path, question.env);
  const batch = parseBatch(file, textOfNamed(path, file, fix));
  if ([batch.base, ...batch.combinations].some(weakens)) requireTrusted(path, question.env);
  const name = nameOf(batch.name ?? basename(path, extname(path)), file);
  refuseMootModels(batch, choices);
  const from = choices.from ?? batch.from?.map((each) => resolve(dirname(path), each));
  const ofAll = { ...choices, from, cases: choices.cases ?? batch.cases };
  const sessions = rowsOf(batch, name).map((row) => ({ row, plan: planRow(question, row, ofAll) }));
  refuseTwice(sessions);
  const plans = sessions.map(({ plan }) => plan);
  const warnings = plans.flatMap((plan) => plan.warnings);
  // The comparison assumes independent sessions.
  if (plans.length > 1 && plans.some(({ spec }) => spec.settings?.knowledge === true))
    warnings.push(
      'With `knowledge`, sessions learn from those of the batch that ended before them; the comparison is made as if they did not.',
    );
  return { name, batch, sessions, opening: commonOpening(question, plans), warnings };
}

/** Whether it chooses a sandbox, an image or whose key is used. */
function weakens(values: object): boolean {
  return Object.keys(values).some((key) => /^(?:sandbox|docker)\.|^llm\.api_key$/.test(key));
}

function nameOf(asked: string, file: string): string {
  const name = sessionFolderOf(asked);
  if (name !== null) return name.slice(0, 60);
  throw new UserError({
    code: 'batch-name-reserved',
    what: `A batch cannot be called ${JSON.stringify(asked)}: its sessions are folders of that name.`,
    fix: `Write another \`name:\` into ${file}.`,
  });
}

/** A model of the command line overrides the file, so that the combinations would not differ. */
function refuseMootModels({ combinations }: Batch, { models }: SolveChoices): void {
  const varied = ['llm.model', 'llm.provider'].find((key) => combinations.some((each) => key in each));
  if (models.default === undefined || varied === undefined) return;
  throw new UserError({
    code: 'manual-model-in-batch',
    what: `The batch tries several of ${varied}, and --model would make them all the same.`,
    fix: 'Leave --model out; for single roles, --model ROLE=MODEL stays possible.',
  });
}

/** Keys with a dot are the configuration's; the others are settings of the search. */
function planRow(
  question: WorkspaceQuestion,
  { problem, values }: BatchRow,
  choices: SolveChoices,
): SessionPlan {
  const keys = Object.entries(values).filter(([key]) => key.includes('.'));
  const settings = Object.entries(values).filter(([key]) => !key.includes('.'));
  const configured = Object.fromEntries(keys) as Record<string, ConfigValue>;
  const workspace = problem ?? question.workspace;
  const flags = { ...configured, ...question.flags };
  const agentSettings: JsonObject = { ...Object.fromEntries(settings), ...choices.agentSettings };
  return planSession({ ...question, workspace, flags }, { ...choices, agentSettings });
}

function refuseTwice(sessions: BatchPlan['sessions']): void {
  const byFolder = Map.groupBy(sessions, ({ row, plan }) => `${plan.workspace.folder.path}/${row.name}`);
  for (const [first, second] of byFolder.values()) {
    if (!first || !second) continue;
    throw new UserError({
      code: 'batch-invalid',
      what: `The problems ${first.row.problem ?? ''} and ${second.row.problem ?? ''} are the same workspace: ${first.plan.workspace.folder.path}.`,
      fix: 'Name it once; `repeat:` runs everything several times.',
    });
  }
}

/** All sessions run in one process, so they share its keys, timeouts and sandbox. */
function commonOpening({ env, folder }: WorkspaceQuestion, plans: readonly SessionPlan[]): JournalsOptions {
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
  return { folder, env: common as Environment, create: true, backend: backend || undefined };
}

function notTogether(what: string): UserError {
  const wrong = `The sessions of this batch want different values of ${what}.`;
  return conflict(wrong, 'Make two batches of it.', 'They run in one process, which has one.');
}

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

export async function keepSessions(
  { world }: Pick<Journals, 'world'>,
  set: RunSet,
  places: readonly BatchPlace[],
  env: Environment,
) {
  const kept: { readonly keeper: Keeper; readonly end: PromiseWithResolvers<RunEnd | null> }[] = [];
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
      const filed = keeper?.begin().then(() => end && keeper.until(end.promise));
      if (filed) work.set(index, filed);
    },
    onEnd: (index: number, end: RunEnd): void => kept[index]?.end.resolve(end),
    onFailure: (index: number, error: Error): void => kept[index]?.end.reject(error),
    /** Resolves when every folder is complete. */
    settled: async (): Promise<void> => {
      // Those that were taken back from other hosts before they ended.
      for (const { end } of kept) end.resolve(null);
      await Promise.allSettled(work.values());
      for (const [index, { keeper }] of kept.entries()) {
        const row = work.has(index) ? null : await world.store.get(runIdOf(set, index));
        if (row?.ended) await keeper.complete();
      }
      // Other hosts have told it the journals alone.
      if (world.owner.host !== undefined) for (const place of places) await learnBest(world.store, place);
    },
  };
}

/** The best score of each case that the session has seen, into the records of its workspace. */
async function learnBest(store: Store, { place, workspace }: BatchPlace): Promise<void> {
  const { folder, id } = workspace;
  const { direction } = place.manifest;
  const { candidates } = (await seeSession(store, place)).state;
  const best = new Map<string, number | null>();
  for (const { note, more } of candidates)
    for (const { evaluation } of [note, ...more])
      for (const { name, score } of evaluation?.cases ?? [])
        best.set(name, betterOf(direction, best.get(name) ?? null, score));
  if (best.size === 0) return;
  const { names, made, read } = await findInputs(folder, id);
  const known = [...names, ...made].filter((name) => best.has(name));
  const cases = known.map(async (name) => {
    return { name, input: inputHash(hashText, await read(name)), score: best.get(name) ?? null };
  });
  await addToBest(folder, direction, await Promise.all(cases));
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
