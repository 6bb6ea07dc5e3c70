/** `polya models`: who could be asked here, and what a model takes. No key is ever shown. */
import { exitCodes, UserError } from '../../core/errors.ts';
import {
  describeModel,
  describeProviders,
  findLocalServers,
  type LocalServer,
  type ModelDescription,
  type ProviderDescription,
} from '../../models/describe.ts';
import type { Journals } from '../../open/options.ts';
import { oneLine } from '../../text/format.ts';
import { formatLabeledValues, table } from '../../text/table.ts';
import { type CommandFile, type Output, print } from '../contract.ts';
import { withPolya } from '../journals.ts';
import { settingForm } from '../model-settings.ts';
import { probeServer } from './models-probe.ts';

type Options = { readonly json?: boolean; readonly probe?: boolean; readonly baseUrl?: string };

export const models: CommandFile = {
  isReport: true,
  define(command) {
    command
      .argument('[model]', 'what this model takes, as PROVIDER/NAME')
      .option('--probe', 'find out with a few small calls, which may cost something, what its server refuses')
      .option('--base-url <url>', 'with --probe: where the model is')
      .option('--json', 'print it as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  polya models\n  polya models openai/gpt-5.1-codex\n  polya models openai-compatible/NAME --probe --base-url http://localhost:8080/v1',
      );
  },
  async run(shell, command) {
    const { out, env } = shell;
    const { json, probe, baseUrl } = command.opts<Options>();
    const [model] = command.args;
    if (probe) return probeServer(shell, { model, baseUrl, json });
    if (baseUrl !== undefined) throw onlyWithProbe();
    const own = await withPolya(shell, ownModels);
    const loaded = own.find(({ name }) => name === model);
    if (loaded) {
      print(
        out,
        json
          ? loaded
          : `${out.paint('strong', loaded.name)}\n${formatLabeledValues(out, [['from', loaded.file]], 22)}`,
      );
      return exitCodes.ok;
    }
    // Other nouns have a command of that name.
    if (model !== undefined && model !== 'list') {
      const description = await describeModel(model, env);
      print(out, json ? description : modelText(out, description));
      return exitCodes.ok;
    }
    const providers = describeProviders(env);
    const servers = await findLocalServers(env);
    const ownText =
      own.length === 0
        ? []
        : [
            table(
              out,
              ['yours', 'from'],
              own.map(({ name, file }) => [name, file]),
            ),
          ];
    const text = [providersTable(out, providers), ...ownText, serversText(out, servers), keyless].join('\n');
    print(out, json ? { providers, servers, own } : text);
    return exitCodes.ok;
  },
};

function onlyWithProbe(): UserError {
  return new UserError({
    code: 'options-conflict',
    what: '--base-url says where --probe finds the model, and nothing is probed.',
    fix: 'Add --probe, or leave it out.',
  });
}

/** The models of `polya.config.ts`; of two with one name the first is asked. */
async function ownModels({ code }: Pick<Journals, 'code'>) {
  const all = ((await code?.sources()) ?? []).flatMap(({ models: named, file }) =>
    [...named.keys()].map((name) => ({ name, file })),
  );
  return all.filter((each) => all.find(({ name }) => name === each.name) === each);
}

const keyless =
  'No key and no server: `scripted:FILE` (replies of yours, or of an earlier run: `polya runs export --format script`), `manual` (you answer).\n';

function providersTable(output: Output, providers: readonly ProviderDescription[]): string {
  const rows = providers.map((provider) => [provider.form, keyText(provider), provider.settings]);
  return table(output, ['models', 'key', 'settings'], rows);
}

function keyText(provider: ProviderDescription): string {
  const { keyVariable, keyVariables, needsKey, isReady, baseUrlVariable } = provider;
  if (!needsKey && !keyVariable) return 'needs none';
  if (!keyVariable) return `set ${keyVariables[0]}`;
  return isReady ? `${keyVariable} is set` : `set ${baseUrlVariable}`;
}

function serversText(output: Output, servers: readonly LocalServer[]): string {
  if (servers.length === 0) return 'No server of models was found on this machine.\n';
  const lines = servers.map(({ provider, url, models: names }) => {
    const text = names.length > 0 ? names.map((name) => `${provider}/${name}`).join(', ') : 'no models yet';
    return `  ${output.paint('faint', `${provider} at ${url}`)}: ${oneLine(text)}\n`;
  });
  return `${output.paint('strong', 'On this machine')}\n${lines.join('')}`;
}

function modelText(output: Output, { model, provider, settings }: ModelDescription): string {
  const facts = [
    ['provider', provider.title],
    ['key', keyText(provider)],
    ['at', provider.baseUrl],
    ...Object.entries(settings).map(([name, takes]) => [settingForm(name), takes] as const),
  ] as const;
  return `${output.paint('strong', model)}\n${formatLabeledValues(output, facts, 22)}`;
}
