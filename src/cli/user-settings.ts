/** The user's own settings for all folders, `config.json` among their files: which there are, and where each value is from. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Limits } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import { isSecretName } from '../core/secrets.ts';
import { configFolder, type Environment, findHome, findProject } from '../io/home.ts';
import { writeFileAtomicSync } from '../io/write-whole.ts';
import { isInCatalogue, modelForms } from '../models/catalogue.ts';
import { absoluteModelName } from '../open/models.ts';
import { databaseIn } from '../open/store.ts';
import { requireOwnSettings } from '../open/trust/trust.ts';
import { backendNames } from '../sandbox/choose.ts';
import { addressOf, isPostgresAddress } from '../store/postgres/address.ts';
import { nearestOf } from '../text/nearest.ts';

/** The settings of the file: `model.grader` is the model of the role `grader`. */
export type UserSettings = Readonly<Record<string, string>>;

type Setting = {
  readonly key: string;
  /** Goes before the file. */
  readonly variable?: string;
  /** Goes before the variable. */
  readonly option: string;
  readonly about: string;
  readonly form: string;
  /** The form of the value in the file; null if it is invalid. */
  read(value: string, folder: string): string | null;
  /** Values to choose from. */
  readonly values?: readonly string[];
};

const modelForm = `a model as --model takes it: ${modelForms.join(', ')}`;
const modelIn = (value: string, folder: string) =>
  isInCatalogue(value) ? absoluteModelName(value, folder) : null;

export const userSettings: readonly Setting[] = [
  {
    key: 'model',
    variable: 'POLYA_MODEL',
    option: '--model MODEL',
    about: 'the model of runs that name none',
    form: modelForm,
    read: modelIn,
  },
  {
    key: 'model.ROLE',
    option: '--model ROLE=MODEL',
    about: 'the model of one role, such as model.grader',
    form: modelForm,
    read: modelIn,
  },
  {
    key: 'store',
    variable: 'POLYA_HOME',
    option: '',
    about: 'where runs are kept, in folders without a .polya at or above them: a folder, or postgres://…',
    form: 'a folder, or the address of a Postgres (postgres://USER@HOST/DATABASE)',
    read: (value, folder) => (isPostgresAddress(value) ? addressOf(value) && value : resolve(folder, value)),
  },
  {
    key: 'budget',
    variable: 'POLYA_BUDGET',
    option: '--budget USD',
    about: 'what a new run, or the rows of a new run-set together, may cost, in dollars',
    form: 'a number of dollars above 0',
    read: (value) => (Number.isFinite(Number(value)) && Number(value) > 0 ? value : null),
  },
  {
    key: 'sandbox',
    variable: 'POLYA_SANDBOX',
    option: '--backend NAME',
    about: 'what runs the programs of models',
    form: `one of ${backendNames.join(', ')}`,
    read: (value) => (backendNames.includes(value) ? value : null),
    values: backendNames,
  },
];

const rolePattern = /^model\.(?<role>[A-Za-z][\w./-]*)$/;

/** Throws `UserError` for a key that there is not. */
export function settingOf(key: string): Setting {
  const found = userSettings.find((each) =>
    each.key === 'model.ROLE' ? rolePattern.test(key) : each.key === key,
  );
  if (found) return found;
  if (isSecretName(key)) {
    throw new UserError({
      code: 'setting-secret',
      what: `${key} is a secret, and the configuration keeps none.`,
      fix: `Set the variable ${key.toUpperCase()} in the environment or in a file \`.env\`; \`polya models\` says which variables are read.`,
    });
  }
  const ofVariable = userSettings.find(({ variable }) => variable === key)?.key;
  const right =
    ofVariable ??
    nearestOf(
      key,
      userSettings.map((each) => each.key),
    );
  throw new UserError({
    code: 'no-such-setting',
    what: `There is no setting ${key}.`,
    why: right ? `Did you mean ${right}?` : undefined,
    fix: `The settings are ${userSettings.map((each) => each.key).join(', ')}.`,
  });
}

