/** Which settings Google's models take. What the AI SDK's catalogue knows of a model is asked there. Pure. */
import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import { reasoningEfforts } from '../core/model.ts';
import {
  budgetAsEffort,
  effortAsBudget,
  efforts,
  range,
  refuses,
  type SettingRule,
} from './settings-rules.ts';

/** How a model is told how long to think: not at all, in tokens, or by a level. */
export function thinkingOf(name: string): 'none' | 'budget' | 'level' {
  if (
    !/gemini-(2\.5|[3-9]|\d\d)|gemini-\w+(-lite)?-latest/.test(name) ||
    /2\.5-flash-image|tts|audio/.test(name)
  ) {
    return 'none';
  }
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
    return [
      refuses(
        'reasoningEffort',
        'It does not think aloud',
        ({ reasoningEffort }) => reasoningEffort === 'none',
      ),
      refuses(
        'thinkingBudgetTokens',
        'It does not think aloud',
        ({ thinkingBudgetTokens }) => thinkingBudgetTokens === 0,
      ),
    ];
  }
  if (format === 'level') {
    const taken = reasoningEfforts.filter((effort) => reasoning.efforts?.includes(effort));
    return [budgetAsEffort(taken), efforts(taken)];
  }
  const bounds = { min: reasoning.minBudget, max: reasoning.maxBudget };
  return [effortAsBudget(bounds), range('thinkingBudgetTokens', bounds.min, bounds.max)];
}
