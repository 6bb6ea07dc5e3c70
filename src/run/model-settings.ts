/** The user's model settings: checked before a run begins, and put before the agent's in every request. */
import type { Agent, Demands } from '../core/agent.ts';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { Header, ModelHeader } from '../core/event.ts';
import type { Model, ModelRequest, ModelSettings } from '../core/model.ts';
import type { ProblemSpec } from '../core/problem.ts';
import type { LanguageId } from '../core/sandbox.ts';
import type { Runtime } from './world.ts';

/** Settings by role; those under `default` hold for every role that does not override them. */
export type SettingsByRole = Readonly<Record<string, ModelSettings>>;

/** Every role that has settings or an address of its own gets an entry, beside the roles with models of their own. */
export function specsOfAllRoles(
  specs: Readonly<Record<string, string>>,
  ...byRole: readonly Readonly<Record<string, unknown>>[]
): Record<string, string> {
  const added = byRole
    .flatMap((each) => Object.keys(each))
    .filter((role) => specs[role] === undefined && specs.default !== undefined)
    .map((role) => [role, specs.default ?? ''] as const);
  return { ...specs, ...Object.fromEntries(added) };
}

export function settingsOfRole(settings: SettingsByRole, role: string): ModelSettings | undefined {
  const own = { ...settings.default, ...settings[role] };
  return Object.keys(own).length > 0 ? own : undefined;
}

/** What a user wrote is never changed in silence: what a model does not take is the user's mistake. */
export function assertSettingsAccepted(headers: Header['models'], models: ReadonlyMap<string, Model>): void {
  for (const [role, { spec, settings }] of Object.entries(headers)) {
    const notices = (settings && models.get(role)?.adapt?.(settings).notices) ?? [];
    if (notices.length === 0) continue;
    throw new UserError({
      code: 'model-settings-unsupported',
      what: `The model ${spec} does not take these settings${role === 'default' ? '' : ` (role ${role})`}.`,
      why: notices.join(' '),
      fix: `Leave them out, or choose another model; \`polya models ${spec}\` tells what this one takes.`,
    });
  }
}

/** A picture in the statement reaches every role; a model that cannot see it would answer all the same, and be paid. */
/** Replies that were written ahead for one problem would be taken for an answer to another. */
export function assertProblemAccepted(problemSpec: ProblemSpec, models: ReadonlyMap<string, Model>): void {
  const claim = JSON.stringify(problemSpec);
  const script = [...models.values()].find(
    ({ onlyFor }) => onlyFor !== undefined && !claim.includes(onlyFor),
  );
  if (!script) return;
  throw new UserError({
    code: 'script-of-other-problem',
    what: `${script.id} was written ahead for another problem than ${problemSpec.title}.`,
    why: `Its replies are for one that holds the words "${script.onlyFor}".`,
    fix: 'Choose a model. With `--model manual` you answer yourself: no key is needed.',
  });
}

export function assertImagesSupported(problemSpec: ProblemSpec, models: ReadonlyMap<string, Model>): void {
  if (!problemSpec.statement.some(({ type }) => type === 'image')) return;
  const model = [...models.values()].find(({ takes }) => !takes.images);
  if (!model) return;
  throw new UserError({
    code: 'model-without-images',
    what: `${problemSpec.title} has images, and the model ${model.id} cannot see.`,
    fix: 'Choose a model that takes images.',
  });
}

/** An agent that calls tools is of no use to a model that has none. */
export function assertToolSupport(agent: Agent, demands: Demands, models: ReadonlyMap<string, Model>): void {
  if (!agent.needs.includes('tools') || demands.tools === false) return;
  const without = [...models.values()].find(({ takes }) => !takes.tools);
  if (!without) return;
  throw new UserError({
    code: 'model-without-tools',
    what: `The agent ${agent.name} calls tools, and the model ${without.id} takes none.`,
    fix: 'Choose another model, or an agent that needs no tools.',
  });
}

export function withUserSettings(request: ModelRequest, settings: ModelSettings | undefined): ModelRequest {
  return settings ? { ...request, settings: { ...request.settings, ...settings } } : request;
}

/** Found out before the run begins, since a replay has no model to ask. Undefined where it takes all of them. */
export function ignoredBy(model: Model, own: ModelSettings | undefined): ModelHeader['ignores'] {
  const probes = { temperature: 0.7, seed: 1 };
  const ignored = (['temperature', 'seed'] as const).filter(
    (name) => model.adapt && model.adapt({ ...own, [name]: probes[name] }).settings[name] === undefined,
  );
  return ignored.length > 0 ? ignored : undefined;
}

/** Computed from the header alone. */
export function effectiveSettings(
  model: ModelHeader | undefined,
  modelSettings: ModelSettings,
): ModelSettings {
  const ignored = new Set<string>(model?.ignores);
  const claimed = Object.entries({ ...modelSettings, ...model?.settings }).filter(
    ([name]) => !ignored.has(name),
  );
  return Object.fromEntries(claimed);
}

export async function assertDemandsMet(
  { io }: Runtime,
  { images, languages = [] }: Demands,
  models: ReadonlyMap<string, Model>,
): Promise<void> {
  const model = images ? [...models.values()].find(({ takes }) => !takes.images) : undefined;
  if (model) {
    throw new UserError({
      code: 'model-without-images',
      what: `Pictures are asked for, and the model ${model.id} cannot see.`,
      fix: 'Leave them out, or choose a model that takes images.',
    });
  }
  for (const language of languages) await assertLanguageInstalled(io, language);
}

/** The sandbox itself reports what is wrong with it as a whole. */
async function assertLanguageInstalled({ sandbox }: Runtime['io'], language: LanguageId): Promise<void> {
  const { toolchains } = await sandbox.info();
  if (toolchains.some((toolchain) => toolchain.language === language)) return;
  throw new UnavailableError({
    code: 'no-toolchain',
    what: `Programs in ${language} are asked for, and the sandbox has no toolchain for it.`,
    fix: 'Run `./polya setup`, or choose settings that run no programs.',
  });
}
