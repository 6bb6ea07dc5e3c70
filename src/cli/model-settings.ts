/** The user's own settings of models, as `--setting [role.]name=value` says them. Pure; what a model takes is its own. */
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { type ModelSettings, reasoningEfforts } from '../core/model.ts';
import type { SettingsByRole } from '../run/model-settings.ts';

const number = z.string().trim().min(1).transform(Number);

/** `names`: the first is the usual one. */
function setting(key: keyof ModelSettings, names: string, form: string, value: z.ZodType) {
  return { key, names: names.split(' '), form, value };
}

const settings = [
  setting('temperature', 'temperature', 'a number from 0', number.pipe(z.number().min(0))),
  setting('topP', 'top_p topP', 'a number from 0 to 1', number.pipe(z.number().min(0).max(1))),
  setting(
    'maxOutputTokens',
    'max_output_tokens maxOutputTokens',
    'a whole number from 1',
    number.pipe(z.int().min(1)),
  ),
  setting(
    'reasoningEffort',
    'effort thinking_level reasoningEffort',
    `one of ${reasoningEfforts.join(', ')}`,
    z.string().trim().pipe(z.enum(reasoningEfforts)),
  ),
  setting(
    'thinkingBudgetTokens',
    'thinking_budget thinkingBudget thinkingBudgetTokens',
    'a whole number of tokens from 0',
    number.pipe(z.int().min(0)),
  ),
  setting('seed', 'seed', 'a whole number', number.pipe(z.int())),
];

/** How a setting is written, by its name in a request. */
export function settingForm(name: string): string {
  return settings.find(({ key }) => key === name)?.names[0] ?? name;
}

export const settingForms = settings.map(({ names }) => names[0]).join(', ');

const assignment = /^(?:(?<role>[A-Za-z][\w/-]*)\.)?(?<name>\w+)=(?<value>.*)$/s;

export function parseModelSettings(texts: readonly string[]): SettingsByRole {
  const byRole: Record<string, ModelSettings> = {};
  for (const text of texts) {
    const { role = 'default', name = '', value = '' } = assignment.exec(text)?.groups ?? {};
    const known = settings.find(({ names }) => names.includes(name));
    if (!known) {
      throw new UserError({
        code: 'no-such-setting',
        what: `"${text}" sets nothing.`,
        why: `The settings of models are ${settingForms}.`,
        fix: 'Write `--setting NAME=VALUE`, or `--setting ROLE.NAME=VALUE` for one role.',
      });
    }
    const { key, names, form } = known;
    const read = known.value.safeParse(value);
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
