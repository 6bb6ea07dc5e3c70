/**
 * How a session goes on: what of its options and configuration is another now than when it lived last, and whether that
 * takes its run further or makes a fork of it. Pure but for what it throws.
 */
import { UserError } from '../../../core/errors.ts';
import type { Event, Header } from '../../../core/event.ts';
import { isReopenable } from '../../../core/history.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../core/json.ts';
import type { ForkSpec } from '../../../run/fork.ts';
import type { SessionJob } from './live.ts';
import { settingsMail } from './live.ts';
import type { SeenSession } from './look.ts';
import { crossing, type SessionPlan, type SolveChoices } from './plan.ts';
import { agentKeys } from './snapshot.ts';

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
  /** All settings that hold from now on. */
  readonly settings: JsonObject;
  /** For people: `maxGenerations 30 → 60`. */
  readonly changes: readonly string[];
};

/** Throws `UserError` where it runs already, has nothing to go on with, or is to be what it cannot become. */
export function resumption(question: ResumeQuestion): Resumption {
  const { seen, plan, choices } = question;
  const { manifest } = seen.place;
  refuse(seen, choices);
  const changed = changedAgentSettings(question);
  const settings = { ...manifest.settings, ...changed };
  const fork = forkOf(question, changed);
  const changes = [
    ...Object.entries(changed).map(
      ([name, value]) =>
        `${name} ${JSON.stringify(manifest.settings[name] ?? null)} → ${JSON.stringify(value)}`,
    ),
    ...fork.changes,
  ];
  const row = seen.row;
  if (!row)
    return { job: { how: 'start', spec: { id: question.newRunId, ...plan.spec } }, settings, changes };
  const { end } = seen.state.run;
  const isOver = end !== null && !isReopenable(end);
  if (isOver && changes.length === 0) throw overError(seen);
  // One that was stopped while it made its last choice would not look for settings any more.
  const isLate = fork.spec.at !== undefined && changes.length > 0;
  if (!isOver && !isLate && !fork.isNeeded)
    return { job: { how: 'resume', run: row.id, settings: changed }, settings, changes };
  return { job: { how: 'fork', parent: row.id, spec: fork.spec }, settings, changes };
}

function refuse(
  { status, row, place }: SeenSession,
  { cases, islands, from, problemFile, images }: SolveChoices,
): void {
  const { name } = place.manifest;
  if (status === 'running') {
    throw new UserError({
      code: 'session-runs-already-in-process',
      what: `The session ${name} runs already, in process ${row?.owner?.pid}.`,
      fix: `Watch it with \`polya ahc status ${name} --watch\`, or stop it first: \`polya ahc stop ${name}\`.`,
    });
  }
  const fixed = {
    ...{ '--cases': cases, '--islands': islands, '--from': from },
    ...{ '--problem-file': problemFile, '--no-images': images },
  };
  const [option] = Object.entries(fixed).find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return;
  throw new UserError({
    code: 'cannot-change-in-session-goes',
    what: `${option} cannot change in a session that goes on.`,
    why: 'What it searches on is kept from its beginning, or its scores would mean something else.',
    fix: 'Leave it out, or begin a new session.',
  });
}

/** Named by an option now, or changed in a file or the environment since it lived last. */
function changedAgentSettings({ seen, plan, choices, named }: ResumeQuestion): JsonObject {
  const { settings, configured } = seen.place.manifest;
  const ofKeys = Object.entries(agentKeys).flatMap(([name, key]) => {
    const isMeant = named.includes(key) || !isSame(configured[key], plan.configured[key]);
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

/** What a run keeps for its life, its user's models, prompts and budget, is changed by a fork. */
function forkOf({ seen, plan, choices, newRunId }: ResumeQuestion, changed: JsonObject): Fork {
  const { header } = seen.state.run;
  const models = changedModels(header, { seen, plan, choices });
  const modelSettings = changedModelSettings(header, { seen, plan, choices });
  const limits = Object.fromEntries(
    Object.entries(choices.limits).filter(([name, value]) => limitIn(header, name) !== value),
  );
  const isPrompted = Object.entries(choices.prompts).some(([name, text]) => header?.prompts[name] !== text);
  const at = lookBefore(seen.events);
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
      ...(at === null ? {} : { at }),
      models,
      baseUrls: choices.baseUrls,
      modelSettings,
      limits,
      prompts: choices.prompts,
      // Found at the first look into the mailbox.
      ...(Object.keys(changed).length > 0 ? { hint: settingsMail(changed) } : {}),
    },
  };
}

type Now = Pick<ResumeQuestion, 'seen' | 'plan' | 'choices'>;

/** The configuration counts only where it was changed: an option of before goes on before it. */
function changedModels(header: Header | null, { seen, plan, choices }: Now): Record<string, string> {
  const { configured } = seen.place.manifest;
  const isReconfigured = ['llm.model', 'llm.provider'].some(
    (key) => !isSame(configured[key], plan.configured[key]),
  );
  const meant = isReconfigured ? plan.spec.models : choices.models;
  return Object.fromEntries(
    Object.entries(meant).filter(([role, spec]) => (header?.models[role] ?? null)?.spec !== spec),
  );
}

function changedModelSettings(
  header: Header | null,
  { seen, plan, choices }: Now,
): NonNullable<ForkSpec['modelSettings']> {
  const { configured } = seen.place.manifest;
  const keys = Object.keys(plan.configured).filter((key) => /^llm\.(temperature|max_tokens)$/.test(key));
  const isReconfigured = keys.some((key) => !isSame(configured[key], plan.configured[key]));
  const meant = (isReconfigured ? plan.spec.modelSettings : choices.modelSettings) ?? {};
  return Object.fromEntries(
    Object.entries(meant).filter(([role, set]) => {
      const held = header?.models[role]?.settings ?? {};
      return Object.entries(set).some(
        ([name, value]) => !isSame(Object.entries(held).find(([each]) => each === name)?.[1], value),
      );
    }),
  );
}

function limitIn(header: Header | null, name: string): number | undefined {
  return Object.entries(header?.limits ?? {}).find(([each]) => each === name)?.[1];
}

/** The note that nothing is searched for any more, where this run has one: what comes after it is the end of a search. */
function lookBefore(events: readonly Event[]): number | null {
  const own = events.slice(events.findLastIndex(({ kind }) => kind === 'run-fork') + 1);
  return own.findLast((event) => event.kind === 'note' && event.body.kind === 'search-over')?.seq ?? null;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson((a ?? null) as Json) === canonicalJson((b ?? null) as Json);
}

function overError({ place, state }: SeenSession): UserError {
  const { name } = place.manifest;
  return new UserError({
    code: 'over-error',
    what: `The session ${name} has come to its end${state.over ? `: ${state.over.replace(/\.$/, '')}` : ''}.`,
    why: 'Nothing that it could go on with is different now.',
    fix: `Give it more room: \`polya ahc solve --session-id ${name} --max-generations ${state.generation + 30}\`, a larger --time-limit or --budget.`,
  });
}
