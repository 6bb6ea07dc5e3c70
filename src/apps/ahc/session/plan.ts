/**
 * What a session is to do, from the options and the configuration of `solve`: the agent's settings, models, limits and
 * problem of its run; and how one goes on. Whatever is wrong is thrown here, before anything is made or paid.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Limits } from '../../../core/agent.ts';
import { UserError } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import { canReopen } from '../../../core/history.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, jsonIn } from '../../../core/json.ts';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { differsFromTemplate } from '../../../families/ahc/workspace.ts';
import { plainText } from '../../../io/plain-file.ts';
import { readAnalysis } from '../../../notes/problem-analysis.ts';
import { libraryDirs } from '../../../open/families/ahc/library.ts';
import { openWorkspace, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import type { ForkSpec } from '../../../run/fork.ts';
import type { RunJob } from '../../../run/job.ts';
import type { RunSpec } from '../../../run/start.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { bundleFile } from '../workspace/program.ts';
import { inHeader, type SessionContext } from './context.ts';
import type { SeenSession } from './look.ts';
import type { Chosen } from './sessions.ts';
import {
  agentKeys,
  chosenModels,
  crossing,
  filesKept,
  type ModelChoices,
  modelEnvironment,
  settingsOf,
  snapshotGoingOn,
  snapshotOf,
  unusedKeyWarning,
} from './settings.ts';

export type SolveChoices = ModelChoices & {
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly prompts: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Other settings of the agent, by its own names. */
  readonly agentSettings: JsonObject;
  readonly cases?: string;
  readonly islands?: number;
  readonly from?: readonly string[];
  readonly problemFile?: string;
  /** Left out of the statement, for models that cannot see. */
  readonly images?: false;
};

/**
 * `settings` are without programs; `configured` is what files and environment say without options: the next life of the
 * session sees by it what has changed there.
 */
export type SessionPlan = Chosen & {
  readonly workspace: Workspace;
  readonly opening: JournalsOptions;
  readonly spec: Omit<RunSpec, 'id'>;
  readonly warnings: readonly string[];
};

export const agentOfSessions = 'evolution';

export function planSession(question: WorkspaceQuestion, choices: SolveChoices): SessionPlan {
  const workspace = openWorkspace(question);
  const { config, folder } = workspace;
  const { cases, images, agentSettings, limits, islands, from } = choices;
  const { models, modelSettings } = chosenModels(config, choices, folder.path);
  // Where the user names cases, the search uses all of them.
  const isSearchedOn = cases !== undefined && !('searchCases' in agentSettings);
  const settings: JsonObject = {
    ...settingsOf(config),
    ...agentSettings,
    ...(isSearchedOn ? { searchCases: null } : {}),
    ...(islands === undefined ? {} : { islands }),
  };
  const problemFile = problemFileOf(question.folder, choices);
  const programs = givenPrograms(question, config, choices);
  const takesPart = !('given' in { ...agentSettings, ...programs }) && hasOwnProgram(folder.path);
  // `auto` leaves the choice to POLYA_SANDBOX, and then to what works on this machine.
  const backend = String(config.get('sandbox.backend'));
  const unused = unusedKeyWarning(config, models);
  const names = from?.map((file) => basename(file));
  const options = { models, limits, ...agentSettings, cases, islands, from: names };
  return {
    workspace,
    opening: {
      folder: folder.path,
      env: modelEnvironment(config, question.env, models),
      create: true,
      backend: backend === 'auto' ? undefined : backend,
    },
    spec: {
      family: 'ahc',
      problem: {
        workspace: folder.path,
        // What was not chosen is absent: this is the problem's reference in the journal.
        ...(cases === undefined ? {} : { cases }),
        ...(problemFile === null ? {} : { problemFile }),
        ...(images === undefined ? {} : { images }),
      },
      agent: agentOfSessions,
      settings: { ...settings, ...programs, ...givenAnalysis(workspace) },
      models,
      baseUrls: choices.baseUrls,
      modelSettings,
      limits,
      prompts: choices.prompts,
    },
    settings,
    configured: configuredIn(openWorkspace({ ...question, flags: {} }).config),
    configuration: snapshotOf(config, settings, options),
    problemFile: problemFile ?? layout.statement,
    warnings: [
      ...config.warnings,
      ...(unused === null ? [] : [unused]),
      ...(takesPart ? [ownProgramText] : []),
    ],
  };
}

