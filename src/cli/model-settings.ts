/** The user's own settings of models, as `--setting [role.]name=value` says them. Pure; what a model takes is its own. */
import { UserError } from '../core/errors.ts';
import { type ModelSettings, reasoningEfforts } from '../core/model.ts';
import type { RunSpec } from '../run/start.ts';

type SettingsByRole = NonNullable<RunSpec['modelSettings']>;
type Reader = (value: string) => ModelSettings | null;

const number =
  (name: keyof ModelSettings, isGood: (value: number) => boolean): Reader =>
  (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) && isGood(value) ? { [name]: value } : null;
  };
const whole = (least: number) => (value: number) => Number.isSafeInteger(value) && value >= least;
const effort: Reader = (text) => {
  const found = reasoningEfforts.find((each) => each === text.trim());
  return found ? { reasoningEffort: found } : null;
};

type Setting = { readonly names: readonly string[]; readonly form: string; readonly read: Reader };

const settings: readonly Setting[] = [
  { names: ['temperature'], form: 'a number from 0', read: number('temperature', (value) => value >= 0) },
  {
    names: ['top_p', 'topP'],
    form: 'a number from 0 to 1',
    read: number('topP', (value) => value >= 0 && value <= 1),
  },
  {
    names: ['max_output_tokens', 'maxOutputTokens'],
    form: 'a whole number from 1',
    read: number('maxOutputTokens', whole(1)),
  },
  {
    names: ['effort', 'thinking_level', 'reasoningEffort'],
    form: `one of ${reasoningEfforts.join(', ')}`,
    read: effort,
  },
  {
    names: ['thinking_budget', 'thinkingBudget', 'thinkingBudgetTokens'],
    form: 'a whole number of tokens from 0',
    read: number('thinkingBudgetTokens', whole(0)),
  },
  { names: ['seed'], form: 'a whole number', read: number('seed', whole(Number.MIN_SAFE_INTEGER)) },
];

/** How a setting is written, by its name in a request. */
export function settingForm(name: string): string {
  return settings.find(({ names }) => names.includes(name))?.names[0] ?? name;
}

export const settingForms = settings.map(({ names }) => names[0]).join(', ');

const assignment = /^(?:(?<role>[A-Za-z][\w-]*)\.)?(?<name>\w+)=(?<value>.*)$/s;

export function parseModelSettings(texts: readonly string[]): SettingsByRole {
  const byRole: Record<string, ModelSettings> = {};
  for (const text of texts) {
    const { role = 'default', name = '', value = '' } = assignment.exec(text)?.groups ?? {};
    const setting = settings.find(({ names }) => names.includes(name));
    if (!setting) throw noSetting(text);
    const read = setting.read(value);
    if (!read) throw badValue(text, setting);
    const key = Object.keys(read)[0] ?? '';
    if (Object.hasOwn(byRole[role] ?? {}, key)) throw setTwice(role, setting);
    byRole[role] = { ...byRole[role], ...read };
  }
  return byRole;
}

function noSetting(text: string): UserError {
  return new UserError({
    code: 'no-such-setting',
    what: `"${text}" sets nothing.`,
    why: `The settings of models are ${settingForms}.`,
    fix: 'Write `--setting NAME=VALUE`, or `--setting ROLE.NAME=VALUE` for one role.',
  });
}

function badValue(text: string, { names: [name], form }: Setting): UserError {
  return new UserError({
    code: 'setting-value-invalid',
    what: `"${text}" is no ${name}.`,
    fix: `It must be ${form}.`,
  });
}

function setTwice(role: string, { names: [name] }: Setting): UserError {
  const where = role === 'default' ? '' : ` of the role ${role}`;
  return new UserError({
    code: 'named-twice',
    what: `The ${name}${where} is set twice.`,
    fix: 'Give it once for all roles and once for each role.',
  });
}
