/** `polya config`: the user's own settings, and what each value comes from. */
import { exitCodes, UserError } from '../../core/errors.ts';
import { findHome, findProject } from '../../io/home.ts';
import { hasRuns } from '../../open/journals.ts';
import { configuredModel } from '../../open/user-code/code.ts';
import { addressOf, isPostgresAddress } from '../../store/postgres/address.ts';
import { oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, print, type Shell } from '../contract.ts';
import {
  readSettings,
  settingOf,
  settingsFile,
  settingValue,
  type UserSettings,
  userSettings,
  writeSettings,
} from '../user-settings.ts';

/** `from`: a kind of place, the strongest first: `environment`, `project`, `user`, `default`; `where`: its name. */
type Told = {
  readonly key: string;
  readonly value: string | null;
  readonly from: string;
  readonly where: string;
};

type Options = { readonly unset?: boolean; readonly json?: boolean };

export const config: CommandFile = {
  define: (command) =>
    void command
      .argument('[key]', `one of them: ${userSettings.map(({ key }) => key).join(', ')}`)
      .argument('[value]', 'what it is to be; without it the setting is printed')
      .option('--unset', 'take the setting back')
      .option('--json', 'print as JSON what is not changed')
      .addHelpText('after', help),
  async run(shell, command) {
    const [key, value] = command.processedArgs as readonly (string | undefined)[];
    const options = command.opts<Options>();
    if (options.unset && (key === undefined || value !== undefined))
      throw new UserError({
        code: 'options-conflict',
        what: '--unset takes one setting back.',
        fix: 'Name the setting alone: `polya config KEY --unset`.',
      });
    if (key === undefined) await printAll(shell, options);
    else if (value !== undefined) await set(shell, key, value);
    else if (options.unset) await unset(shell, key);
    else await printOne(shell, key, options);
    return exitCodes.ok;
  },
};

async function printAll(shell: Shell, { json }: Options): Promise<void> {
  const settings = await allOf(shell, readSettings(shell.env));
  const file = settingsFile(shell.env);
  if (json) return print(shell.out, { file, settings });
  const rows = settings.map(({ key, value, from, where }) => [key, value ?? '—', whereText(from, where)]);
  print(shell.out, table(shell.out, ['setting', 'value', 'from'], rows));
  shell.err.write(`\`${shell.calledAs} config KEY VALUE\` writes ${file}.\n`);
}

async function printOne(shell: Shell, key: string, { json }: Options): Promise<void> {
  const setting = await toldOf(shell, key, readSettings(shell.env));
  if (json) return print(shell.out, setting);
  shell.out.write(`${oneLine(setting.value ?? '')}\n`);
  shell.err.write(`from: ${whereText(setting.from, setting.where)}\n`);
}

async function set(shell: Shell, key: string, value: string): Promise<void> {
  const output = settingValue(key, value, shell.folder);
  writeSettings(shell.env, { ...readSettings(shell.env), [key]: output });
  await tellStronger(shell, key, output);
}

async function unset(shell: Shell, key: string): Promise<void> {
  settingOf(key);
  const { [key]: before, ...rest } = readSettings(shell.env);
  if (before !== undefined) writeSettings(shell.env, rest);
  const { value, from, where } = await toldOf(shell, key, rest);
  shell.out.write(`${key}: ${oneLine(value ?? '—')}\n`);
  shell.err.write(`from: ${whereText(from, where)}\n`);
}

const help = `
Settings:
${userSettings.map(({ key, about }) => `  ${key.padEnd(11)} ${about}`).join('\n')}

Examples:
  polya config model openai/gpt-5.1
  polya config model.grader anthropic/claude-sonnet-4-5
  polya config budget 5

What is stronger goes first: an option of the command, the environment, the project, this file, the default. Keys of
providers do not belong here: see \`polya models\`.
`;

/** What was written may not hold here. */
async function tellStronger(shell: Shell, key: string, output: string): Promise<void> {
  const { value, from, where } = await toldOf(shell, key, { [key]: output });
  shell.out.write(`${key}: ${oneLine(withoutPassword(output))}\n`);
  if (from !== 'user')
    shell.err.write(
      `Here another value goes before it: ${oneLine(value ?? '—')}, from ${whereText(from, where)}.\n`,
    );
}

async function allOf(shell: Shell, settings: UserSettings): Promise<readonly Told[]> {
  const roles = Object.keys(settings).filter((key) => key.startsWith('model.'));
  const all = userSettings.flatMap(({ key }) => (key === 'model.ROLE' ? roles : [key]));
  return Promise.all(all.map((key) => toldOf(shell, key, settings)));
}

/** An address is told without its password. */
async function toldOf(shell: Shell, key: string, settings: UserSettings): Promise<Told> {
  const told = await foundOf(shell, key, settings);
  return { ...told, value: told.value && withoutPassword(told.value) };
}

function withoutPassword(value: string): string {
  return isPostgresAddress(value) ? addressOf(value).name : value;
}

async function foundOf(shell: Shell, key: string, settings: UserSettings): Promise<Told> {
  const { variable: defaultValue = 'POLYA_MODEL' } = settingOf(key);
  const isServer = key === 'store' && (shell.ownEnv ?? shell.env).POLYA_STORE?.trim();
  const variable = isServer ? 'POLYA_STORE' : defaultValue;
  const own = shell.ownEnv ?? shell.env;
  const isRole = key.startsWith('model.');
  const text = own[variable]?.trim();
  if (text) return { key, value: text, from: 'environment', where: variable };
  const project = await ofProject(shell, isRole ? 'model' : key, settings);
  if (project?.isProject) return { key, value: project.value, from: 'project', where: project.where };
  const set = settings[key] ?? (isRole ? settings.model : undefined);
  if (set !== undefined) return { key, value: set, from: 'user', where: settingsFile(shell.env) };
  if (project) return { key, value: project.value, from: 'user', where: project.where };
  return { key, value: builtIn(shell, key), from: 'default', where: '' };
}

/** What the folder of the project says, or the user's `polya.config.ts`. */
async function ofProject(shell: Shell, key: string, { store = '' }: UserSettings) {
  const { folder, env } = shell;
  if (key === 'model') {
    const found = await configuredModel({ folder, env, files: [] });
    return found && { value: found.model, where: found.file, isProject: !found.isUsers };
  }
  const place = key === 'store' ? findProject(folder) : null;
  // A server holds where the project has no journals of its own.
  const isOpen = isPostgresAddress(store) && !hasRuns({ folder, env: {} });
  return place === null || isOpen
    ? null
    : { value: findHome(place, {}).folder, where: place, isProject: true };
}

function builtIn({ folder }: Shell, key: string): string | null {
  if (key === 'store') return findHome(folder, {}).folder;
  return key === 'sandbox' ? 'bubblewrap, else docker' : null;
}

function whereText(from: string, where: string): string {
  if (from === 'default') return 'the default';
  if (from === 'environment') return `${where} in the environment`;
  return from === 'project' ? `the project: ${where}` : where;
}
