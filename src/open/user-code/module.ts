/** What a module of the user's exports: agents, families, models, prices and quirks. All is checked before any of it is used. */
import type { Agent } from '../../core/agent.ts';
import { ExplainedError } from '../../core/errors.ts';
import type { Model, ServerQuirk } from '../../core/model.ts';
import { capabilities, type Family } from '../../core/problem.ts';
import { isCatalogued } from '../../models/catalogue.ts';
import { type PriceTable, priceTable, type QuirkTable, quirkTable } from '../../models/tables.ts';
import { parseSettings } from '../../run/start.ts';
import { agentLoaders } from '../agents.ts';
import { familyLoaders } from '../families.ts';
import { meant, namedLikeOurs, namedTwice, noDefault, unfit } from './failures.ts';
import { guardedAgent, guardedFamily } from './guard.ts';

/**
 * What `polya.config.ts` exports as its default, beside `.polya/`. A file with an agent or a family alone exports that.
 *
 * @example
 * export default { agents: [mine], model: 'openai/gpt-5.1' } satisfies PolyaConfig;
 */
export type PolyaConfig = {
  /** Agents of your own; their names are none of Polya's. */
  readonly agents?: readonly Agent[];
  /** Families of your own; their names are none of Polya's. */
  readonly families?: readonly Family[];
  /** By the name that `--model` calls them by. */
  readonly models?: Readonly<Record<string, Model>>;
  /** The model of runs that name none: `openai/gpt-5.1`, or one of `models`. */
  readonly model?: string;
  /** In dollars per million tokens, by a model's name or a pattern such as `ollama/*`. */
  readonly prices?: Readonly<Record<string, PriceLine>>;
  /** What servers refuse, by a model's name or a pattern: `{ 'vllm/*': ['json-object'] }`. It is never sent. */
  readonly quirks?: Readonly<Record<string, readonly ServerQuirk[]>>;
};

/** What a model costs, in dollars per million tokens. What is left out costs what its kind costs otherwise. */
export type PriceLine = {
  readonly input: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly output: number;
  readonly reasoning?: number;
};

export type Brought = {
  readonly agents: readonly Agent[];
  readonly families: readonly Family[];
  readonly models: ReadonlyMap<string, Model>;
  readonly model: string | null;
  readonly prices: PriceTable | null;
  readonly quirks: QuirkTable | null;
};

/** `file` is for people. Throws `UserError` for whatever cannot be used. */
export function broughtBy(file: string, module: Readonly<Record<string, unknown>>): Brought {
  const { default: exported, ...others } = module;
  if (exported === undefined || exported === null) throw noDefault(file, Object.keys(others));
  const config = configIn(file, exported);
  const { agents, families, models } = partsOf(file, config, [agentLoaders, familyLoaders]);
  for (const agent of agents) refuseUnreadableSettings(file, agent);
  const { model = null } = config;
  if (model !== null && (typeof model !== 'string' || model.trim() === '')) {
    throw unfit(
      file,
      'Its `model` is no name of a model.',
      "Write the name as `--model` takes it: `model: 'openai/gpt-5.1'`.",
    );
  }
  return {
    agents,
    families,
    models,
    model,
    prices: config.prices === undefined ? null : priceTable(config.prices, file),
    quirks: config.quirks === undefined ? null : quirkTable(config.quirks, file),
  };
}

/** `taken`: agents and families whose names are no more to be had. */
export function partsOf(
  file: string,
  { agents: ownAgents, families: ownFamilies, models }: Readonly<Record<string, unknown>>,
  [takenAgents, takenFamilies]: readonly [object, object] = [{}, {}],
): Pick<Brought, 'agents' | 'families' | 'models'> {
  const agents = listOf(file, 'agents', ownAgents).map((each) =>
    guardedAgent(partIn<Agent>(file, 'agent', each)),
  );
  const families = listOf(file, 'families', ownFamilies).map((each) =>
    guardedFamily(partIn<Family>(file, 'family', each)),
  );
  refuseTwins(file, 'agent', agents, Object.keys(takenAgents));
  refuseTwins(file, 'family', families, Object.keys(takenFamilies));
  return { agents, families, models: new Map(Object.entries(modelsIn(file, models))) };
}

/** Read once as they are when none is given: `polya agents` and help do so too. Some may have to be given. */
function refuseUnreadableSettings(file: string, agent: Agent): void {
  try {
    parseSettings(agent, {});
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    const { code, what, why, fix } = error.explanation;
    if (code !== 'settings-invalid') throw unfit(file, [what, why].filter(Boolean).join(' '), fix);
  }
}

const keys = ['agents', 'families', 'models', 'model', 'prices', 'quirks'];
const keysOfAgents = ['solve', 'settings', 'needs', 'roles', 'prompts'];
const keysOfFamilies = ['load', 'open', 'reference', 'offers'];

