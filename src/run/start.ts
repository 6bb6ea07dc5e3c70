/** Begins a new run: everything that can be wrong is found before its journal exists and before any paid call. */
import { z } from 'zod';
import type { Agent, Limits } from '../core/agent.ts';
import { assertReturned } from '../core/border.ts';
import { capabilitiesOf, missingCapabilitiesError } from '../core/define.ts';
import { ExplainedError, errorOf, UserError } from '../core/errors.ts';
import { type Event, type Header, journalVersion } from '../core/event.ts';
import { History } from '../core/history.ts';
import { JournalEncoder } from '../core/journal-encoder.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, toJson } from '../core/json.ts';
import type { Model } from '../core/model.ts';
import type { Problem } from '../core/problem.ts';
import { findPlaceholders } from '../core/prompts.ts';
import { removedSetting } from '../core/removed.ts';
import type { SandboxInfo } from '../core/sandbox.ts';
import type { EventRow, Ownership } from '../core/store.ts';
import { refuseUnknownPrices } from './changed-limits.ts';
import { hashText } from './hash.ts';
import { type BaseUrls, live, type RunHandle, resolveModels } from './live.ts';
import { loadProblem } from './load-problem.ts';
import {
  assertDemandsMet,
  assertImagesSupported,
  assertProblemAccepted,
  assertSettingsAccepted,
  assertToolSupport,
  ignoredBy,
  type SettingsByRole,
  settingsOfRole,
  specsOfAllRoles,
} from './model-settings.ts';
import { summaryOf } from './summary.ts';
import { type CodeFiles, codeHeader, type Observer, type Runtime } from './world.ts';

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
  readonly context?: Header['context'];
};

/** A run that could begin: all that `--dry-run` shows. */
export type PreparedRun = { readonly header: Header; readonly models: ReadonlyMap<string, Model> };

export async function prepareRun(runtime: Runtime, spec: RunSpec): Promise<PreparedRun> {
  const { code, limits = {} } = spec;
  const agent = await runtime.agent(spec.agent, code);
  const family = await runtime.family(spec.family, code);
  const settings = parseSettings(agent, spec.settings ?? {});
  const specs = specsOfAllRoles(spec.models, spec.modelSettings ?? {}, spec.baseUrls ?? {});
  assertKnownRoles(agent, specs);
  const prompts = promptsOf(agent, spec.prompts);
  const baseUrls = byRole(specs, (role) => spec.baseUrls?.[role] ?? spec.baseUrls?.default);
  const models = await resolveModels(runtime, specs, { baseUrls, code });
  const headers = modelHeaders(specs, models, { settings: spec.modelSettings, baseUrls });
  await assertModelsFit(runtime, agent, { models: headers, limits, settings }, models);
  // Last of all: loading a problem may ask its site, which leaves traces there.
  const problemSpec = await loadProblem(runtime, family, spec.problem);
  assertImagesSupported(problemSpec, models);
  assertProblemAccepted(problemSpec, models);
  const problem = family.open(problemSpec);
  if (!agent.needs.every((need) => capabilitiesOf(problem).has(need)))
    throw missingCapabilitiesError(agent, problem);
  const header: Header = {
    version: journalVersion,
    runId: spec.id,
    problem: problemSpec,
    agent: resolveAgentSettings(agent, settings, { problem, limits }),
    models: headers,
    limits,
    prompts,
    promptsHash: promptsHash(prompts),
    retry: runtime.retry,
    sandbox: await sandboxInfo(runtime),
    codeVersion: runtime.codeVersion,
    code: codeHeader(runtime, { agent, family, models }),
    seed: spec.seed ?? spec.id,
    context: spec.context,
  };
  return { header, models };
}

/** Reports faults of models and settings before the problem is loaded. */
export async function assertModelsFit(
  world: Runtime,
  agent: Agent,
  plan: Pick<Header, 'models' | 'limits'> & { readonly settings: JsonObject },
  models: ReadonlyMap<string, Model>,
): Promise<void> {
  refuseUnknownPrices(plan);
  const demands = agent.demands?.(plan.settings) ?? {};
  assertReturned('demands', demands, `The agent ${agent.name}`);
  assertToolSupport(agent, demands, models);
  await assertDemandsMet(world, demands, models);
  assertSettingsAccepted(plan.models, models);
}

