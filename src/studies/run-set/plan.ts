/** The plan of a run-set as plain data, which the store keeps: a resume needs no file. Pure. */
import type { Limits } from '../../core/agent.ts';
import type { RunEnd } from '../../core/event.ts';
import { canonicalJson, changeStrings, type JsonObject, toJson } from '../../core/json.ts';
import type { SetRow } from '../../core/store.ts';
import type { SettingsByRole } from '../../run/model-settings.ts';
import type { RunSpec } from '../../run/start.ts';

export type RowPlan = {
  readonly name: string;
  readonly family: string;
  readonly problem: JsonObject;
  readonly agent: string;
  readonly settings: JsonObject;
  /** By role; `default` serves the roles that are not named. */
  readonly models: Readonly<Record<string, string>>;
  /** Where they are, by role, in the place of what the environment says. */
  readonly baseUrls?: Readonly<Record<string, string>>;
  readonly modelSettings: SettingsByRole;
  readonly limits: Limits;
  readonly seed?: string;
  /** In the place of the agent's own; those of the set go before. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** The folder that they are from: what tells rows of different prompts apart. */
  readonly promptsFolder?: string;
  readonly context?: RunSpec['context'];
};

export type Budget = { readonly costUsd?: number; readonly tokens?: number };

/** What cancels the other rows: one that is solved, or answered where nothing is graded; having ended is not enough. */
export const stopRules = ['solved', 'answered', 'never'] as const;
export type StopRule = (typeof stopRules)[number];

export type SetPlan = {
  readonly name: string;
  readonly concurrency: number;
  readonly budget: Budget;
  readonly stopWhen: StopRule;
  /** Which rows the one that succeeds cancels: those of its problem, or all of them, as where it is left out. */
  readonly stopWithin?: 'problem' | 'set';
  /** In the place of the agents' own; a row whose agent has no prompt of such a name is refused. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly rows: readonly RowPlan[];
  /** Absolute paths of the user's files that bring agents and families of the rows; missing: they have names enough. */
  readonly code?: readonly string[];
};

export type RunSet = { readonly id: string; readonly createdAtMs: number; readonly plan: SetPlan };

/** Whether a row that ended so is what the set is after. */
export function isSuccess(
  { stopWhen }: Pick<SetPlan, 'stopWhen'>,
  { outcome }: Pick<RunEnd, 'outcome'>,
): boolean {
  if (stopWhen === 'never') return false;
  return outcome === 'solved' || outcome === stopWhen;
}

/** Rows of one group are after the same: one that succeeds cancels the others. */
export function groupOf({ plan }: Pick<RunSet, 'plan'>, index: number): string {
  if (plan.stopWithin !== 'problem') return '';
  const row = plan.rows[index];
  return row ? canonicalJson([row.family, row.problem]) : '';
}

export function planJson(plan: SetPlan): JsonObject {
  return toJson(plan) as JsonObject;
}

export function setOf({ id, createdAtMs, plan }: SetRow): RunSet {
  return { id, createdAtMs, plan: plan as unknown as SetPlan };
}

/** Role by role and setting by setting: the new ones go before the old ones. */
export function mergedSettings(before: SettingsByRole, now: SettingsByRole): SettingsByRole {
  const roles = Object.keys({ ...before, ...now });
  return Object.fromEntries(roles.map((role) => [role, { ...before[role], ...now[role] }]));
}

/** The same in every process: whether a row has been begun, the store says. */
export function runIdOf({ id }: Pick<RunSet, 'id'>, index: number): string {
  return `${id}-${index + 1}`;
}

/** `{{run}}` in a problem is its run's id: an account of its own for each run, where a family has accounts. */
export function specOf(set: RunSet, index: number): RunSpec {
  const row = set.plan.rows[index];
  if (!row) throw new Error(`The run-set ${set.id} has no row ${index + 1}.`);
  const { name: _name, promptsFolder: _folder, problem, prompts, ...spec } = row;
  const id = runIdOf(set, index);
  return {
    id,
    ...spec,
    problem: changeStrings(problem, (text) => text.replaceAll('{{run}}', id)),
    prompts: { ...prompts, ...set.plan.prompts },
    code: set.plan.code?.map((file) => ({ file })),
  };
}
