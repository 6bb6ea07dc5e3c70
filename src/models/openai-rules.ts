/**
 * Which settings OpenAI's models take over the Responses API. What the AI SDK's catalogue knows of a model is asked
 * there; for the rest, the families' rules. Pure.
 */
import { openaiModelCatalog } from '@ai-sdk/openai/internal';
import type { ReasoningEffort } from '../core/model.ts';
import { reasoningEfforts } from '../core/model.ts';
import { budgetAsEffort, efforts, range, refuses, type SettingRule } from './settings-rules.ts';

/** Models that think before they answer, and take no temperature then. */
export function reasons(name: string): boolean {
  return /^(o\d|codex)/.test(name) || (/^gpt-([5-9]|\d\d)/.test(name) && !/chat/.test(name));
}

/** Models of before 2025 that read text alone. */
export function sees(name: string): boolean {
  return !/^(gpt-3\.5|gpt-4-|gpt-4$|o1-mini|o3-mini)/.test(name);
}

/** The first models of the o-series have neither system nor developer role. */
export function hasSystemRole(name: string): boolean {
  return !/^o1-(mini|preview)/.test(name);
}

export function openAiRules(name: string): readonly SettingRule[] {
  const always = [
    refuses('seed', 'OpenAI’s Responses API has no seed'),
    range('maxOutputTokens', 16, Number.MAX_SAFE_INTEGER),
  ];
  if (!reasons(name)) {
    return [
      ...always,
      range('temperature', 0, 2),
      range('topP', 0, 1),
      refuses('reasoningEffort', 'It does not reason'),
      refuses('thinkingBudgetTokens', 'It does not reason'),
    ];
  }
  const taken = effortsOf(name);
  const canRest = taken.includes('none');
  const sampling = canRest ? 'with effort none' : 'no';
  return [
    ...always,
    budgetAsEffort(taken),
    efforts(taken),
    refuses('temperature', 'It takes no temperature while it reasons', isResting, sampling),
    refuses('topP', 'It takes no top_p while it reasons', isResting, sampling),
  ];
}

function isResting({ reasoningEffort }: { readonly reasoningEffort?: ReasoningEffort }): boolean {
  return reasoningEffort === 'none';
}

/** A dated name is the model of its name without the date. */
function effortsOf(name: string): readonly ReasoningEffort[] {
  const base = name.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const entry = Object.hasOwn(openaiModelCatalog, base) ? openaiModelCatalog[base] : undefined;
  const known = entry?.capabilities.language?.reasoning.efforts;
  if (known) return reasoningEfforts.filter((effort) => known.includes(effort));
  if (/^gpt-5-pro/.test(base)) return ['high'];
  if (/-pro$/.test(base)) return ['medium', 'high', 'xhigh'];
  if (/codex-max|gpt-5\.([2-9]|\d\d)-codex/.test(base)) return ['low', 'medium', 'high', 'xhigh'];
  return ['low', 'medium', 'high'];
}
