/** Rules that take, change or leave out a model's setting, one after the other, and say so in one sentence. Pure. */
import type { AdaptedSettings, ModelSettings, ReasoningEffort } from '../core/model.ts';
import { reasoningEfforts } from '../core/model.ts';

export type SettingName = keyof ModelSettings;

export type SettingRule = {
  readonly setting: SettingName;
  /** The allowed values, for people: `0 to 2`, `none, low, high`, `no`. */
  readonly takes: string;
  /** Null where the settings may stay as they are. No notice: the same thing said in this provider's words. */
  adapt(settings: ModelSettings): { readonly settings: ModelSettings; readonly notice?: string } | null;
};

export function applyRules(rules: readonly SettingRule[], modelSettings: ModelSettings): AdaptedSettings {
  let settings = modelSettings;
  const notices: string[] = [];
  for (const rule of rules) {
    const adaptation = rule.adapt(settings);
    if (!adaptation) continue;
    settings = adaptation.settings;
    if (adaptation.notice) notices.push(adaptation.notice);
  }
  return { settings, notices };
}

/** The setting's name in sentences. */
export const settingNames: Readonly<Record<SettingName, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  maxOutputTokens: 'max output tokens',
  reasoningEffort: 'effort',
  thinkingBudgetTokens: 'thinking budget',
  seed: 'seed',
};

/** The setting is left out; `unless` says when it may stay. */
export function rejectSetting(
  setting: SettingName,
  why: string,
  unless: (settings: ModelSettings) => boolean = () => false,
  takes = 'no',
): SettingRule {
  return {
    setting,
    takes,
    adapt(settings) {
      if (settings[setting] === undefined || unless(settings)) return null;
      return { settings: without(settings, setting), notice: `${why} (${settingNames[setting]} left out).` };
    },
  };
}

export function range(
  setting: Exclude<SettingName, 'reasoningEffort'>,
  min: number,
  max: number,
): SettingRule {
  const takes = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `${min} to ${max}`;
  return {
    setting,
    takes,
    adapt(settings) {
      const requested = settings[setting];
      if (requested === undefined || (requested >= min && requested <= max)) return null;
      const value = Math.min(max, Math.max(min, requested));
      const notice = `It takes a ${settingNames[setting]} of ${takes}, not ${requested} (${value} is used).`;
      return { settings: { ...settings, [setting]: value }, notice };
    },
  };
}

/** The nearest of these takes the place of another one. */
export function limitEfforts(claimed: readonly ReasoningEffort[]): SettingRule {
  return {
    setting: 'reasoningEffort',
    takes: claimed.join(', '),
    adapt(settings) {
      const asked = settings.reasoningEffort;
      if (asked === undefined || claimed.includes(asked)) return null;
      const value = nearestEffort(asked, claimed);
      const notice = `It takes the efforts ${claimed.join(', ')}, not ${asked} (${value} is used).`;
      return { settings: { ...settings, reasoningEffort: value }, notice };
    },
  };
}

/** A model that knows efforts alone: a budget in tokens becomes the nearest one. */
export function budgetAsEffort(taken: readonly ReasoningEffort[]): SettingRule {
  return {
    setting: 'thinkingBudgetTokens',
    takes: 'as effort',
    adapt(settings) {
      const { thinkingBudgetTokens: budget, ...rest } = settings;
      if (budget === undefined) return null;
      const value = rest.reasoningEffort ?? nearestEffort(effortOfBudget(budget), taken);
      const notice = `It takes no thinking budget in tokens (${budget} asked for, effort ${value} is used).`;
      return { settings: { ...rest, reasoningEffort: value }, notice };
    },
  };
}

/** A model that knows budgets alone: an effort is a share of the highest. A budget that is named goes before it. */
export function effortAsBudget({ min, max }: { min: number; max: number }): SettingRule {
  return {
    setting: 'reasoningEffort',
    takes: 'as a thinking budget',
    adapt(settings) {
      const { reasoningEffort: effort, ...rest } = settings;
      if (effort === undefined) return null;
      if (rest.thinkingBudgetTokens !== undefined) return { settings: rest };
      const budget = Math.round(Math.min(max, Math.max(min, shares[effort] * max)));
      const changed = { settings: { ...rest, thinkingBudgetTokens: budget } };
      const isImpossible = effort === 'none' && min > 0;
      return isImpossible
        ? { ...changed, notice: `It cannot but think (a budget of ${budget} is used).` }
        : changed;
    },
  };
}

const shares: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 0.05,
  low: 0.15,
  medium: 0.4,
  high: 0.8,
  xhigh: 1,
  max: 1,
};

const budgets: readonly (readonly [atMost: number, effort: ReasoningEffort])[] = [
  [0, 'none'],
  [1024, 'minimal'],
  [4096, 'low'],
  [16_384, 'medium'],
  [32_768, 'high'],
];

function effortOfBudget(budget: number): ReasoningEffort {
  return budgets.find(([atMost]) => budget <= atMost)?.[1] ?? 'xhigh';
}

/** Of two equally near ones, the lower one, which costs less. */
function nearestEffort(asked: ReasoningEffort, claimed: readonly ReasoningEffort[]): ReasoningEffort {
  const rank = (effort: ReasoningEffort): number => reasoningEfforts.indexOf(effort);
  const distance = (effort: ReasoningEffort): number => Math.abs(rank(effort) - rank(asked));
  const [nearest = asked] = [...claimed].sort((a, b) => distance(a) - distance(b) || rank(a) - rank(b));
  return nearest;
}

export function without(settings: ModelSettings, setting: SettingName): ModelSettings {
  const { [setting]: _, ...rest } = settings;
  return rest;
}
