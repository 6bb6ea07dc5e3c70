/** Google's Gemini API. Its tool calls carry no ids, so each is given one; signatures of thoughts go back with their turn. */
import { randomUUID } from 'node:crypto';
import { createGoogle } from '@ai-sdk/google';
import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { type Model, type ModelSettings, reasoningEfforts } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { fetchFor } from './http.ts';
import type { Connection } from './provider.ts';
import type { SettingRule } from './settings-rules.ts';
import { budgetAsEffort, effortAsBudget, limitEfforts, range, rejectSetting } from './settings-rules.ts';

export function googleModel(connection: Connection): Model {
  const { name, baseUrl: baseURL, apiKey } = connection;
  const generateId = () => `call_${randomUUID()}`;
  const provider = createGoogle({
    apiKey,
    baseURL,
    fetch: fetchFor({ ...connection, eventsIn, isEnd }),
    generateId,
  });
  const isGemma = name.startsWith('gemma-');
  return aiSdkModel({
    ...connection,
    languageModel: provider(name),
    takes: { images: !/^gemma-3-1b/.test(name), tools: !isGemma },
    rules: googleRules(name),
    hasSystemRole: !isGemma,
    prepare: ({ reasoning: _, ...callOptions }, { settings = {} }) => ({
      ...callOptions,
      providerOptions: { google: thinkingOptions(name, settings) },
    }),
  });
}

/** Gateways that do not stream send one chunk, or a list of them. */
function eventsIn(json: unknown): readonly JsonObject[] {
  const chunks = (Array.isArray(json) ? json : [json]).filter(isJsonObject);
  return chunks.some(({ candidates }) => Array.isArray(candidates)) ? chunks : [];
}

/** Some servers give each chunk a reason: what goes on behind one was not its end. */
function isEnd(chunk: JsonObject, before: JsonObject): boolean {
  const [{ content, finishReason }, previous] = [firstCandidate(chunk), firstCandidate(before)];
  return content
    ? Boolean(finishReason && !previous.finishReason)
    : Boolean(finishReason ?? previous.finishReason);
}

function firstCandidate({ candidates }: JsonObject): JsonObject {
  const [first] = Array.isArray(candidates) ? candidates : [];
  return isJsonObject(first) ? first : {};
}

function thinkingOptions(name: string, { reasoningEffort, thinkingBudgetTokens }: ModelSettings) {
  if (thinkingOf(name) === 'none') return {};
  return {
    thinkingConfig: {
      includeThoughts: true,
      ...(reasoningEffort === undefined ? {} : { thinkingLevel: reasoningEffort }),
      ...(thinkingBudgetTokens === undefined ? {} : { thinkingBudget: thinkingBudgetTokens }),
    },
  };
}

/** How a model is told how long to think: not at all, in tokens, or by a level. */
function thinkingOf(name: string): 'none' | 'budget' | 'level' {
  const thinks = /gemini-(2\.5|[3-9]|\d\d)|gemini-\w+(-lite)?-latest/.test(name);
  if (!thinks || /2\.5-flash-image|tts|audio/.test(name)) return 'none';
  return getGoogleLanguageModelEntry(name).requestConfig.language.thinkingFormat;
}

export function googleRules(name: string): readonly SettingRule[] {
  const most = /gemini-(1|2\.0)/.test(name) ? 8192 : 65_536;
  return [
    range('temperature', 0, 2),
    range('topP', 0, 1),
    range('maxOutputTokens', 1, most),
    range('seed', -(2 ** 31), 2 ** 31 - 1),
    ...thinkingRules(name),
  ];
}

function thinkingRules(name: string): readonly SettingRule[] {
  const format = thinkingOf(name);
  const { reasoning } = getGoogleLanguageModelEntry(name).capabilities.language;
  if (format === 'none') {
    const why = 'It does not think aloud';
    return [
      rejectSetting('reasoningEffort', why, ({ reasoningEffort }) => reasoningEffort === 'none'),
      rejectSetting('thinkingBudgetTokens', why, ({ thinkingBudgetTokens }) => thinkingBudgetTokens === 0),
    ];
  }
  if (format === 'level') {
    const claimed = reasoningEfforts.filter((effort) => reasoning.efforts?.includes(effort));
    return [budgetAsEffort(claimed), limitEfforts(claimed)];
  }
  const { minBudget: min, maxBudget: max } = reasoning;
  return [effortAsBudget({ min, max }), range('thinkingBudgetTokens', min, max)];
}