export async function startRun(runtime: Runtime, spec: RunSpec, observer: Observer = {}): Promise<RunHandle> {
  return beginRun(runtime, await prepareRun(runtime, spec), observer);
}

/** Writes the journal's first event and lets the run live. */
export async function beginRun(
  world: Runtime,
  { header, models }: PreparedRun,
  observer: Observer = {},
): Promise<RunHandle> {
  const { line, ownership } = await createJournal(world, header, null);
  observer.onEvent?.(line.event);
  const history = new History([line]);
  return live({ world, header, history, ownership, models, observer, preface: null });
}

/** A new journal with its header; that of a fork goes on behind its parent's event. */
export async function createJournal(
  runtime: Runtime,
  given: Header,
  parent: { readonly run: string; readonly seq: number } | null,
): Promise<{ readonly line: { row: EventRow; event: Event }; readonly ownership: Ownership }> {
  const encoder = new JournalEncoder(hashText, runtime.redact);
  const header = encoder.redacted(given);
  const atMs = runtime.io.clock.now();
  const place = { seq: (parent?.seq ?? 0) + 1, atMs, branch: '', ordinal: null, attempt: 0 };
  const event = { ...place, kind: parent ? 'run-fork' : 'run-start', body: header } as const;
  const { row, blobs } = encoder.encode(event);
  const ownership = await runtime.store.create(
    { id: header.runId, createdAtMs: atMs, parent, summary: summaryOf(header, null), owner: runtime.owner },
    { events: [row], blobs, durable: false },
  );
  return { line: { row, event }, ownership };
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
  for (const [name, text] of Object.entries(changes)) assertKnownPlaceholders(agent, name, text);
  return { ...agent.prompts, ...changes };
}

/** Nothing would fill them, which would show only when the prompt is used. */
function assertKnownPlaceholders(agent: Agent, name: string, text: string): void {
  const known = findPlaceholders(agent.prompts[name] ?? '');
  const unknown = [...findPlaceholders(text)].find((place) => !known.has(place));
  if (unknown === undefined) return;
  const places = [...known].map((place) => `{{${place}}}`).join(', ');
  throw new UserError({
    code: 'prompt-place-unknown',
    what: `The prompt ${name} of the agent ${agent.name} has no place {{${unknown}}}.`,
    fix: places ? `Its places are: ${places}.` : 'It has no places: write the words themselves.',
  });
}

/** Something for every role that has a model. */
export function byRole<T>(
  specs: Readonly<Record<string, string>>,
  pick: (role: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.keys(specs).map((role) => [role, pick(role)]));
}

export function modelHeaders(
  specs: Readonly<Record<string, string>>,
  models: ReadonlyMap<string, Model>,
  user: { settings?: SettingsByRole | undefined; baseUrls: BaseUrls },
): Header['models'] {
  const headers = [...models].map(([role, model]) => {
    const { id, kind, price, quirks } = model;
    const settings = settingsOfRole(user.settings ?? {}, role);
    const ignores = ignoredBy(model, settings);
    const baseUrl = user.baseUrls[role];
    return [role, { spec: specs[role] ?? id, baseUrl, kind, price, settings, ignores, quirks }];
  });
  return Object.fromEntries(headers);
}

/** As the journal will hold them. Throws `UserError` for what the agent does not know or take. */
export function parseSettings(agent: Agent, settings: JsonObject): JsonObject {
  try {
    return settingsRead(agent, settings);
  } catch (thrown) {
    const error = errorOf(thrown);
    if (error instanceof ExplainedError) throw error;
    const why = `It throws, or what it gives cannot be written down: ${error.message}`;
    throw unstableSettingsError(
      agent,
      why,
      'Use a schema that is not asynchronous, throws nothing, and gives JSON.',
    );
  }
}

