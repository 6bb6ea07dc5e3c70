/**
 * What a session is to do, from the options and the configuration of `solve`: the agent's settings, models, limits and
 * problem of its run. Whatever is wrong with them is thrown here, before anything is made or paid.
 */
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Limits } from '../../../core/agent.ts';
import { UserError } from '../../../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, jsonIn } from '../../../core/json.ts';
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
import {
  agentKeys,
  chosenModels,
  type ModelChoices,
  modelEnvironment,
  settingsOf,
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
  // `auto` leaves the choice to POLYA_SANDBOX, and then to what works on this machine.
  const backend = String(config.get('sandbox.backend'));
  const unused = unusedKeyWarning(config, models);
  const options = {
    models,
    limits,
    ...agentSettings,
    cases,
    islands,
    from: from?.map((file) => basename(file)),
  };
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
      settings: { ...settings, ...givenPrograms(question, config, choices), ...givenAnalysis(workspace) },
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
    warnings: [...config.warnings, ...(unused === null ? [] : [unused])],
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
  const library = () => libraryFolders(config, question);
  const given = from.map((file) => ({
    name: basename(file),
    source: bundleFile({ folder, file, library }).text,
  }));
  return { given };
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
  const what = `${file} is no analysis of a problem.`;
  throw new UserError({ code: 'analysis-invalid', what, why: read.problems, fix });
}

/** Null where the statement of the workspace is used. */
function problemFileOf(folder: string, { problemFile }: SolveChoices): string | null {
  if (problemFile === undefined) return null;
  const file = resolve(folder, problemFile);
  const fix = 'Name the file that holds the statement.';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? `${error.message}.` : '';
    throw new UserError({ code: 'file-unreadable', what: `${problemFile} cannot be read.`, why, fix });
  }
  if (text.trim() === '') throw new UserError({ code: 'file-empty', what: `${problemFile} is empty.`, fix });
  return file;
}
