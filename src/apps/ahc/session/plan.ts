/**
 * What a session is to do, from the options and the configuration of `solve`: the agent's settings, models, limits and
 * problem of its run. Whatever is wrong with them is thrown here, before anything is made or paid.
 */
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Limits } from '../../../core/agent.ts';
import { UserError } from '../../../core/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { readAnalysis } from '../../../notes/problem-analysis.ts';
import { libraryFolders } from '../../../open/families/ahc/library.ts';
import { openWorkspace, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import type { JournalsOptions } from '../../../open/options.ts';
import type { RunSpec } from '../../../run/start.ts';
import { bundleFile } from '../workspace/program.ts';
import { chosenModels, type ModelChoices, modelEnvironment, unusedKeyWarning } from './model.ts';
import { agentKeys, settingsOf, snapshotOf } from './settings.ts';

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

export type SessionPlan = {
  readonly workspace: Workspace;
  readonly opening: JournalsOptions;
  readonly spec: Omit<RunSpec, 'id'>;
  /** The agent's settings that the configuration and the options name, without programs. */
  readonly settings: JsonObject;
  /** What files and environment say, without options: the next life of the session sees by it what has changed there. */
  readonly configured: JsonObject;
  readonly configuration: JsonObject;
  readonly problemFile: string;
  readonly warnings: readonly string[];
};

export const agentOfSessions = 'evolution';

export function planSession(question: WorkspaceQuestion, choices: SolveChoices): SessionPlan {
  const workspace = openWorkspace(question);
  const { config, folder } = workspace;
  const { models, modelSettings } = chosenModels(config, choices, folder.path);
  const settings = { ...settingsOf(config), ...choices.agentSettings, ...searched(choices) };
  const problemFile = problemFileOf(question.folder, choices);
  return {
    workspace,
    opening: {
      folder: folder.path,
      env: modelEnvironment(config, question.env, models),
      create: true,
      backend: backendOf(config),
    },
    spec: {
      family: 'ahc',
      problem: {
        workspace: folder.path,
        // What was not chosen is absent: this is the problem's reference in the journal.
        ...(choices.cases === undefined ? {} : { cases: choices.cases }),
        ...(choices.problemFile === undefined ? {} : { problemFile }),
        ...(choices.images === undefined ? {} : { images: choices.images }),
      },
      agent: agentOfSessions,
      settings: { ...settings, ...givenPrograms(question, config, choices), ...givenAnalysis(workspace) },
      models,
      baseUrls: choices.baseUrls,
      modelSettings,
      limits: choices.limits,
      prompts: choices.prompts,
    },
    settings,
    configured: configuredIn(openWorkspace({ ...question, flags: {} }).config),
    configuration: snapshotOf(config, settings, optionsOf(choices)),
    problemFile: choices.problemFile === undefined ? layout.statement : problemFile,
    warnings: [...config.warnings, ...[unusedKeyWarning(config, models)].filter((each) => each !== null)],
  };
}

/** Where the user names cases, the search uses all of them. */
function searched({ cases, islands, agentSettings }: SolveChoices): JsonObject {
  return {
    ...(cases === undefined || 'searchCases' in agentSettings ? {} : { searchCases: null }),
    ...(islands === undefined ? {} : { islands }),
  };
}

function configuredIn(config: Resolved): JsonObject {
  const keys = [...Object.values(agentKeys), ...configKeys.map(({ path }) => path).filter(isOfModel)];
  return Object.fromEntries(keys.map((key) => [key, config.raw(key).value as Json]));
}

/** The API key is not remembered. */
function isOfModel(path: string): boolean {
  return path.startsWith('llm.') && path !== 'llm.api_key';
}

/** What the command line chose. */
function optionsOf({ models, limits, agentSettings, cases, islands, from }: SolveChoices) {
  const files = from?.map((file) => basename(file));
  return { models, limits, ...agentSettings, cases, islands, from: files };
}

/** `auto` leaves the choice to POLYA_SANDBOX, and then to what works on this machine. */
function backendOf(config: Resolved): string | undefined {
  const backend = String(config.get('sandbox.backend'));
  return backend === 'auto' ? undefined : backend;
}

function givenPrograms(
  question: WorkspaceQuestion,
  config: Resolved,
  { from = [] }: SolveChoices,
): JsonObject {
  const { folder } = question;
  if (from.length === 0) return {};
  return {
    given: from.map((file) => ({
      name: basename(file),
      source: bundleFile({ folder, file, library: () => libraryFolders(config, question) }).text,
    })),
  };
}

/** An analysis that the user wrote or edited: no model is asked for one. */
function givenAnalysis({ folder }: Workspace): JsonObject {
  const file = join(folder.path, 'problem/analysis.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  const analysis = jsonIn(text);
  const fix = 'Correct it, or remove it: then a model makes the analysis.';
  if (!isJsonObject(analysis))
    throw new UserError({ code: 'json-object-expected', what: `${file} is no JSON object.`, fix });
  const read = readAnalysis(analysis);
  if (read.ok) return { analysis };
  throw new UserError({
    code: 'analysis-invalid',
    what: `${file} is no analysis of a problem.`,
    why: read.problems,
    fix,
  });
}

function problemFileOf(folder: string, { problemFile }: SolveChoices): string {
  if (problemFile === undefined) return '';
  const file = resolve(folder, problemFile);
  try {
    if (readFileSync(file, 'utf8').trim() !== '') return file;
  } catch (error) {
    throw new UserError({
      code: 'file-unreadable',
      what: `${problemFile} cannot be read.`,
      why: error instanceof Error ? `${error.message}.` : '',
      fix: 'Name the file that holds the statement.',
    });
  }
  throw new UserError({
    code: 'file-empty',
    what: `${problemFile} is empty.`,
    fix: 'Name the file that holds the statement.',
  });
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
