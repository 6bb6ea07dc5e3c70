/** The user's own settings of models, as `--setting [role.]name=value` says them. Pure; what a model takes is its own. */
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { type ModelSettings, reasoningEfforts } from '../core/model.ts';
import type { SettingsByRole } from '../run/model-settings.ts';

const number = z.string().trim().min(1).transform(Number);

type Setting = {
  readonly key: keyof ModelSettings;
  readonly names: readonly string[];
  readonly form: string;
  readonly value: z.ZodType;
};

const settings: readonly Setting[] = [
  {
    key: 'temperature',
    names: ['temperature'],
    form: 'a number from 0',
    value: number.pipe(z.number().min(0)),
  },
  {
    key: 'topP',
    names: ['top_p', 'topP'],
    form: 'a number from 0 to 1',
    value: number.pipe(z.number().min(0).max(1)),
  },
  {
    key: 'maxOutputTokens',
    names: ['max_output_tokens', 'maxOutputTokens'],
    form: 'a whole number from 1',
    value: number.pipe(z.int().min(1)),
  },
  {
    key: 'reasoningEffort',
    names: ['effort', 'thinking_level', 'reasoningEffort'],
    form: `one of ${reasoningEfforts.join(', ')}`,
    value: z.string().trim().pipe(z.enum(reasoningEfforts)),
  },
  {
    key: 'thinkingBudgetTokens',
    names: ['thinking_budget', 'thinkingBudget', 'thinkingBudgetTokens'],
    form: 'a whole number of tokens from 0',
    value: number.pipe(z.int().min(0)),
  },
  { key: 'seed', names: ['seed'], form: 'a whole number', value: number.pipe(z.int()) },
];

/** How a setting is written, by its name in a request. */
export function settingForm(name: string): string {
  return settings.find(({ key }) => key === name)?.names[0] ?? name;
}

export const settingForms = settings.map(({ names }) => names[0]).join(', ');

const assignment = /^(?:(?<role>[A-Za-z][\w-]*)\.)?(?<name>\w+)=(?<value>.*)$/s;

export function parseModelSettings(texts: readonly string[]): SettingsByRole {
  const byRole: Record<string, ModelSettings> = {};
  for (const text of texts) {
    const { role = 'default', name = '', value = '' } = assignment.exec(text)?.groups ?? {};
    const setting = settings.find(({ names }) => names.includes(name));
    if (!setting) {
      throw new UserError({
        code: 'no-such-setting',
        what: `"${text}" sets nothing.`,
        why: `The settings of models are ${settingForms}.`,
        fix: 'Write `--setting NAME=VALUE`, or `--setting ROLE.NAME=VALUE` for one role.',
      });
    }
    const { key, names, form } = setting;
    const read = setting.value.safeParse(value);
    if (!read.success) {
      throw new UserError({
        code: 'setting-value-invalid',
        what: `"${text}" is no ${names[0]}.`,
        fix: `It must be ${form}.`,
      });
    }
    if (Object.hasOwn(byRole[role] ?? {}, key)) {
      throw new UserError({
        code: 'named-twice',
        what: `The ${names[0]}${role === 'default' ? '' : ` of the role ${role}`} is set twice.`,
        fix: 'Give it once for all roles and once for each role.',
      });
    }
    byRole[role] = { ...byRole[role], [key]: read.data };
  }
  return byRole;
}
