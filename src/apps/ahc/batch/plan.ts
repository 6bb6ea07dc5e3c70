/**
 * The file of a batch as the rows of a run-set, each a session in its workspace. Whatever is wrong with it is thrown before
 * anything is made.
 */
import { basename, dirname, extname, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { ConfigValue } from '../../../families/ahc/config/keys.ts';
import { safeSessionDirName } from '../../../families/ahc/layout.ts';
import { readContest } from '../../../families/ahc/workspace.ts';
import { systemClock } from '../../../io/clock.ts';
import type { Environment } from '../../../io/home.ts';
import { openWorkspace, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import { requireOwn, requireTrusted } from '../../../open/trust/trust.ts';
import type { RowPlan, RunSet } from '../../../studies/run-set/plan.ts';
import { inHeader, sessionContext } from '../session/context.ts';
import {
  agentOfSessions,
  planSession,
  type SessionPlan,
  type SolveChoices,
  textOfNamed,
} from '../session/plan.ts';
import { contextFor, refuseTakenName, sessionsIn } from '../session/sessions.ts';
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
  if ([batch.base, ...batch.combinations].some(weakensSandbox)) requireTrusted(path, question.env);
  const name = nameOf(batch.name ?? basename(path, extname(path)), file);
  rejectUnusedModels(batch, choices);
  const from = choices.from ?? batch.from?.map((each) => resolve(dirname(path), each));
  const ofAll = { ...choices, from, cases: choices.cases ?? batch.cases };
  const sessions = rowsOf(batch, name).map((row) => ({ row, plan: planRow(question, row, ofAll) }));
  rejectDuplicates(sessions);
  const sessionPlans = sessions.map(({ plan }) => plan);
  const warnings = sessionPlans.flatMap((plan) => plan.warnings);
  // The comparison assumes independent sessions.
  if (sessionPlans.length > 1 && sessionPlans.some(({ spec }) => spec.settings?.knowledge === true))
    warnings.push(
      'With `knowledge`, sessions learn from those of the batch that ended before them; the comparison is made as if they did not.',
    );
  return { name, batch, sessions, opening: sharedJournalOptions(question, sessionPlans), warnings };
}

/** Whether it chooses a sandbox, an image or whose key is used. */
function weakensSandbox(values: object): boolean {
  return Object.keys(values).some((key) => /^(?:sandbox|docker)\.|^llm\.api_key$/.test(key));
}

function nameOf(question: string, file: string): string {
  const name = safeSessionDirName(question);
  if (name !== null) return name.slice(0, 60);
  throw new UserError({
    code: 'batch-name-reserved',
    what: `A batch cannot be called ${JSON.stringify(question)}: its sessions are folders of that name.`,
    fix: `Write another \`name:\` into ${file}.`,
  });
}

/** A model of the command line overrides the file, so that the combinations would not differ. */
function rejectUnusedModels({ combinations }: Batch, { models }: SolveChoices): void {
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

function rejectDuplicates(sessions: BatchPlan['sessions']): void {
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
function sharedJournalOptions(
  { env, folder }: WorkspaceQuestion,
  sessionPlans: readonly SessionPlan[],
): JournalsOptions {
  const common: Record<string, string | undefined> = { ...env };
  const backends = new Set(sessionPlans.map(({ opening }) => opening.backend ?? ''));
  for (const { opening } of sessionPlans) {
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
  const incorrect = `The sessions of this batch want different values of ${what}.`;
  return conflict(incorrect, 'Make two batches of it.', 'They run in one process, which has one.');
}

/** How Polya is opened for a batch that goes on: with the API keys that the configurations of its workspaces name. */
export function batchJournalOptions({ id, plan }: RunSet, question: WorkspaceQuestion): JournalsOptions {
  if (!plan.rows.every((row) => sessionOfRow(row) !== null)) {
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

/** The rows of the run-set. Throws `UserError` where something has the name of a session. */
export async function batchRows({ sessions }: BatchPlan) {
  const createdAtMs = systemClock.now();
  const stamp = new Date(createdAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const rows = [];
  for (const { row, plan } of sessions) {
    const { name, seed, combination, repeat, values } = row;
    await assertNameFree(plan, name);
    const batch = { combination, repeat, text: combinationText(withoutCommon(values, sessions)) };
    const session = { id: `${name}_${stamp}`, name, createdAtMs, batch };
    const context = contextFor(plan, await readContest(plan.workspace), session);
    rows.push({ ...plan.spec, name, seed, context: inHeader(context) });
  }
  return rows;
}

async function assertNameFree({ workspace }: SessionPlan, name: string): Promise<void> {
  await refuseTakenName(workspace, name).catch(async (error: unknown) => {
    const known = (await sessionsIn(workspace)).find((each) => each.name === name);
    const [, set] = /^(\d{8}-\d{6}-\w{4})-\d+$/.exec(known?.runs[0] ?? '') ?? [];
    if (set === undefined) throw error;
    throw new UserError({
      code: 'batch-begun',
      what: `The session ${name} is there already: it is of the batch ${set}, which was begun before; nothing was begun.`,
      fix: `\`polya ahc batch --resume ${set}\` goes on with it. For another one, write another \`name:\` into the file.`,
    });
  });
}

function withoutCommon(values: BatchRow['values'], sessions: BatchPlan['sessions']): BatchRow['values'] {
  const isCommon = (key: string): boolean =>
    sessions.every(({ row }) => JSON.stringify(row.values[key]) === JSON.stringify(values[key]));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isCommon(key)));
}

/** The session that a row of a batch is; null where it is none. */
export function sessionOfRow({ family, agent, context }: RowPlan) {
  const { data } = sessionContext.safeParse(context?.session);
  return family === 'ahc' && agent === agentOfSessions && data?.batch ? { ...data, batch: data.batch } : null;
}
