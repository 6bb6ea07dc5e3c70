/** What a module of the user's exports: agents, families, models, prices and quirks. All is checked before any of it is used. */
import { z } from 'zod';
import type { Agent } from '../../core/agent.ts';
import { ExplainedError, UserError } from '../../core/errors.ts';
import type { Model, ServerQuirk } from '../../core/model.ts';
import { capabilities, type Family } from '../../core/problem.ts';
import { isInCatalogue } from '../../models/catalogue.ts';
import { type PriceTable, priceTable, type QuirkTable, quirkTable } from '../../models/tables.ts';
import { parseSettings } from '../../run/start.ts';
import { nearestOf } from '../../text/nearest.ts';
import { agentLoaders } from '../agents.ts';
import { familyLoaders } from '../families.ts';
import { exampleOfExport, invalidExport } from './failures.ts';
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

export type LoadedModule = {
  readonly agents: readonly Agent[];
  readonly families: readonly Family[];
  readonly models: ReadonlyMap<string, Model>;
  readonly model: string | null;
  readonly prices: PriceTable | null;
  readonly quirks: QuirkTable | null;
};

/** `file` is for people. Throws `UserError` for whatever cannot be used. */
export function loadModuleExports(file: string, module: Readonly<Record<string, unknown>>): LoadedModule {
  const { default: exported, ...others } = module;
  if (exported === undefined || exported === null) throw noDefault(file, Object.keys(others));
  const config = configIn(file, exported);
  const parts = partsOf(file, config, [agentLoaders, familyLoaders]);
  for (const agent of parts.agents) assertReadableSettings(file, agent);
  const { model = null, prices, quirks } = config;
  if (model !== null && (typeof model !== 'string' || model.trim() === '')) {
    const fix = "Write the name as `--model` takes it: `model: 'openai/gpt-5.1'`.";
    throw invalidExport(file, 'Its `model` is no name of a model.', fix);
  }
  return {
    ...parts,
    model,
    prices: prices === undefined ? null : priceTable(prices, file),
    quirks: quirks === undefined ? null : quirkTable(quirks, file),
  };
}

/** `taken`: agents and families whose names are no more to be had. */
export function partsOf(
  file: string,
  config: Readonly<Record<string, unknown>>,
  [takenAgents, takenFamilies]: readonly [object, object] = [{}, {}],
): Pick<LoadedModule, 'agents' | 'families' | 'models'> {
  const agents = listIn(file, config, 'agents').map((each) =>
    guardedAgent(partIn<Agent>(file, 'agent', each)),
  );
  const families = listIn(file, config, 'families').map((each) =>
    guardedFamily(partIn<Family>(file, 'family', each)),
  );
  assertFreeNames(file, 'agent', agents, Object.keys(takenAgents));
  assertFreeNames(file, 'family', families, Object.keys(takenFamilies));
  return { agents, families, models: new Map(Object.entries(modelsIn(file, config.models))) };
}

function noDefault(file: string, named: readonly string[]): UserError {
  return new UserError({
    code: 'user-code-no-default',
    what: `${file} has no default export.`,
    why: named.length > 0 ? `It exports ${named.join(', ')}.` : 'It exports nothing.',
    fix: named.length === 1 ? `Add \`export default ${named[0]};\`.` : exampleOfExport,
  });
}

/** Read once as they are when none is given: `polya agents` and help do so too. Some may have to be given. */
function assertReadableSettings(file: string, agent: Agent): void {
  try {
    parseSettings(agent, {});
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    const { code, what, why, fix } = error.explanation;
    if (code !== 'settings-invalid') throw invalidExport(file, [what, why].filter(Boolean).join(' '), fix);
  }
}

const keys = ['agents', 'families', 'models', 'model', 'prices', 'quirks'];
const keysOfAgents = ['solve', 'settings', 'needs', 'roles', 'prompts'];
const keysOfFamilies = ['load', 'open', 'reference', 'offers'];

/** An agent or a family alone is a configuration that has nothing else. */
function configIn(file: string, exported: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(exported)) {
    const kind = typeof exported === 'function' ? 'a function' : `no object (${typeof exported})`;
    throw invalidExport(file, `Its default export is ${kind}.`);
  }
  if (keysOfAgents.some((key) => key in exported)) return { agents: [exported] };
  if (keysOfFamilies.some((key) => key in exported)) return { families: [exported] };
  const unknown = Object.keys(exported).find((key) => !keys.includes(key));
  if (unknown === undefined) return exported;
  const right = nearestOf(unknown, keys);
  const fix = right ? `Did you mean ${right}?` : `It may have ${keys.join(', ')}.`;
  throw invalidExport(file, `Its default export has ${unknown}, which means nothing here.`, fix);
}

