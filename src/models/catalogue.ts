/** From the name that a user writes to a model. A new provider needs a file and a line in `providers/`. */
import { resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import type { Price } from '../core/usage.ts';
import type { ManualModels } from './manual/manual.ts';
import { isHttpUrl, keyVariableIn, type Provider, resolveConnection, withoutPassword } from './provider.ts';
import { providerOf, providers } from './providers/index.ts';
import { type Script, scriptedModel } from './scripted.ts';

export type ModelConfig = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the model is, instead of what its provider's variable says. It is journaled: it may hold no password. */
  readonly baseUrl?: string;
  /** Null where it is not known; `id` is what the user wrote, `baseUrl` tells which provider a server stands for. */
  readonly priceOf: (id: string, baseUrl?: string) => Price | null;
  /** Scripts in TypeScript, for `scripted/NAME`. */
  readonly scripts?: Readonly<Record<string, Script>>;
  /** Keys may be missing: nothing will be asked. */
  readonly keyless?: boolean | undefined;
  /** Answers for `manual`; missing: nobody does. */
  readonly people?: ManualModels;
  /** What the paths of script files are relative to; where missing, the working folder. */
  readonly folder?: string;
};

/** `name` is what follows the prefix. */
type Resolve = (name: string, id: string, config: ModelConfig) => Promise<Model>;

/** `form`: how its models are written, for people. */
const forms: readonly { form: string; prefix: string; resolve: Resolve }[] = [
  { form: 'scripted:FILE', prefix: 'scripted:', resolve: scriptFile },
  { form: 'scripted/NAME', prefix: 'scripted/', resolve: namedScript },
  {
    form: 'manual, manual:http[:PORT]',
    prefix: 'manual:',
    resolve: (_, id, config) => createPersonModel(id, config),
  },
  ...providers.map((provider) => ({
    form: `${provider.name}/NAME`,
    prefix: `${provider.name}/`,
    resolve: live(provider),
  })),
];

export const modelForms: readonly string[] = forms.map(({ form }) => form);

/** Whether a name is one that Polya itself looks up. */
export function isInCatalogue(id: string): boolean {
  const { word } = splitId(id);
  return (
    id === 'manual' || forms.some(({ prefix }) => id.startsWith(prefix)) || providerOf(word) !== undefined
  );
}

/** `name` is null where the id has no `/`. */
export function splitId(id: string): { readonly word: string; readonly name: string | null } {
  const [word = ''] = id.split('/', 1);
  return { word, name: word === id ? null : id.slice(word.length + 1).trim() };
}

/** Throws `UserError` where there is no such model, or where a key or a file for it is missing. */
export async function resolveModel(id: string, config: ModelConfig): Promise<Model> {
  if (config.baseUrl !== undefined) rejectBaseUrl(id, config.baseUrl);
  if (id === 'manual') return createPersonModel(id, config);
  const found = forms.find(({ prefix }) => id.startsWith(prefix));
  const name = found ? id.slice(found.prefix.length).trim() : '';
  if (found && name) return found.resolve(name, id, config);
  const { word, name: nameThere } = splitId(id);
  const provider = found ? undefined : providerOf(word);
  if (provider && nameThere !== null) return live(provider)(nameThere, id, config);
  throw new UserError({
    code: 'no-model',
    what: `There is no model "${id}".`,
    why: found ? `Nothing follows "${found.prefix}".` : 'Its provider is not known.',
    fix: /^replay(?:-matched)?:/.test(id)
      ? 'Recorded replies are a script: write one with `polya runs export --format script`, and name it as `scripted:FILE`.'
      : `Models are written ${modelForms.join(', ')}.`,
  });
}

/** A question must never go to another address than the one that was named for it. */
function rejectBaseUrl(id: string, baseUrl: string): void {
  const { word, name } = splitId(id);
  const isOfFile = forms.some(({ prefix }) => prefix.endsWith(':') && id.startsWith(prefix));
  if (name === null || isOfFile || !providerOf(word)) {
    throw new UserError({
      code: 'no-base-url',
      what: `The model ${id} has no address: --base-url means nothing to it.`,
      fix: 'Leave it out, or name a model such as `openai-compatible/NAME`.',
    });
  }
  if (isHttpUrl(baseUrl)) return;
  throw new UserError({
    code: 'base-url-invalid',
    what: `The base URL "${withoutPassword(baseUrl)}" is no usable address.`,
    why: 'It stands in the journal of the run, which holds no password and no key.',
    fix: 'It must begin with http:// or https://, and hold no user, password or query; a key belongs into the variable of its provider.',
  });
}

