/** A new run that shares a journal up to one event: results before it are returned by position and kind, without comparing. */
import type { Agent } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import { type Header, type ModelHeader, modelsBehind } from '../core/event.ts';
import { History, type Line } from '../core/history.ts';
import type { Family } from '../core/problem.ts';
import { unsafeLabel } from '../core/sandbox.ts';
import { live, type RunHandle, resolveModels } from './live.ts';
import { loadHistory } from './load.ts';
import { assertImagesSupported, type SettingsByRole, specsOfAllRoles } from './model-settings.ts';
import {
  assertKnownRoles,
  assertModelsFit,
  assertValidSettings,
  byRole,
  createJournal,
  modelHeaders,
  parseSettings,
  promptsHash,
  promptsOf,
  type RunSpec,
  resolveAgentSettings,
  sandboxInfo,
} from './start.ts';
import { codeHeader, type Observer, type Runtime } from './world.ts';

/** What changes, by role, setting and name; the rest stays as it was in the parent. */
export type ForkSpec = Partial<
  Pick<RunSpec, 'models' | 'baseUrls' | 'modelSettings' | 'settings' | 'limits' | 'prompts' | 'context'>
> & {
  readonly id: string;
  /** The last event that is shared; without it, everything but how the run was graded and ended. */
  readonly at?: number;
  /** Put into the new run's mailbox: the agent reads it at its next look. */
  readonly hint?: string;
};

export async function forkRun(
  runtime: Runtime,
  runId: string,
  spec: ForkSpec,
  observer: Observer = {},
): Promise<RunHandle> {
  const read: Line[] = [];
  const toSeq = spec.at === undefined ? undefined : Math.max(1, spec.at);
  const full = await loadHistory(runtime.store, runId, { toSeq, keep: read });
  const lastSeq = (await runtime.store.get(runId))?.lastSeq ?? 0;
  if (spec.at !== undefined) assertEventExists(runId, spec.at, lastSeq);
  const lines = withoutEnd(read);
  const seq = lines.at(-1)?.row.seq ?? 0;
  const isAnswered = lines.some(({ row }) => row.kind === 'model-response');
  const shared = {
    run: runId,
    seq,
    again: full.history.end?.again,
    models: isAnswered ? uniqueModels(Object.values(modelsBehind(full.header))) : [],
  };
  const parent = await ownHeader(runtime, runId, full.header);
  const before = parent === full.header ? full.history.limits.now : parent.limits;
  const limits = { ...before, ...spec.limits };
  const { header, models } = await changedHeader(runtime, parent, shared, { ...spec, limits });
  const { line, ownership } = await createJournal(runtime, header, { run: runId, seq });
  const { hint } = spec;
  if (hint) await runtime.store.post(spec.id, { kind: 'tell', text: hint, atMs: runtime.io.clock.now() });
  const history = new History([...lines, line]);
  return live({ world: runtime, header, history, ownership, models, observer, preface: null });
}

/** A journal cut before its own fork ends in the header of the run that it was forked from. */
async function ownHeader({ store }: Runtime, runId: string, header: Header): Promise<Header> {
  const forkedAt = (await store.get(runId))?.parent?.seq;
  if (forkedAt === undefined || header.runId === runId) return header;
  return (await loadHistory(store, runId, { toSeq: forkedAt + 1 })).header;
}

function uniqueModels(models: readonly ModelHeader[]): readonly ModelHeader[] {
  return [...new Map(models.map((model) => [`${model.kind} ${model.spec}`, model])).values()];
}

/** How the parent was graded and ended is no part of what a fork begins with. */
function withoutEnd(lines: readonly Line[]): readonly Line[] {
  const last = lines.findLastIndex(({ row }) => !/^(run-end|grade-start|grade-end)$/.test(row.kind));
  return lines.slice(0, last + 1);
}

async function changedHeader(
  runtime: Runtime,
  parent: Header,
  fork: NonNullable<Header['fork']>,
  spec: ForkSpec,
) {
  const agent = await runtime.agent(parent.agent.name, parent.code);
  assertValidSettings(agent, parent);
  const family = await runtime.family(parent.problem.family, parent.code);
  const before = Object.entries(parent.models).map(([role, model]) => [role, model.spec]);
  const modelSettings = changedSettings(parent, spec.modelSettings ?? {});
  const specs = specsOfAllRoles(
    { ...Object.fromEntries(before), ...spec.models },
    modelSettings,
    spec.baseUrls ?? {},
  );
  assertKnownRoles(agent, specs);
  const baseUrls = byRole(specs, (role) => {
    const source = parent.models[role] ? role : 'default';
    // A model that takes another's place is where the environment says that it is.
    const kept = spec.models?.[source] === undefined ? parent.models[source]?.baseUrl : undefined;
    return spec.baseUrls?.[role] ?? spec.baseUrls?.default ?? kept;
  });
  const models = await resolveModels(runtime, specs, { baseUrls, code: parent.code });
  const prompts = promptsOf(agent, { ...keptPrompts(agent, parent), ...spec.prompts });
  const header: Header = {
    ...parent,
    runId: spec.id,
    fork,
    agent: changedAgent(parent, agent, family, spec),
    prompts,
    promptsHash: promptsHash(prompts),
    models: modelHeaders(specs, models, { settings: modelSettings, baseUrls }),
    limits: spec.limits ?? parent.limits,
    context: spec.context ?? parent.context,
    sandbox: await sandboxOf(runtime, parent),
    codeVersion: runtime.codeVersion,
    code: codeHeader(runtime, { agent, family, models }),
  };
  await assertModelsFit(runtime, agent, { ...header, settings: header.agent.settings }, models);
  assertImagesSupported(header.problem, models);
  return { header, models };
}

/** What was decided when the parent began stays, but for what is left open anew. */
function changedAgent(
  parent: Header,
  agent: Agent,
  family: Family,
  { settings = {}, limits = {} }: ForkSpec,
): Header['agent'] {
  const changed = parseSettings(agent, { ...parent.agent.settings, ...settings });
  if (!agent.decide || Object.keys(settings).length === 0) return { ...parent.agent, settings: changed };
  const subject = { problem: family.open(parent.problem), limits: { ...parent.limits, ...limits } };
  return resolveAgentSettings(agent, changed, subject);
}

function changedSettings(parent: Header, changes: SettingsByRole): SettingsByRole {
  const roles = { ...parent.models, ...changes };
  const settings = Object.keys(roles).map((role) => [
    role,
    { ...parent.models[role]?.settings, ...changes.default, ...changes[role] },
  ]);
  return Object.fromEntries(settings);
}

/** Programs of the shared beginning that ran without isolation are this run's too. */
async function sandboxOf(runtime: Runtime, parent: Header): Promise<Header['sandbox']> {
  const sandbox = await sandboxInfo(runtime);
  return sandbox && unsafeLabel(parent.sandbox) ? { ...sandbox, isolation: 'none' } : sandbox;
}

/** The parent's prompts that the agent still has. */
function keptPrompts(agent: Agent, parent: Header): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parent.prompts).filter(([name]) => Object.hasOwn(agent.prompts, name)),
  );
}

function assertEventExists(runId: string, at: number, lastSeq: number): void {
  if (at >= 1 && at <= lastSeq) return;
  throw new UserError({
    code: 'no-such-event-in-journal',
    what: `Run ${runId} has no event ${at}; its events are 1 to ${lastSeq}.`,
    fix: `\`polya runs show ${runId}\` lists them.`,
  });
}
