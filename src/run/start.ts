/** Begins a new run: everything that can be wrong is found before its journal exists and before any paid call. */
import { z } from 'zod';
import { type Agent, type Limits, settingsInJournal } from '../core/agent.ts';
import { lacksCapabilities } from '../core/define.ts';
import { UserError } from '../core/errors.ts';
import { type Header, journalVersion } from '../core/event.ts';
import { History } from '../core/history.ts';
import { JournalEncoder } from '../core/journal-encoder.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, toJson } from '../core/json.ts';
import type { Model } from '../core/model.ts';
import { capabilitiesOf, type Problem, type ProblemSpec } from '../core/problem.ts';
import { placesIn } from '../core/prompts.ts';
import type { SandboxInfo } from '../core/sandbox.ts';
import { codeHeader } from './code.ts';
import { refuseUnmetDemands } from './demands.ts';
import { hashText } from './hash.ts';
import { live, type RunHandle, refuseUnknownPrices, resolveModels } from './live.ts';
import { loadProblem } from './load-problem.ts';
import {
  ignoredBy,
  refuseToollessModels,
  refuseUnseenImages,
  refuseUntakenSettings,
  type SettingsByRole,
  settingsOfRole,
  specsOfAllRoles,
} from './model-settings.ts';
import { summaryOf } from './summary.ts';
import type { CodeFiles, Observer, World } from './world.ts';

export type RunSpec = {
  readonly id: string;
  readonly family: string;
  readonly problem: JsonObject;
  readonly agent: string;
  readonly settings?: JsonObject;
  /** What the user wrote, by role; `default` serves the roles that are not named. */
  readonly models: Readonly<Record<string, string>>;
  /** Where they are, by role like the models, in the place of what the environment says. */
  readonly baseUrls?: Readonly<Record<string, string>>;
  /** The user's own, by role; `default` holds for all roles. Settings that a model does not take are refused. */
  readonly modelSettings?: SettingsByRole;
  readonly limits?: Limits;
  /** Prompts that take the place of the agent's own, by name. */
  readonly prompts?: Readonly<Record<string, string>>;
  readonly seed?: string;
  /** Files of the user's that may hold agent, family and models, beside those that the world knows. */
  readonly code?: CodeFiles;
};

/** A run that could begin: all that `--dry-run` shows. */
export type PreparedRun = { readonly header: Header; readonly models: ReadonlyMap<string, Model> };

export async function prepareRun(world: World, spec: RunSpec): Promise<PreparedRun> {
  const { code } = spec;
  const agent = await world.agent(spec.agent, code);
  const family = await world.family(spec.family, code);
  const settings = parseSettings(agent, spec.settings ?? {});
  const specs = specsOfAllRoles(spec.models, spec.modelSettings ?? {}, spec.baseUrls ?? {});
  refuseUnknownRoles(agent, specs);
  const baseUrls = baseUrlsByRole(specs, spec.baseUrls);
  const models = await resolveModels(world, specs, { baseUrls, ...(code ? { code } : {}) });
  const plan = {
    models: modelHeaders(specs, models, { userSettings: spec.modelSettings, baseUrls }),
    limits: spec.limits ?? {},
    prompts: promptsOf(agent, spec.prompts),
  };
  refuseUnknownPrices(plan);
  refuseToollessModels(agent, models);
  await refuseUnmetDemands(world, agent.demands?.(settings) ?? {}, models);
  refuseUntakenSettings(plan.models, models);
  // Last of all: posing a problem asks its site, which leaves traces there.
  const problemSpec = await loadProblem(world, family, spec.problem);
  refuseUnseenImages(problemSpec, models);
  const problem = family.open(problemSpec);
  if (!agent.needs.every((need) => capabilitiesOf(problem).has(need)))
    throw lacksCapabilities(agent.name, problem, agent.needs);
  const header = makeHeader({
    world,
    spec,
    plan,
    agent: decidedAgent(agent, settings, { problem, limits: plan.limits }),
    problemSpec,
    sandbox: await sandboxInfo(world),
    code: codeHeader(world, { agent, family, models }),
  });
  return { header, models };
}