/** How older configurations name a model: its provider, in any tool's word for it, and its bare name. */
export function modelNameOf({ provider, model }: { provider: string; model: string }): string {
  const found = providerOf(provider.trim().toLowerCase());
  if (!found) {
    throw new UserError({
      code: 'no-such-provider',
      what: `There is no provider "${provider}".`,
      fix: `There are: ${providers.map(({ name }) => name).join(', ')}.`,
    });
  }
  const { word, name } = splitId(model);
  return name !== null && providerOf(word) === found ? model : `${found.name}/${model.trim()}`;
}

async function scriptFile(path: string, id: string, { folder }: ModelConfig): Promise<Model> {
  // Loaded here because the YAML parser and the schema cost 60 ms that only scripts from files need.
  const { loadScript } = await import('./script-file.ts');
  return scriptedModel({ id, script: await loadScript(folder ? resolve(folder, path) : path) });
}

async function namedScript(name: string, id: string, { scripts = {} }: ModelConfig): Promise<Model> {
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (script) return scriptedModel({ id, script });
  const names = Object.keys(scripts);
  throw new UserError({
    code: 'no-such-script',
    what: `There is no script "${name}".`,
    why: names.length ? `There are: ${names.join(', ')}.` : 'No scripts by name are given here.',
    fix: 'For a script in a file, write `scripted:FILE`.',
  });
}

function createPersonModel(id: string, { people }: ModelConfig): Promise<Model> {
  if (people) return people.model(id, id.slice('manual'.length));
  throw new UserError({
    code: 'no-person',
    what: 'No person can be asked here.',
    why: 'Polya was opened without one.',
    fix: 'Give `openJournals` a `person`, or choose another model.',
  });
}

function live(provider: Provider): Resolve {
  return async (name, id, { env: outer, baseUrl, priceOf, keyless }) => {
    const env = baseUrl === undefined ? outer : { ...outer, [provider.baseUrlVariable]: baseUrl };
    const reach = resolveConnection(keyless ? { ...provider, keyIsOptional: true } : provider, id, env);
    const model = await provider.connect({ ...reach, id, name, price: priceOf(id, reach.baseUrl) }, env);
    return addKeyHint(model, keyVariableIn(provider, env));
  };
}

/** Says in a failure for the key which variable held it. */
function addKeyHint(model: Model, variable: string | undefined): Model {
  if (variable === undefined) return model;
  return {
    ...model,
    async generate(request, call) {
      const reply = await model.generate(request, call);
      if (reply.ok || reply.error.kind !== 'auth') return reply;
      const message = `${reply.error.message} (The key is the one in ${variable}.)`;
      return { ...reply, error: { ...reply.error, message } };
    },
  };
}

type ModelChoice = {
  /** For every role without one of its own. */
  readonly default: string | null;
  readonly byRole: Readonly<Record<string, string>>;
};

/**
 * A role is a plain word before the first `=`; a model's own `=` comes after a `/` or `:` and is left alone. The role of a
 * part, `evolution/solver=…`, is told from `provider/na=me` by what follows: a model of a provider or of a kind.
 */
const roleAndModel = /^(?<role>[A-Za-z][\w.-]*|[a-z][\w-]*\/[a-z][\w./-]*(?==[\w.-]+[/:]))=(?<model>.*)$/s;

export function parseModelChoice(values: readonly string[]): ModelChoice {
  let fallback: string | null = null;
  const byRole = new Map<string, string>();
  for (const value of values) {
    const { role, model } = roleAndModel.exec(value)?.groups ?? { model: value };
    if (!model?.trim()) {
      throw new UserError({
        code: 'no-model',
        what: `"${value}" names no model.`,
        fix: 'Write `--model PROVIDER/NAME` or `--model ROLE=PROVIDER/NAME`.',
      });
    }
    if (role === undefined) {
      if (fallback !== null) throw conflictingSources('the default model', fallback, model);
      fallback = model;
    } else {
      const before = byRole.get(role);
      if (before !== undefined) throw conflictingSources(`the model of the role ${role}`, before, model);
      byRole.set(role, model);
    }
  }
  return { default: fallback, byRole: Object.fromEntries(byRole) };
}

function conflictingSources(what: string, before: string, after: string): UserError {
  return new UserError({
    code: 'named-twice',
    what: `${what[0]?.toUpperCase()}${what.slice(1)} is chosen twice: ${before} and ${after}.`,
    fix: 'Give `--model` once for the default and once for each role.',
  });
}
