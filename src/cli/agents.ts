/** Agents and families here, the user's included, as one value: tables, JSON, help and a page of the documentation show it. */
import { z } from 'zod';
import type { Agent } from '../core/agent.ts';
import { missingCapabilities } from '../core/define.ts';
import type { Json } from '../core/json.ts';
import { capabilities, type Family } from '../core/problem.ts';
import { agentLoaders } from '../open/agents.ts';
import { familyLoaders } from '../open/families.ts';
import type { Journals } from '../open/options.ts';

export type Field = {
  readonly name: string;
  /** For people: `whole number, 1 to 64`. */
  readonly type: string;
  readonly required: boolean;
  /** Null where it has none, or where the default is nothing. */
  readonly default: Json;
  /** Empty where its schema says nothing. */
  readonly description: string;
};

/** Whether all problems of the family, or some, have what the agent needs; `unknown`: the family does not say. */
export type Fit = 'all' | 'some' | 'unknown' | 'none';

export type Facts = Awaited<ReturnType<typeof factsOf>>;
export type AgentFacts = Facts['agents'][number];
export type FamilyFacts = Facts['families'][number];

/** `file`: the user's file that has it; null where it comes with Polya. */
type Found<T> = { readonly is: T; readonly file: string | null };

/** All of them are loaded; no problem is. */
export async function factsOf({ world, code }: Pick<Journals, 'world' | 'code'>) {
  const sources = (await code?.sources()) ?? [];
  const agents: Found<Agent>[] = [];
  for (const name of Object.keys(agentLoaders)) agents.push({ is: await world.agent(name), file: null });
  const families: Found<Family>[] = [];
  for (const name of Object.keys(familyLoaders)) families.push({ is: await world.family(name), file: null });
  for (const { file, ...loaded } of sources) {
    agents.push(...unnamed(agents, loaded.agents).map((is) => ({ is, file })));
    families.push(...unnamed(families, loaded.families).map((is) => ({ is, file })));
  }
  return {
    agents: agents.map(({ is, file }) => ({
      name: is.name,
      file,
      needs: is.needs,
      needsOneOf: is.needsOneOf ?? [],
      roles: is.roles,
      prompts: Object.keys(is.prompts),
      settings: fieldsOf(is.settings).flat(),
      fits: Object.fromEntries(families.map((family) => [family.is.name, fitOf(is, family.is)])),
      /** What each family lacks for it, of those that say what they offer. */
      missing: Object.fromEntries(
        families.map(({ is: { name, offers = capabilities, mayOffer = [] } }) => [
          name,
          missingCapabilities(is, new Set([...offers, ...mayOffer])),
        ]),
      ),
    })),
    families: families.map(({ is, file }) => ({
      name: is.name,
      file,
      /** Null where it does not say. */
      offers: is.offers ?? null,
      mayOffer: is.mayOffer ?? [],
      /** How a problem is named: the fields of each form; empty where the family does not say. */
      problem: is.reference ? fieldsOf(is.reference) : [],
      fits: Object.fromEntries(agents.map((agent) => [agent.is.name, fitOf(agent.is, is)])),
    })),
  };
}

/** Removes the name, which the caller shows before it. */
function unnamed<T extends { readonly name: string }>(
  before: readonly Found<{ readonly name: string }>[],
  more: readonly T[],
): readonly T[] {
  return more.filter(({ name }) => !before.some(({ is }) => is.name === name));
}

function fitOf(agent: Agent, { offers, mayOffer = [] }: Family): Fit {
  if (missingCapabilities(agent, new Set(offers)).length === 0) return 'all';
  if (offers === undefined) return 'unknown';
  return missingCapabilities(agent, new Set([...offers, ...mayOffer])).length === 0 ? 'some' : 'none';
}

/** One list for each form that the schema knows. */
export function fieldsOf(schema: z.ZodType): readonly (readonly Field[])[] {
  // As its user writes it: what has a default may be left out. What JSON Schema cannot say is any value.
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { anyOf, ...own } = schemaShape.parse(json);
  return (anyOf ?? [own]).map(fieldsIn);
}

const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().default(''),
  default: z.json().default(null),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  required: z.array(z.string()).default([]),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  get properties() {
    return z.record(z.string(), schemaShape).default({});
  },
  get anyOf() {
    return z.array(schemaShape).optional();
  },
  get items() {
    return schemaShape.optional();
  },
});
type Schema = z.infer<typeof schemaShape>;

/** What many agents have, and a schema need not say again. */
const usualMeanings: Readonly<Record<string, string>> = {
  temperature: 'Temperature of model calls. Absent: the model’s default.',
  maxOutputTokens: 'The longest reply. Absent: the model’s limit.',
  reasoningEffort: 'How hard the models think. Absent: their default.',
  timeLimitSeconds: 'After this long, nothing new is begun.',
};

function fieldsIn({ properties, required }: Schema): readonly Field[] {
  return Object.entries(properties).map(([name, field]) => {
    const description = field.description || (usualMeanings[name.replace(/^.*\//, '')] ?? '');
    return {
      name,
      type: typeText(field),
      required: required.includes(name),
      default: field.default,
      description,
    };
  });
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  null: 'null',
};

function typeText(schema: Schema): string {
  const { type, anyOf, enum: values, const: value, items } = schema;
  if (values) return values.map(String).join(' | ');
  if (value !== undefined) return String(value);
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' | ');
  if (type === undefined) return 'any value';
  if (typeof type !== 'string') return type.map((each) => typeNames[each] ?? each).join(' | ');
  if (type === 'array') return items ? `list of ${typeText(items)}` : 'list';
  return `${typeNames[type] ?? type}${rangeText(schema)}`;
}

/** The largest integers are what a schema says that knows no limit. */
function rangeText({ minimum, maximum, exclusiveMinimum }: Schema): string {
  const from = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (from !== undefined && to !== undefined) return `, ${from} to ${to}`;
  if (exclusiveMinimum !== undefined && exclusiveMinimum > Number.MIN_SAFE_INTEGER)
    return to === undefined ? `, above ${exclusiveMinimum}` : `, above ${exclusiveMinimum}, up to ${to}`;
  if (from !== undefined) return `, at least ${from}`;
  return to === undefined ? '' : `, up to ${to}`;
}