export async function startRun(world: World, spec: RunSpec, observer: Observer = {}): Promise<RunHandle> {
  return beginRun(world, await prepareRun(world, spec), observer);
}

/** Writes the journal's first event and lets the run live. */
export async function beginRun(
  world: World,
  { header, models }: PreparedRun,
  observer: Observer = {},
): Promise<RunHandle> {
  const { runId } = header;
  const nowMs = world.io.clock.now();
  const first = {
    seq: 1,
    atMs: nowMs,
    branch: '',
    ordinal: null,
    attempt: 0,
    kind: 'run-start',
    body: header,
  } as const;
  const { row, blobs } = new JournalEncoder(hashText).encode(first);
  const ownership = await world.store.create(
    { id: runId, createdAtMs: nowMs, parent: null, summary: summaryOf(header, null), owner: world.owner },
    { events: [row], blobs, durable: false },
  );
  observer.onEvent?.(first);
  const history = new History([{ row, event: first }]);
  return live({ world, header, history, ownership, models, observer, preface: null });
}

export function promptsHash(prompts: Header['prompts']): string {
  return hashText(canonicalJson(prompts));
}

/** The agent's own prompts, some of them replaced by the user's. */
export function promptsOf(agent: Agent, changes: Readonly<Record<string, string>> = {}): Header['prompts'] {
  const unknown = Object.keys(changes).find((name) => !Object.hasOwn(agent.prompts, name));
  if (unknown) {
    throw new UserError({
      code: 'no-such-prompt',
      what: `The agent ${agent.name} has no prompt named ${unknown}.`,
      fix: `Its prompts are: ${Object.keys(agent.prompts).join(', ')}.`,
    });
  }
  for (const [name, text] of Object.entries(changes)) refuseUnknownPlaces(agent, name, text);
  return { ...agent.prompts, ...changes };
}

/** Nothing would fill them, and nobody would know before the prompt is used. */
function refuseUnknownPlaces(agent: Agent, name: string, text: string): void {
  const known = placesIn(agent.prompts[name] ?? '');
  const unknown = [...placesIn(text)].find((place) => !known.has(place));
  if (unknown === undefined) return;
  const places = [...known].map((place) => `{{${place}}}`).join(', ');
  throw new UserError({
    code: 'prompt-place-unknown',
    what: `The prompt ${name} of the agent ${agent.name} has no place {{${unknown}}}.`,
    fix: places ? `Its places are: ${places}.` : 'It has no places: write the words themselves.',
  });
}

function makeHeader(parts: {
  world: World;
  spec: RunSpec;
  plan: Pick<Header, 'models' | 'limits' | 'prompts'>;
  agent: Header['agent'];
  problemSpec: ProblemSpec;
  sandbox: SandboxInfo | null;
  code: Pick<Header, 'code'>;
}): Header {
  const { world, spec, plan, agent, problemSpec, sandbox, code } = parts;
  return {
    version: journalVersion,
    runId: spec.id,
    problem: problemSpec,
    agent,
    ...plan,
    promptsHash: promptsHash(plan.prompts),
    retry: world.retry,
    sandbox,
    codeVersion: world.codeVersion,
    ...code,
    seed: spec.seed ?? spec.id,
  };
}

export function modelHeaders(
  specs: Readonly<Record<string, string>>,
  models: ReadonlyMap<string, Model>,
  {
    userSettings = {},
    baseUrls = {},
  }: { userSettings?: SettingsByRole | undefined; baseUrls?: Readonly<Record<string, string>> },
): Header['models'] {
  const headers: Record<string, Header['models'][string]> = {};
  for (const [role, model] of models) {
    const settings = settingsOfRole(userSettings, role);
    const baseUrl = baseUrls[role];
    const { kind, price } = model;
    const ignores = ignoredBy(model, settings);
    headers[role] = {
      spec: specs[role] ?? model.id,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      kind,
      price,
      ...(settings ? { settings } : {}),
      ...(ignores ? { ignores } : {}),
    };
  }
  return headers;
}