function listIn(file: string, config: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const value = config[key] ?? [];
  if (Array.isArray(value)) return value;
  throw invalidExport(file, `Its \`${key}\` are no list.`, `Write \`${key}: [mine]\`.`);
}

const nameWords = 'up to 64 letters, digits, - and _, a letter first';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const schema = (message: string) =>
  z.custom((value) => isRecord(value) && '_zod' in value && isFunction(value.safeParse), message);
const capabilityList = (list: string, verb: string, other: string) =>
  z.array(
    z.enum(capabilities, {
      error: ({ input }) => `${verb} ${String(input)}, which no ${other} (${capabilities.join(', ')})`,
    }),
    `has no list \`${list}\``,
  );

/** Options tell a name from a file by it. */
const name = z
  .string('has no `name`')
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, `has a name that is none: ${nameWords}`);

/** Each message goes on with "The agent NAME", "The family NAME" or "The model NAME". */
const forms = {
  agent: z.looseObject(
    {
      name,
      solve: z.custom(isFunction, 'has no function `solve`'),
      settings: schema('has `settings` that are no zod schema (`z.object({ … })`)'),
      needs: capabilityList('needs', 'needs', 'problem offers'),
      roles: z
        .array(z.string().regex(/^[A-Za-z][\w.-]{0,63}$/, `has a role that is none: ${nameWords}`))
        .min(1, 'has no list of `roles` in which it calls models'),
      // `agents NAME --export-prompts` writes a file of each.
      prompts: z.record(
        z.string().regex(/^[\w-][\w .-]{0,63}$/, `has a prompt named in another form: ${nameWords}`),
        z.string('has `prompts` that are no texts'),
        'has no `prompts`, texts by their names',
      ),
    },
    'is no object',
  ),
  family: z.looseObject(
    {
      name,
      load: z.custom(isFunction, 'has no function `load`'),
      open: z.custom(isFunction, 'has no function `open`'),
      reference: schema('has a `reference` that is no zod schema (`z.object({ … })`)').optional(),
      offers: capabilityList('offers', 'offers', 'agent needs').optional(),
    },
    'is no object',
  ),
  model: z.looseObject({
    id: z.string(),
    kind: z.string(),
    takes: z.looseObject({}),
    generate: z.custom(isFunction),
  }),
};

/** The value as it is: a copy would lose what stands in its class. */
function partIn<T>(file: string, noun: 'agent' | 'family', value: unknown): T {
  const { error } = forms[noun].safeParse(value);
  if (!error) return value as T;
  const known = isRecord(value) && typeof value.name === 'string' ? ` ${value.name}` : '';
  const [issue] = error.issues;
  // A record tells of its keys one level deeper.
  const problem = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  const make = noun === 'agent' ? 'defineAgent' : 'defineFamily';
  const fix = `Make it with \`${make}({ … })\`, which the editor checks; docs/your-own.md shows one.`;
  throw invalidExport(file, `The ${noun}${known} ${problem}.`, fix);
}

function modelsIn(file: string, value: unknown = {}): Readonly<Record<string, Model>> {
  if (!isRecord(value))
    throw invalidExport(file, 'Its `models` are no object.', 'Write `models: { NAME: model }`.');
  for (const [name, model] of Object.entries(value)) {
    if (isInCatalogue(name)) throw builtInNameError(file, 'model', name);
    if (forms.model.safeParse(model).success) continue;
    throw invalidExport(
      file,
      `Its model ${name} is none: it has no \`id\`, \`kind\`, \`takes\` and \`generate\`.`,
      'Write a `Model`, or make one with `scriptedModel({ … })`. A name for a model of a provider goes into `model`.',
    );
  }
  return value as Readonly<Record<string, Model>>;
}

function assertFreeNames(
  file: string,
  noun: 'agent' | 'family',
  parts: readonly { readonly name: string }[],
  local: readonly string[],
): void {
  const names = parts.map(({ name }) => name);
  const claimed = names.find((name) => local.includes(name));
  if (claimed !== undefined) throw builtInNameError(file, noun, claimed);
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate === undefined) return;
  throw new UserError({
    code: 'user-code-twice',
    what: `${file} has two ${noun === 'family' ? 'families' : 'agents'} named ${duplicate}.`,
    why: 'A run names them, and must find the one that is meant.',
    fix: 'Give one of them another name.',
  });
}

function builtInNameError(file: string, noun: string, name: string): UserError {
  return new UserError({
    code: 'user-code-built-in',
    what: `${file} has ${noun === 'agent' ? 'an' : 'a'} ${noun} named ${name}, and one of that name comes with Polya.`,
    why: 'Journals that were made with one of them would be gone on with by the other.',
    fix: 'Give yours another name.',
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