/** The form of the value in the file. Throws `UserError`, which never repeats a value: it may be a misplaced key. */
export function settingValue(key: string, value: string, folder: string): string {
  const { form, read, values = [] } = settingOf(key);
  const output = value.trim() === '' ? null : read(value.trim(), folder);
  if (output !== null) return output;
  const right = nearestOf(value, values);
  throw new UserError({
    code: 'setting-value-invalid',
    what: `This is no value for ${key}.`,
    why: right ? `Did you mean ${right}?` : undefined,
    fix: `It must be ${form}.`,
  });
}

export function settingsFile(env: Environment): string {
  return join(configFolder(env), 'config.json');
}

/** Throws `UserError` where the file is not as `polya config` writes it. */
export function readSettings(env: Environment): UserSettings {
  const file = settingsFile(env);
  if (!existsSync(file)) return {};
  requireOwnSettings(file, env);
  try {
    const entries = Object.entries<unknown>(JSON.parse(readFileSync(file, 'utf8')));
    return Object.fromEntries(entries.map(([key, value]) => [key, settingValue(key, String(value), '/')]));
  } catch (error) {
    const why = error instanceof UserError ? error.explanation : { what: String(error) };
    throw new UserError({
      code: 'settings-unreadable',
      what: `The settings in ${file} cannot be used.`,
      why: [why.what, error instanceof UserError && error.explanation.why].filter(Boolean).join(' '),
      fix: `Correct or remove the file. ${error instanceof UserError ? (error.explanation.fix ?? '') : ''}`.trim(),
    });
  }
}

/** Atomic, and readable for the user alone. */
export function writeSettings(env: Environment, settings: UserSettings): void {
  const file = settingsFile(env);
  // What is linked from elsewhere stays a link.
  const real = existsSync(file) ? realpathSync(file) : file;
  const sorted = Object.fromEntries(Object.entries(settings).toSorted());
  writeFileAtomicSync(real, `${JSON.stringify(sorted, null, 2)}\n`, { mode: 0o600, folderMode: 0o700 });
}

/** What stands in for variables that are not set. A project's own store goes before the user's. */
export function withSettings<Env extends Environment>(folder: string, env: Env): Environment {
  const { store, budget, sandbox } = readSettings(env);
  const defaults = {
    ...storeIn(store, folder, env),
    ...(budget === undefined ? {} : { POLYA_BUDGET: budget }),
    ...(sandbox === undefined ? {} : { POLYA_SANDBOX: sandbox }),
  };
  const missing = Object.entries(defaults).filter(([name]) => !env[name]?.trim());
  return missing.length > 0 ? { ...env, ...Object.fromEntries(missing) } : env;
}

/** Where a folder keeps journals of its own, or one is named, a server of the user's is not asked. */
function storeIn(store: string | undefined, folder: string, env: Environment): Environment {
  if (store === undefined) return {};
  if (!isPostgresAddress(store)) return findProject(folder) === null ? { POLYA_HOME: store } : {};
  const hasOwn = Boolean(env.POLYA_HOME?.trim()) || existsSync(databaseIn(findHome(folder, {}).folder));
  return hasOwn ? {} : { POLYA_STORE: store };
}

/** By role, `default` for all others. */
export function settingsModels(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readSettings(env)).flatMap(([key, value]) => {
      if (key === 'model') return [['default', value]];
      const role = rolePattern.exec(key)?.groups?.role;
      return role === undefined ? [] : [[role, value]];
    }),
  );
}

/** Where neither an option nor a file that is named for the call says one. */
export function defaultBudget(env: Environment): Pick<Limits, 'costUsd'> {
  const text = env.POLYA_BUDGET?.trim();
  return text ? { costUsd: Number(settingValue('budget', text, '/')) } : {};
}