/** The API key is not remembered. */
function configuredIn(config: Resolved): JsonObject {
  const ofModels = configKeys
    .map(({ path }) => path)
    .filter((path) => path.startsWith('llm.') && path !== 'llm.api_key');
  const keys = [...Object.values(agentKeys), ...ofModels];
  return Object.fromEntries(keys.map((key) => [key, config.raw(key).value as Json]));
}

function givenPrograms(question: WorkspaceQuestion, config: Resolved, { from }: SolveChoices): JsonObject {
  if (!from || from.length === 0) return {};
  const { folder } = question;
  const library = () => libraryDirs(config, question);
  const sourceOf = (file: string) => bundleFile({ folder, file, library }).text;
  return { given: from.map((file) => ({ name: basename(file), source: sourceOf(file) })) };
}

const ownProgramText =
  'main.cpp takes part: first programs are shown it, and what is worse works on it. --from FILE names what the search begins with.';

/** Whether the workspace has a program of its user's, which then takes the place of the template. */
function hasOwnProgram(folder: string): boolean {
  const textOf = (file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
  return differsFromTemplate(textOf(layout.solution), textOf(layout.template));
}

/** An analysis that the user wrote or edited: no model is asked for one. */
function givenAnalysis({ folder }: Workspace): JsonObject {
  const file = join(folder.path, 'problem/analysis.json');
  let text: string;
  try {
    text = plainText(readFileSync(file));
  } catch {
    return {};
  }
  const analysis = jsonIn(text);
  const fix = 'Correct it, or remove it: then a model makes the analysis.';
  if (!isJsonObject(analysis))
    throw new UserError({ code: 'json-object-expected', what: `${file} is no JSON object.`, fix });
  const read = readAnalysis(analysis);
  if (read.ok) return { analysis };
  const what = `${file} is no analysis of a problem.`;
  throw new UserError({ code: 'analysis-invalid', what, why: read.problems, fix });
}

/** Null where the statement of the workspace is used. */
function problemFileOf(folder: string, { problemFile }: SolveChoices): string | null {
  if (problemFile === undefined) return null;
  const file = resolve(folder, problemFile);
  const fix = 'Name the file that holds the statement.';
  if (textOfNamed(file, problemFile, fix).trim() !== '') return file;
  throw new UserError({ code: 'file-empty', what: `${problemFile} is empty.`, fix });
}

/** The text of a file that the user named. `fix`: what to do where it cannot be read. */
export function textOfNamed(file: string, named: string, fix: string): string {
  try {
    return plainText(readFileSync(file));
  } catch (error) {
    const why = systemReason(error);
    throw new UserError({ code: 'file-unreadable', what: `${named} cannot be read.`, why, fix });
  }
}

type ResumeQuestion = {
  readonly seen: SeenSession;
  readonly plan: SessionPlan;
  readonly choices: SolveChoices;
  /** The keys that options named, as `evolution.max_generations`. */
  readonly named: readonly string[];
  readonly newRunId: string;
};

/**
 * How a session goes on: its run is resumed with the settings that differ from those of its last life, or forked. `changes`
 * are for people: `maxGenerations 30 → 60`. Throws `UserError` where the session runs already, has nothing left to do, or cannot take what was changed.
 */
export function resumption(question: ResumeQuestion) {
  const { seen, plan, choices } = question;
  const { row, place, state, status, facts } = seen;
  const { settings, configuration } = facts;
  if (status === 'running') throw runsAlready(place.name, row?.owner?.pid);
  if (place.earlier || !row) throw cannotGoOn(place);
  refuseFixed(choices);
  const changed = changedAgentSettings(question);
  const context: SessionContext = {
    ...facts,
    settings: { ...settings, ...changed },
    configured: plan.configured,
    configuration: snapshotGoingOn(configuration, plan.configuration, { ...settings, ...changed }),
    ...filesKept(plan.workspace.config),
  };
  const fork = forkOf(question, changed);
  const ofAgent = Object.entries(changed).map(
    ([key, value]) => `${key} ${JSON.stringify(settings[key] ?? null)} → ${JSON.stringify(value)}`,
  );
  const changes = [...ofAgent, ...fork.changes];
  const { end } = state.run;
  const isOver = end !== null && !canReopen(end);
  if (isOver && changes.length === 0) throw overError(seen);
  // A run that was stopped during its final choice never reads its mailbox again.
  const isTimedOut = fork.spec.at !== undefined && changes.length > 0;
  const isForked = isOver || isTimedOut || fork.changes.length > 0;
  const job: RunJob = isForked
    ? { how: 'fork', parent: row.id, spec: { ...fork.spec, context: inHeader(context) } }
    : {
        how: 'resume',
        run: row.id,
        context: inHeader(context),
        messages: Object.keys(changed).length > 0 ? [settingsMail(changed)] : [],
      };
  return { job, changes };
}

function runsAlready(name: string, pid: number | undefined): UserError {
  return new UserError({
    code: 'session-running',
    what: `The session ${name} runs already, in process ${pid}.`,
    fix: `Watch it with \`polya ahc status ${name} --watch\`, or stop it first: \`polya ahc stop ${name}\`.`,
  });
}

function cannotGoOn({ name, earlier, store }: SeenSession['place']): UserError {
  const fix = `Begin another with its best program: \`polya ahc solve --from ${name}/best_solution.cpp\`.`;
  return new UserError({
    code: 'session-of-earlier-version',
    what: `The session ${name} cannot go on.`,
    why: earlier
      ? 'An earlier version of Polya began it: it is shown and exported, but not resumed.'
      : `${store} does not have its journal.`,
    fix,
  });
}

/** As `evolutionMail` reads it. */
function settingsMail(settings: JsonObject): string {
  return JSON.stringify({ type: 'settings', settings });
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
  const { settings } = seen.facts;
  const intended = Object.entries(agentKeys).filter(
    ([, key]) => named.includes(key) || isReconfigured(question, key),
  );
  const ofKeys = Object.fromEntries(intended.map(([name]) => [name, plan.settings[name] ?? null]));
  const changed = differing<Json | undefined>({ ...ofKeys, ...choices.agentSettings }, settings);
  return { ...crossing(changed), ...changed };
}

/** A run keeps its models, prompts and budget; only a fork can change them, and has to where there are `changes`. */
function forkOf(question: ResumeQuestion, changed: JsonObject) {
  const { seen, plan, choices, newRunId } = question;
  const { header } = seen.state.run;
  const claim = header?.models ?? {};
  // Until the configuration of models changes, the options of an earlier life hold.
  const isOther = isReconfigured(question, 'llm.model', 'llm.provider');
  const isSetAnew = isReconfigured(question, 'llm.temperature', 'llm.max_tokens');
  const models = differing(
    isOther ? plan.spec.models : choices.models,
    Object.fromEntries(Object.entries(claim).map(([role, { spec }]) => [role, spec])),
  );
  const modelSettings = Object.fromEntries(
    Object.entries((isSetAnew ? plan.spec.modelSettings : choices.modelSettings) ?? {}).filter(
      ([role, set]) => Object.keys(differing(set, claim[role]?.settings)).length > 0,
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
  return keys.some((key) => !isSame(seen.facts.configured[key], plan.configured[key]));
}

/** The entries of `meant` whose values are not those that hold. */
function differing<V>(intended: Readonly<Record<string, V>>, claim: object = {}): Record<string, V> {
  const values = new Map<string, unknown>(Object.entries(claim));
  return Object.fromEntries(
    Object.entries(intended).filter(([name, value]) => !isSame(values.get(name), value)),
  );
}

/** The event `search-over` of this run, if it has one: behind it comes only the final choice. */
function searchOverAt(events: readonly Event[]): number | undefined {
  const own = events.slice(events.findLastIndex(({ kind }) => kind === 'run-fork') + 1);
  return own.findLast((event) => event.kind === 'note' && event.body.kind === 'search-over')?.seq;
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);

function overError({ place, state }: SeenSession): UserError {
  const { name } = place;
  return new UserError({
    code: 'session-over',
    what: `The session ${name} has come to its end${state.over ? `: ${state.over.replace(/\.$/, '')}` : ''}.`,
    why: 'Nothing that it could go on with is different now.',
    fix: `Give it more room: \`polya ahc solve --session-id ${name} --max-generations ${state.generation + 30}\`, a larger --time-limit or --budget.`,
  });
}