/** Every role that has a model gets its own, or that of all roles. */
export function baseUrlsByRole(
  specs: Readonly<Record<string, string>>,
  named: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const found = Object.keys(specs).map((role) => [role, named[role] ?? named.default]);
  return Object.fromEntries(found.filter(([, baseUrl]) => baseUrl !== undefined));
}

/** As the journal will hold them. Throws `UserError` for what the agent does not know or take. */
export function parseSettings(agent: Agent, settings: JsonObject): JsonObject {
  const parsed = agent.settings.safeParse(settings);
  const read = parsed.success ? toJson(parsed.data) : null;
  const shape = agent.settings instanceof z.ZodObject ? agent.settings.shape : read;
  const known = Object.keys(shape ?? {});
  if (!parsed.success) {
    const [refused] = parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
    );
    if (refused !== undefined && known.length > 0) throw noSetting(agent, refused, known);
    throw unfitSettings(agent, parsed.error);
  }
  // Most schemas drop what they do not know, and a run with a misspelled setting would be paid for without it.
  const unknown = Object.keys(settings).find((key) => !Object.hasOwn(Object(parsed.data), key));
  if (unknown !== undefined) throw noSetting(agent, unknown, known);
  refuseUnstable(agent, read);
  return isJsonObject(read) ? read : {};
}

/** A schema reads again what it gave when a run is resumed or replayed: it must come to the same. */
function refuseUnstable(agent: Agent, read: Json): void {
  const again = agent.settings.safeParse(read);
  if (again.success && canonicalJson(toJson(again.data)) === canonicalJson(read)) return;
  throw new UserError({
    code: 'settings-not-stable',
    what: `The schema of the settings of ${agent.name} does not read back what it gives.`,
    why: 'A journal keeps settings as JSON, and each later life of the run reads them with the schema again.',
    fix: 'Use a schema whose result it accepts unchanged: no transformation that a second reading would repeat.',
  });
}

/** Before anything is done with a journal: its settings must mean something to the agent as it is now. */
export function refuseUnfitSettings(agent: Agent, { agent: { settings } }: Header): void {
  const { error } = agent.settings.safeParse(settingsInJournal(agent, settings));
  if (error) throw unfitSettings(agent, error);
}

function unfitSettings({ name }: Agent, error: z.ZodError): UserError {
  return new UserError({
    code: 'settings-invalid',
    what: `The settings of ${name} do not fit: ${z.prettifyError(error)}`,
    fix: 'Correct what is named; a setting that is left out has its usual value.',
  });
}

function noSetting({ name }: Agent, unknown: string, known: readonly string[]): UserError {
  return new UserError({
    code: 'no-such-setting',
    what: `The agent ${name} has no setting ${unknown}.`,
    fix: known.length ? `Its settings are: ${known.join(', ')}.` : 'It has none.',
  });
}

/** With what it decides of settings that were left open. */
export function decidedAgent(
  agent: Agent,
  settings: JsonObject,
  about: { readonly problem: Problem; readonly limits: Limits },
): Header['agent'] {
  const { name } = agent;
  const decision = agent.decide?.(settings, about);
  if (!decision) return { name, settings };
  const { told } = decision;
  return { name, settings: decision.settings, ...(told === '' ? {} : { decided: told }) };
}

export function refuseUnknownRoles(agent: Agent, models: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(models).find((role) => role !== 'default' && !agent.roles.includes(role));
  if (unknown) {
    throw new UserError({
      code: 'no-such-role',
      what: `The agent ${agent.name} has no role ${unknown}.`,
      fix: `Its roles are: ${agent.roles.join(', ')}.`,
    });
  }
  const unserved = models.default ? [] : agent.roles.filter((role) => !models[role]);
  if (unserved.length === 0) return;
  throw new UserError({
    code: 'no-model-for-role',
    what: `No model is named for the ${unserved.length === 1 ? 'role' : 'roles'} ${unserved.join(', ')}.`,
    fix: `Name one for all roles with \`--model MODEL\`, or for each: \`--model ${unserved[0]}=MODEL\`.`,
  });
}

/** A problem that runs no code can do without; one that does says so when it is posed. */
export async function sandboxInfo(world: World): Promise<SandboxInfo | null> {
  try {
    return await world.io.sandbox.info();
  } catch {
    return null;
  }
}