/** An agent or a family alone is a configuration that has nothing else. */
function configIn(file: string, exported: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(exported)) {
    const is = typeof exported === 'function' ? 'a function' : `no object (${typeof exported})`;
    throw unfit(file, `Its default export is ${is}.`);
  }
  if (keysOfAgents.some((key) => key in exported)) return { agents: [exported] };
  if (keysOfFamilies.some((key) => key in exported)) return { families: [exported] };
  const unknown = Object.keys(exported).find((key) => !keys.includes(key));
  if (unknown === undefined) return exported;
  const right = meant(unknown, keys);
  throw unfit(
    file,
    `Its default export has ${unknown}, which means nothing here.`,
    right ? `Did you mean ${right}?` : `It may have ${keys.join(', ')}.`,
  );
}

function listOf(file: string, key: string, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw unfit(file, `Its \`${key}\` are no list.`, `Write \`${key}: [mine]\`.`);
}

/** A part of which `problem` is null. */
function isFit<T>(_value: unknown, problem: string | null): _value is T {
  return problem === null;
}

function partIn<T>(file: string, noun: 'agent' | 'family', value: unknown): T {
  const problemOf = noun === 'agent' ? problemOfAgent : problemOfFamily;
  const problem = isRecord(value) ? (problemOfName(value.name) ?? problemOf(value)) : 'is no object';
  if (isFit<T>(value, problem)) return value;
  const name = isRecord(value) && typeof value.name === 'string' ? ` ${value.name}` : '';
  const make = noun === 'agent' ? 'defineAgent' : 'defineFamily';
  const right = `Make it with \`${make}({ … })\`, which the editor checks; docs/your-own.md shows one.`;
  throw unfit(file, `The ${noun}${name} ${problem}.`, right);
}

function problemOfAgent(value: Readonly<Record<string, unknown>>): string | null {
  if (typeof value.solve !== 'function') return 'has no function `solve`';
  if (!isSchema(value.settings)) return 'has `settings` that are no zod schema (`z.object({ … })`)';
  const need = listed(value.needs).find((each) => !capabilities.some((known) => known === each));
  if (!Array.isArray(value.needs)) return 'has no list `needs`';
  if (need !== undefined)
    return `needs ${String(need)}, which no problem offers (${capabilities.join(', ')})`;
  const role = listed(value.roles).find((each) => !isWord(each) || !/^[A-Za-z][\w.-]{0,63}$/.test(each));
  if (!Array.isArray(value.roles) || value.roles.length === 0)
    return 'has no list of `roles` in which it calls models';
  if (role !== undefined) return `has a role ${JSON.stringify(role)}: ${nameWords}`;
  if (!isRecord(value.prompts) || !Object.values(value.prompts).every(isWord))
    return 'has no `prompts`, texts by their names';
  // `prompts export` writes a file of each.
  const prompt = Object.keys(value.prompts).find((name) => !/^[\w-][\w .-]{0,63}$/.test(name));
  return prompt === undefined ? null : `has a prompt named ${JSON.stringify(prompt)}: ${nameWords}`;
}

function problemOfFamily(value: Readonly<Record<string, unknown>>): string | null {
  if (typeof value.load !== 'function') return 'has no function `load`';
  if (typeof value.open !== 'function') return 'has no function `open`';
  if (value.reference !== undefined && !isSchema(value.reference))
    return 'has a `reference` that is no zod schema (`z.object({ … })`)';
  const offer = listed(value.offers).find((each) => !capabilities.some((known) => known === each));
  return offer === undefined
    ? null
    : `offers ${String(offer)}, which no agent needs (${capabilities.join(', ')})`;
}

const nameWords = 'up to 64 letters, digits, - and _, a letter first';

/** Options tell a name from a file by it. */
const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

function problemOfName(name: unknown): string | null {
  if (typeof name !== 'string') return 'has no `name`';
  return nameForm.test(name) ? null : `has a name that is none: ${nameWords}`;
}

function modelsIn(file: string, value: unknown): Readonly<Record<string, Model>> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw unfit(file, 'Its `models` are no object.', 'Write `models: { NAME: model }`.');
  const found: Record<string, Model> = {};
  for (const [name, model] of Object.entries(value)) {
    if (isCatalogued(name)) throw namedLikeOurs(file, 'model', name);
    if (!isModel(model)) {
      throw unfit(
        file,
        `Its model ${name} is none: it has no \`id\`, \`kind\`, \`takes\` and \`generate\`.`,
        'Write a `Model`, or make one with `scriptedModel({ … })`. A name for a model of a provider goes into `model`.',
      );
    }
    found[name] = model;
  }
  return found;
}

function isModel(value: unknown): value is Model {
  return (
    isRecord(value) &&
    isWord(value.id) &&
    isWord(value.kind) &&
    isRecord(value.takes) &&
    typeof value.generate === 'function'
  );
}

function refuseTwins(
  file: string,
  noun: 'agent' | 'family',
  named: readonly { readonly name: string }[],
  ours: readonly string[],
): void {
  const names = named.map(({ name }) => name);
  const like = names.find((name) => ours.includes(name));
  if (like !== undefined) throw namedLikeOurs(file, noun, like);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw namedTwice(file, noun, twice);
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): boolean {
  return isRecord(value) && typeof value.safeParse === 'function' && '_zod' in value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string';
}
