/** Which settings Anthropic's models take. What the AI SDK's catalogue knows of a model is asked there. Pure. */
import { getAnthropicLanguageModelEntry } from '@ai-sdk/anthropic/internal';
import type { ModelSettings, ReasoningEffort } from '../core/model.ts';
import {
  budgetAsEffort,
  effortAsBudget,
  efforts,
  range,
  refuses,
  type SettingRule,
  without,
} from './settings-rules.ts';

/** The least that Anthropic lets a model think, where it thinks at all. */
const leastBudget = 1024;
/** Where no output is bounded by the user, thinking still leaves room for an answer. */
const mostBudget = 32_000;

/** How a model is told how long to think: in tokens, or by an effort. */
export function thinkingOf(name: string): 'budget' | 'effort' {
  return getAnthropicLanguageModelEntry(name).capabilities.language.reasoning.adaptive ? 'effort' : 'budget';
}

export function thinksAlways(name: string): boolean {
  return !getAnthropicLanguageModelEntry(name).capabilities.language.reasoning.canDisable;
}

export function anthropicRules(name: string): readonly SettingRule[] {
  const { capabilities, requestConfig } = getAnthropicLanguageModelEntry(name);
  const { sampling, reasoning } = capabilities.language;
  const most = requestConfig.language.knownModel
    ? requestConfig.language.maxOutputTokens
    : Number.MAX_SAFE_INTEGER;
  return [
    refuses('seed', 'Anthropic has no seed'),
    range('maxOutputTokens', 1, most),
    ...(thinkingOf(name) === 'effort'
      ? effortRules(reasoning.supportsXhighEffort, reasoning.canDisable)
      : budgetRules),
    ...(sampling.temperature === true
      ? samplingRules
      : [refuses('temperature', 'It takes no temperature'), refuses('topP', 'It takes no top_p')]),
  ];
}

function effortRules(hasXhigh: boolean, canRest: boolean): readonly SettingRule[] {
  const taken: ReasoningEffort[] = [
    ...(canRest ? (['none'] as const) : []),
    'low',
    'medium',
    'high',
    ...(hasXhigh ? (['xhigh'] as const) : []),
    'max',
  ];
  return [budgetAsEffort(taken), efforts(taken)];
}

/** A budget lies within the output: half of a short one is left for the answer. */
const budgetRules: readonly SettingRule[] = [
  effortAsBudget({ min: 0, max: mostBudget }),
  {
    setting: 'thinkingBudgetTokens',
    takes: `0, or from ${leastBudget} to below the max output tokens`,
    adapt(settings) {
      const { thinkingBudgetTokens: budget, maxOutputTokens: most = Number.MAX_SAFE_INTEGER } = settings;
      if (!budget) return null;
      if (budget >= leastBudget && budget < most) return null;
      const value = Math.max(leastBudget, Math.min(budget, Math.floor(most / 2)));
      if (value >= most) {
        const notice = `No thinking fits into ${most} output tokens (the thinking budget is left out).`;
        return { settings: without(settings, 'thinkingBudgetTokens'), notice };
      }
      const notice = `It takes a thinking budget from ${leastBudget} to below the max output tokens, not ${budget} (${value} is used).`;
      return { settings: { ...settings, thinkingBudgetTokens: value }, notice };
    },
  },
];

const samplingRules: readonly SettingRule[] = [
  refuses('temperature', 'It takes no temperature while it thinks', isNotThinking, 'without thinking'),
  refuses('topP', 'It takes no top_p while it thinks', isNotThinking, 'without thinking'),
  range('temperature', 0, 1),
  range('topP', 0, 1),
  refuses(
    'topP',
    'It takes a temperature or a top_p, not both',
    ({ temperature }) => temperature === undefined,
    'without a temperature',
  ),
];

function isNotThinking({ reasoningEffort = 'none', thinkingBudgetTokens }: ModelSettings): boolean {
  return reasoningEffort === 'none' && !thinkingBudgetTokens;
}
