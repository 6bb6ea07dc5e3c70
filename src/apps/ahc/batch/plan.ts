/**
 * A batch of sessions, planned: its file becomes the rows of one run-set, each a session in its workspace. Whatever is wrong
 * is thrown here, before anything is made.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { ConfigValue } from '../../../families/ahc/config/keys.ts';
import { sessionFolderOf } from '../../../families/ahc/layout.ts';
import type { Environment } from '../../../io/home.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import { planSession, type SessionPlan, type SolveChoices } from '../session/plan.ts';
import { type Batch, type BatchRow, parseBatch, rowsOf } from './file.ts';

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
  const batch = parseBatch(file, contentOf(path, file));
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

function contentOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError({
      code: 'file-unreadable',
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
  const seen = new Map<string, string | null>();
  for (const { row, plan } of sessions) {
    const key = JSON.stringify([plan.workspace.folder.path, row.name]);
    if (seen.has(key)) {
      throw new UserError({
        code: 'batch-invalid',
        what: `The problems ${seen.get(key) ?? ''} and ${row.problem ?? ''} are the same workspace: ${plan.workspace.folder.path}.`,
        fix: 'Name it once; `repeat:` runs everything several times.',
      });
    }
    seen.set(key, row.problem);
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
  return new UserError({
    code: 'options-conflict',
    what: `The sessions of this batch want different values of ${what}.`,
    why: 'They run in one process, which has one.',
    fix: 'Make two batches of it.',
  });
}
