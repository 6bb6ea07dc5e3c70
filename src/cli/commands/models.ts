/** `polya models`: who could be asked here, and what a model takes. No key is ever shown. */
import type { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import {
  describeModel,
  describeProviders,
  findLocalServers,
  type LocalServer,
  type ModelDescription,
  type ProviderDescription,
} from '../../models/describe.ts';
import { harmlessJson, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { settingForm } from '../model-settings.ts';
import type { Output } from '../output.ts';

export const models: CommandFile = {
  define(command: Command) {
    command
      .argument('[model]', 'what this model takes, as PROVIDER/NAME')
      .option('--json', 'print it as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  polya models\n  polya models openai/gpt-5.1-codex\n  polya models mock --port 8900',
      );
  },
  async run(shell, command) {
    const { json } = command.opts<{ json?: boolean }>();
    const model: string | undefined = command.processedArgs[0];
    if (model === undefined) return list(shell, Boolean(json));
    const description = await describeModel(model, shell.env);
    shell.out.write(json ? `${harmlessJson(description, 2)}\n` : modelText(shell.out, description));
    return exitCodes.ok;
  },
};

async function list(shell: Shell, isJson: boolean): Promise<number> {
  const providers = describeProviders(shell.env);
  const servers = await findLocalServers(shell.env);
  if (isJson) shell.out.write(`${harmlessJson({ providers, servers }, 2)}\n`);
  else {
    const told = [providersTable(shell.out, providers), serversText(shell.out, servers), keyless];
    shell.out.write(told.join('\n'));
  }
  return exitCodes.ok;
}

const keyless =
  'No key and no server: `scripted:FILE`, `manual` (you answer), `replay:FILE` (a recorded conversation).\n';

function providersTable(output: Output, providers: readonly ProviderDescription[]): string {
  const rows = providers.map((provider) => [provider.form, keyText(provider), provider.settings]);
  return table(output, ['models', 'key', 'settings'], rows);
}

function keyText({
  keyVariable,
  keyVariables,
  needsKey,
  isReady,
  baseUrlVariable,
}: ProviderDescription): string {
  if (!needsKey && !keyVariable) return 'needs none';
  if (!keyVariable) return `set ${keyVariables[0]}`;
  return isReady ? `${keyVariable} is set` : `set ${baseUrlVariable}`;
}

function serversText(output: Output, servers: readonly LocalServer[]): string {
  if (servers.length === 0) return 'No server of models was found on this machine.\n';
  const lines = servers.map(({ provider, url, models: names }) => {
    const told = names.length > 0 ? names.map((name) => `${provider}/${name}`).join(', ') : 'no models yet';
    return `  ${output.paint('faint', `${provider} at ${url}`)}: ${oneLine(told)}\n`;
  });
  return `${output.paint('strong', 'On this machine')}\n${lines.join('')}`;
}

function modelText(output: Output, { model, provider, settings }: ModelDescription): string {
  const facts: [string, string][] = [
    ['provider', provider.title],
    ['key', keyText(provider)],
    ...(provider.baseUrl ? [['at', provider.baseUrl] as [string, string]] : []),
    ...Object.entries(settings).map(([name, takes]): [string, string] => [settingForm(name), takes]),
  ];
  const told = facts.map(([name, fact]) => `  ${output.paint('faint', name.padEnd(22))}${oneLine(fact)}\n`);
  return `${output.paint('strong', model)}\n${told.join('')}`;
}
