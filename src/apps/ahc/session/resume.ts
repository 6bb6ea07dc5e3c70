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

export type ResumeQuestion = {
  readonly seen: SeenSession & { readonly events: readonly Event[] };
  readonly plan: SessionPlan;
  readonly choices: SolveChoices;
  /** The keys that options named, as `evolution.max_generations`. */
  readonly named: readonly string[];
  readonly newRunId: string;
};

export type Resumption = {
  readonly job: SessionJob;
  readonly change: ManifestChange;
  /** For people: `maxGenerations 30 → 60`. */
  readonly changes: readonly string[];
};

/** Throws `UserError` where the session runs already, has nothing left to do, or cannot take what was changed. */
export function resumption(question: ResumeQuestion): Resumption {
  const { seen, plan, choices } = question;
  const { manifest } = seen.place;
  refuse(seen, choices);
  const changed = changedAgentSettings(question);
  const change = changeOf(plan, { ...manifest.settings, ...changed }, manifest.configuration);
  const fork = forkOf(question, changed);
  const changes = [
    ...Object.entries(changed).map(
      ([name, value]) =>
        `${name} ${JSON.stringify(manifest.settings[name] ?? null)} → ${JSON.stringify(value)}`,
    ),
    ...fork.changes,
  ];
  const row = seen.row;
  if (!row) return { job: { how: 'start', spec: { id: question.newRunId, ...plan.spec } }, change, changes };
  const { end } = seen.state.run;
  const isOver = end !== null && !isReopenable(end);
  if (isOver && changes.length === 0) throw overError(seen);
  // A run that was stopped during its final choice never reads its mailbox again.
  const isLate = fork.spec.at !== undefined && changes.length > 0;
  if (!isOver && !isLate && !fork.isNeeded)
    return { job: { how: 'resume', run: row.id, settings: changed }, change, changes };
  return { job: { how: 'fork', parent: row.id, spec: fork.spec }, change, changes };
}

/** `settings`: all that hold from now on. */
function changeOf(plan: SessionPlan, settings: JsonObject, before: JsonObject): ManifestChange {
  return {
    settings,
    configured: plan.configured,
    configuration: snapshotGoingOn(before, plan.configuration, settings),
    ...filesKept(plan.workspace.config),
  };
}

function refuse(
  { status, row, place }: SeenSession,
  { cases, islands, from, problemFile, images }: SolveChoices,
): void {
  if (status === 'running') throw runsAlready(place.manifest.name, row?.owner?.pid);
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
  const ofKeys = Object.entries(agentKeys).flatMap(([name, key]) => {
    const isMeant = named.includes(key) || isReconfigured(question, key);
    const value = plan.settings[name] ?? null;
    return isMeant && !isSame(settings[name], value) ? [[name, value] as const] : [];
  });
  const others = Object.entries(choices.agentSettings).filter(
    ([name, value]) => !isSame(settings[name], value),
  );
  const changed = Object.fromEntries([...ofKeys, ...others]) as JsonObject;
  return { ...crossing(changed), ...changed };
}

type Fork = { readonly spec: ForkSpec; readonly isNeeded: boolean; readonly changes: readonly string[] };

/** A run keeps its models, prompts and budget; only a fork can change them. */
function forkOf(question: ResumeQuestion, changed: JsonObject): Fork {
  const { seen, choices, newRunId } = question;
  const { header } = seen.state.run;
  const models = changedModels(question);
  const modelSettings = changedModelSettings(question);
  const held: Readonly<Record<string, unknown>> = header?.limits ?? {};
  const limits = Object.fromEntries(
    Object.entries(choices.limits).filter(([name, value]) => held[name] !== value),
  );
  const isPrompted = Object.entries(choices.prompts).some(([name, text]) => header?.prompts[name] !== text);
  const changes = [
    ...Object.entries(models).map(([role, spec]) => `model ${role} → ${spec}`),
    ...Object.entries(modelSettings).map(([role, set]) => `settings of ${role} → ${JSON.stringify(set)}`),
    ...Object.entries(limits).map(([name, value]) => `${name} → ${value}`),
    ...(isPrompted ? ['prompts'] : []),
  ];
  return {
    isNeeded: changes.length > 0,
    changes,
    spec: {
      id: newRunId,
      at: searchOverAt(seen.events),
      models,
      baseUrls: choices.baseUrls,
      modelSettings,
      limits,
      prompts: choices.prompts,
      // The run finds it when it first reads its mailbox.
      hint: Object.keys(changed).length > 0 ? settingsMail(changed) : undefined,
    },
  };
}

/** Until the configuration of models changes, the options of an earlier life hold. */
function isReconfigured({ seen, plan }: ResumeQuestion, ...keys: readonly string[]): boolean {
  return keys.some((key) => !isSame(seen.place.manifest.configured[key], plan.configured[key]));
}

function changedModels(question: ResumeQuestion): Record<string, string> {
  const { seen, plan, choices } = question;
  const meant = isReconfigured(question, 'llm.model', 'llm.provider') ? plan.spec.models : choices.models;
  const held = seen.state.run.header?.models ?? {};
  return Object.fromEntries(Object.entries(meant).filter(([role, spec]) => held[role]?.spec !== spec));
}

function changedModelSettings(question: ResumeQuestion): NonNullable<ForkSpec['modelSettings']> {
  const { seen, plan, choices } = question;
  const isNew = isReconfigured(question, 'llm.temperature', 'llm.max_tokens');
  const meant = (isNew ? plan.spec.modelSettings : choices.modelSettings) ?? {};
  return Object.fromEntries(
    Object.entries(meant).filter(([role, set]) => {
      const held: Readonly<Record<string, unknown>> = seen.state.run.header?.models[role]?.settings ?? {};
      return Object.entries(set).some(([name, value]) => !isSame(held[name], value));
    }),
  );
}

/** The event `search-over` of this run, if it has one: behind it comes only the final choice. */
function searchOverAt(events: readonly Event[]): number | undefined {
  const own = events.slice(events.findLastIndex(({ kind }) => kind === 'run-fork') + 1);
  return own.findLast((event) => event.kind === 'note' && event.body.kind === 'search-over')?.seq;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson((a ?? null) as Json) === canonicalJson((b ?? null) as Json);
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
