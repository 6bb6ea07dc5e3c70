/** A new run that shares a journal up to one event: results before it are returned by position and kind, without comparing. */
import type { Agent } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import { type Header, type ModelHeader, modelsBehind } from '../core/event.ts';
import { History, type Line } from '../core/history.ts';
import type { Family } from '../core/problem.ts';
import { unsafeLabel } from '../core/sandbox.ts';
import { live, type RunHandle, resolveModels } from './live.ts';
import { loadHistory } from './load.ts';
import { refuseUnseenImages, type SettingsByRole, specsOfAllRoles } from './model-settings.ts';
import {
  byRole,
  createJournal,
  decidedAgent,
  modelHeaders,
  parseSettings,
  promptsHash,
  promptsOf,
  type RunSpec,
  refuseUnfitModels,
  refuseUnfitSettings,
  refuseUnknownRoles,
  sandboxInfo,
} from './start.ts';
import { codeHeader, type Observer, type World } from './world.ts';

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
  world: World,
  runId: string,
  spec: ForkSpec,
  observer: Observer = {},
): Promise<RunHandle> {
  const read: Line[] = [];
  const toSeq = spec.at === undefined ? undefined : Math.max(1, spec.at);
  const whole = await loadHistory(world.store, runId, { toSeq, keep: read });
  const lastSeq = (await world.store.get(runId))?.lastSeq ?? 0;
  if (spec.at !== undefined) refuseUnknownEvent(runId, spec.at, lastSeq);
  const lines = withoutEnd(read);
  const seq = lines.at(-1)?.row.seq ?? 0;
  const isAnswered = lines.some(({ row }) => row.kind === 'model-response');
  const shared = {
    run: runId,
    seq,
    again: whole.history.end?.again,
    models: isAnswered ? distinct(Object.values(modelsBehind(whole.header))) : [],
  };
  const parent = await ownHeader(world, runId, whole.header);
  const before = parent === whole.header ? whole.history.limits.now : parent.limits;
  const limits = { ...before, ...spec.limits };
  const { header, models } = await changedHeader(world, parent, shared, { ...spec, limits });
  const { line, ownership } = await createJournal(world, header, { run: runId, seq });
  const { hint } = spec;
  if (hint) await world.store.post(spec.id, { kind: 'tell', text: hint, atMs: world.io.clock.now() });
  const history = new History([...lines, line]);
  return live({ world, header, history, ownership, models, observer, preface: null });
}

/** A journal cut before its own fork ends in the header of the run that it was forked from. */
async function ownHeader({ store }: World, runId: string, header: Header): Promise<Header> {
  const forkedAt = (await store.get(runId))?.parent?.seq;
  if (forkedAt === undefined || header.runId === runId) return header;
  return (await loadHistory(store, runId, { toSeq: forkedAt + 1 })).header;
}

function distinct(models: readonly ModelHeader[]): readonly ModelHeader[] {
  return [...new Map(models.map((model) => [`${model.kind} ${model.spec}`, model])).values()];
}

/** How the parent was graded and ended is no part of what a fork begins with. */
function withoutEnd(lines: readonly Line[]): readonly Line[] {
  const last = lines.findLastIndex(({ row }) => !/^(run-end|grade-start|grade-end)$/.test(row.kind));
  return lines.slice(0, last + 1);
}

async function changedHeader(
  world: World,
  parent: Header,
  fork: NonNullable<Header['fork']>,
  spec: ForkSpec,
) {
  const agent = await world.agent(parent.agent.name, parent.code);
  refuseUnfitSettings(agent, parent);
  const family = await world.family(parent.problem.family, parent.code);
  const before = Object.entries(parent.models).map(([role, model]) => [role, model.spec]);
  const modelSettings = changedSettings(parent, spec.modelSettings ?? {});
  const specs = specsOfAllRoles(
    { ...Object.fromEntries(before), ...spec.models },
    modelSettings,
    spec.baseUrls ?? {},
  );
  refuseUnknownRoles(agent, specs);
  const baseUrls = byRole(specs, (role) => {
    const source = parent.models[role] ? role : 'default';
    // A model that takes another's place is where the environment says that it is.
    const kept = spec.models?.[source] === undefined ? parent.models[source]?.baseUrl : undefined;
    return spec.baseUrls?.[role] ?? spec.baseUrls?.default ?? kept;
  });
  const models = await resolveModels(world, specs, { baseUrls, code: parent.code });
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
    sandbox: await sandboxOf(world, parent),
    codeVersion: world.codeVersion,
    code: codeHeader(world, { agent, family, models }),
  };
  await refuseUnfitModels(world, agent, { ...header, settings: header.agent.settings }, models);
  refuseUnseenImages(header.problem, models);
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
  const about = { problem: family.open(parent.problem), limits: { ...parent.limits, ...limits } };
  return decidedAgent(agent, changed, about);
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
async function sandboxOf(world: World, parent: Header): Promise<Header['sandbox']> {
  const sandbox = await sandboxInfo(world);
  return sandbox && unsafeLabel(parent.sandbox) ? { ...sandbox, isolation: 'none' } : sandbox;
}

/** The parent's prompts that the agent still has. */
function keptPrompts(agent: Agent, parent: Header): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parent.prompts).filter(([name]) => Object.hasOwn(agent.prompts, name)),
  );
}

function refuseUnknownEvent(runId: string, at: number, lastSeq: number): void {
  if (at >= 1 && at <= lastSeq) return;
  throw new UserError({
    code: 'no-such-event-in-journal',
    what: `Run ${runId} has no event ${at}; its events are 1 to ${lastSeq}.`,
    fix: `\`polya runs show ${runId}\` lists them.`,
  });
}
