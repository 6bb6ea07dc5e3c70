/**
 * How a session goes on: which settings differ from those of its last life, and whether its run is resumed with them or
 * forked. Pure; throws `UserError`.
 */
import { UserError } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import { isReopenable } from '../../../core/history.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../core/json.ts';
import type { ForkSpec } from '../../../run/fork.ts';
import { type ManifestChange, runsAlready, type SessionJob, settingsMail } from './live.ts';
import type { SeenSession } from './look.ts';
import type { SessionPlan, SolveChoices } from './plan.ts';
import { agentKeys, crossing, filesKept, snapshotGoingOn } from './settings.ts';

type ResumeQuestion = {
  readonly seen: SeenSession;
  readonly plan: SessionPlan;
  readonly choices: SolveChoices;
  /** The keys that options named, as `evolution.max_generations`. */
  readonly named: readonly string[];
  readonly newRunId: string;
};

type Resumption = {
  readonly job: SessionJob;
  readonly change: ManifestChange;
  /** For people: `maxGenerations 30 → 60`. */
  readonly changes: readonly string[];
};

/** Throws `UserError` where the session runs already, has nothing left to do, or cannot take what was changed. */
export function resumption(question: ResumeQuestion): Resumption {
  const { seen, plan, choices, newRunId } = question;
  const { row, place, state, status } = seen;
  const { name, settings, configuration } = place.manifest;
  if (status === 'running') throw runsAlready(name, row?.owner?.pid);
  refuseFixed(choices);
  const changed = changedAgentSettings(question);
  const held = { ...settings, ...changed };
  const change: ManifestChange = {
    settings: held,
    configured: plan.configured,
    configuration: snapshotGoingOn(configuration, plan.configuration, held),
    ...filesKept(plan.workspace.config),
  };
  const fork = forkOf(question, changed);
  const ofAgent = Object.entries(changed).map(
    ([key, value]) => `${key} ${JSON.stringify(settings[key] ?? null)} → ${JSON.stringify(value)}`,
  );
  const changes = [...ofAgent, ...fork.changes];
  if (!row) return { job: { how: 'start', spec: { id: newRunId, ...plan.spec } }, change, changes };
  const { end } = state.run;
  const isOver = end !== null && !isReopenable(end);
  if (isOver && changes.length === 0) throw overError(seen);
  // A run that was stopped during its final choice never reads its mailbox again.
  const isLate = fork.spec.at !== undefined && changes.length > 0;
  const isForked = isOver || isLate || fork.changes.length > 0;
  const job: SessionJob = isForked
    ? { how: 'fork', parent: row.id, spec: fork.spec }
    : { how: 'resume', run: row.id, settings: changed };
  return { job, change, changes };
}

function refuseFixed({ cases, islands, from, problemFile, images }: SolveChoices): void {
  const fixed = {
    '--cases': cases,
    '--islands': islands,
    '--from': from,
    '--problem-file': problemFile,
    '--no-images': images,
  };
  const [option] = Object.entries(fixed).find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return;
  throw new UserError({
    code: 'setting-fixed',
    what: `${option} cannot change in a session that goes on.`,
    why: 'What it searches on is kept from its beginning, or its scores would mean something else.',
    fix: 'Leave it out, or begin a new session.',
  });
}

/** Settings that an option names now, or that changed in a file or the environment since the last life. */
function changedAgentSettings(question: ResumeQuestion): JsonObject {
  const { seen, plan, choices, named } = question;
  const { settings } = seen.place.manifest;
  const meant = Object.entries(agentKeys).filter(
    ([, key]) => named.includes(key) || isReconfigured(question, key),
  );
  const ofKeys = Object.fromEntries(meant.map(([name]) => [name, plan.settings[name] ?? null]));
  const changed = differing<Json | undefined>({ ...ofKeys, ...choices.agentSettings }, settings);
  return { ...crossing(changed), ...changed };
}

/** A run keeps its models, prompts and budget; only a fork can change them, and has to where there are `changes`. */
function forkOf(question: ResumeQuestion, changed: JsonObject) {
  const { seen, plan, choices, newRunId } = question;
  const { header } = seen.state.run;
  const held = header?.models ?? {};
  // Until the configuration of models changes, the options of an earlier life hold.
  const isOther = isReconfigured(question, 'llm.model', 'llm.provider');
  const isSetAnew = isReconfigured(question, 'llm.temperature', 'llm.max_tokens');
  const models = differing(
    isOther ? plan.spec.models : choices.models,
    Object.fromEntries(Object.entries(held).map(([role, { spec }]) => [role, spec])),
  );
  const modelSettings = Object.fromEntries(
    Object.entries((isSetAnew ? plan.spec.modelSettings : choices.modelSettings) ?? {}).filter(
      ([role, set]) => Object.keys(differing(set, held[role]?.settings)).length > 0,
    ),
  );
  const limits = differing(choices.limits, header?.limits);
  const prompts = differing(choices.prompts, header?.prompts);
  const spec: ForkSpec = {
    id: newRunId,
    at: searchOverAt(seen.events),
    models,
    baseUrls: choices.baseUrls,
    modelSettings,
    limits,
    prompts: choices.prompts,
    // The run finds it when it first reads its mailbox.
    hint: Object.keys(changed).length > 0 ? settingsMail(changed) : undefined,
  };
  const changes = [
    ...Object.entries(models).map(([role, model]) => `model ${role} → ${model}`),
    ...Object.entries(modelSettings).map(([role, set]) => `settings of ${role} → ${JSON.stringify(set)}`),
    ...Object.entries(limits).map(([name, value]) => `${name} → ${value}`),
    ...(Object.keys(prompts).length > 0 ? ['prompts'] : []),
  ];
  return { spec, changes };
}

/** Whether one of these keys has changed in a file or the environment since the last life. */
function isReconfigured({ seen, plan }: ResumeQuestion, ...keys: readonly string[]): boolean {
  return keys.some((key) => !isSame(seen.place.manifest.configured[key], plan.configured[key]));
}

/** The entries of `meant` whose values are not those that hold. */
function differing<V>(meant: Readonly<Record<string, V>>, held: object = {}): Record<string, V> {
  const values = new Map<string, unknown>(Object.entries(held));
  return Object.fromEntries(
    Object.entries(meant).filter(([name, value]) => !isSame(values.get(name), value)),
  );
}

/** The event `search-over` of this run, if it has one: behind it comes only the final choice. */
function searchOverAt(events: readonly Event[]): number | undefined {
  const own = events.slice(events.findLastIndex(({ kind }) => kind === 'run-fork') + 1);
  return own.findLast((event) => event.kind === 'note' && event.body.kind === 'search-over')?.seq;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

function overError({ place, state }: SeenSession): UserError {
  const { name } = place.manifest;
  return new UserError({
    code: 'session-over',
    what: `The session ${name} has come to its end${state.over ? `: ${state.over.replace(/\.$/, '')}` : ''}.`,
    why: 'Nothing that it could go on with is different now.',
    fix: `Give it more room: \`polya ahc solve --session-id ${name} --max-generations ${state.generation + 30}\`, a larger --time-limit or --budget.`,
  });
}