function settingsRead(agent: Agent, settings: JsonObject): JsonObject {
  const parsed = agent.settings.safeParse(settings);
  const read = parsed.success ? toJson(parsed.data) : null;
  const shape = agent.settings instanceof z.ZodObject ? agent.settings.shape : read;
  const known = Object.keys(shape ?? {});
  if (!parsed.success) {
    const rejected = unknownIn(parsed.error);
    const missing = rejected.find((path) => removedSetting(agent.name, path) !== null);
    const unknown = missing ?? rejected.find((path) => !path.includes('.'));
    if (unknown !== undefined && known.length > 0) throw noSetting(agent, unknown, known);
    throw invalidSettingsError(agent, parsed.error);
  }
  // Most schemas drop what they do not know, and a run with a misspelled setting would be paid for without it.
  const unknown = Object.keys(settings).find((key) => !Object.hasOwn(Object(parsed.data), key));
  if (unknown !== undefined) throw noSetting(agent, unknown, known);
  assertStableSettings(agent, settings, read);
  const lostRun = Object.entries(Object(parsed.data)).find(([, value]) => typeof value === 'function');
  if (lostRun)
    throw unstableSettingsError(agent, `A journal keeps settings as JSON, and ${lostRun[0]} is a function.`);
  return isJsonObject(read) ? read : {};
}

/** A schema reads again what it gave when a run is resumed or replayed: it must come to the same. */
function assertStableSettings(agent: Agent, jsonObject: JsonObject, read: Json): void {
  for (const settings of [read, jsonObject]) {
    const repeated = agent.settings.safeParse(settings);
    if (!repeated.success || canonicalJson(toJson(repeated.data)) !== canonicalJson(read))
      throw unstableSettingsError(agent);
  }
}

function unstableSettingsError(
  { name }: Agent,
  why = 'A journal keeps settings as JSON, and each later life of the run reads them with the schema again.',
  fix = 'Use a schema whose result it accepts unchanged: no transformation that a second reading would repeat.',
): UserError {
  const what = `The schema of the settings of ${name} does not read back what it gives.`;
  return new UserError({ code: 'settings-not-stable', what, why, fix });
}

/** Before anything is done with a journal: its settings must mean something to the agent as it is now. */
export function assertValidSettings(agent: Agent, { agent: { settings } }: Pick<Header, 'agent'>): void {
  const { error } = agent.settings.safeParse(settings);
  if (!error) return;
  const missing = unknownIn(error).filter((path) => removedSetting(agent.name, path) !== null);
  if (missing.length === 0) throw invalidSettingsError(agent, error);
  throw new UserError({
    code: 'settings-invalid',
    what: `This run was begun by an earlier version of ${agent.name}, with settings that have gone: ${missing.join(', ')}.`,
    why: 'It would go on as another search than the one that its journal holds.',
    fix: 'Show and export it as before (`runs show`, `runs export`), and begin a new run with its best program.',
  });
}

/** What a schema does not know, by paths: `operators.simplify`. */
function unknownIn(error: z.ZodError): readonly string[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
}

function invalidSettingsError({ name }: Agent, error: z.ZodError): UserError {
  return new UserError({
    code: 'settings-invalid',
    what: `The settings of ${name} do not fit: ${z.prettifyError(error)}`,
    fix: 'Correct what is named; a setting that is left out has its usual value.',
  });
}

function noSetting({ name }: Agent, unknown: string, known: readonly string[]): UserError {
  const instead = removedSetting(name, unknown);
  return new UserError({
    code: 'no-such-setting',
    what: `The agent ${name} has no setting ${unknown}${instead === null ? '' : ' any more'}.`,
    fix: instead ?? (known.length ? `Its settings are: ${known.join(', ')}.` : 'It has none.'),
  });
}

/** The agent with its decisions on the settings that were left open. */
export function resolveAgentSettings(
  agent: Agent,
  settings: JsonObject,
  subject: { readonly problem: Problem; readonly limits: Limits },
): Header['agent'] {
  const { name } = agent;
  const decision = agent.decide?.(settings, subject);
  if (!decision) return { name, settings };
  assertReturned('decide', decision, `The agent ${name}`);
  assertValidSettings(agent, { agent: { name, settings: decision.settings } });
  return { name, settings: decision.settings, decided: decision.told || undefined };
}

export function assertKnownRoles(agent: Agent, models: Readonly<Record<string, string>>): void {
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

/** Null where there is none: many problems run no code, and one that does says so when it is loaded. */
export async function sandboxInfo(runtime: Runtime): Promise<SandboxInfo | null> {
  return runtime.io.sandbox.info().catch(() => null);
}
