/** Agents and families with the types of their own schemas, made into the contracts of `agent.ts` and `problem.ts`. */
import { z } from 'zod';
import type { Agent, Decision, Demands, Limits, Run, Solution, TypicalRun } from './agent.ts';
import { assertReturned } from './border.ts';
import { UserError } from './errors.ts';
import type { Io } from './io.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from './json.ts';
import type { ImagePart, TextPart } from './model.ts';
import type { Brief, Capability, Family, Problem, ProblemSpec } from './problem.ts';
import { capabilities } from './problem.ts';

/** A problem that offers these capabilities: what an agent that needs them is handed. */
export type ProblemWith<Needs extends Capability> = Problem & Required<Pick<Problem, Needs & keyof Problem>>;

/** What `defineAgent` takes. */
export type AgentDefinition<Settings extends object, Needs extends Capability> = {
  /** By which a run names it: lower case, digits and hyphens. */
  readonly name: string;
  /** The settings with their defaults. Values must be JSON; a resume parses them again. */
  readonly settings: z.ZodType<Settings>;
  /** The problem must offer these; else the run is refused before anything is paid. Default: none. */
  readonly needs?: readonly Needs[];
  /** The problem must offer one of these, at least; the agent looks which. */
  readonly needsOneOf?: readonly Capability[];
  /** The roles in which it calls models; each may have a model of its own. Default: `solver`. */
  readonly roles?: readonly string[];
  /** Its prompts by name, which users may replace; read with `run.prompt`. `{{task}}` is a place. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** How many replies a run of it usually takes, for estimates of cost. */
  readonly usualTurns?: number | ((settings: NoInfer<Settings>) => number);
  /** The same by its settings, for an agent whose requests do not grow from turn to turn. */
  usual?(settings: NoInfer<Settings>): TypicalRun;
  /** Decides settings that its user left open, once, before the run begins; the header keeps the decision. */
  decide?(
    settings: NoInfer<Settings>,
    subject: { readonly problem: ProblemWith<NoInfer<Needs>>; readonly limits: Limits },
  ): Decision<NoInfer<Settings>>;
  /** What a run with these settings asks of its models and of the sandbox. */
  demands?(settings: NoInfer<Settings>): Demands;
  /** The algorithm. It awaits only what the run gives it, and takes time and chance from there alone. */
  solve(problem: ProblemWith<NoInfer<Needs>>, run: Run, settings: NoInfer<Settings>): Promise<Solution>;
};

/**
 * Makes an agent whose settings have the types of its schema, and whose problem has what it needs.
 *
 * @example
 * const once = defineAgent({
 *   name: 'once',
 *   settings: z.object({ system: z.string().default('Be brief.') }),
 *   needs: ['parse'],
 *   async solve(problem, run, { system }) {
 *     const { task } = problem.spec.brief;
 *     const messages = [{ role: 'system', content: system }, { role: 'user', content: task }] as const;
 *     const answer = problem.parse(textOf(requireReply(await run.generate('solver', { messages })).message));
 *     return answer.type === 'misfit' ? { end: 'malformed' } : { end: 'answered', answer };
 *   },
 * });
 */
export function defineAgent<Settings extends object, Needs extends Capability = never>(
  definition: AgentDefinition<Settings, Needs>,
): Agent {
  const { name, settings: schema, needs = [], needsOneOf, usualTurns, usual, decide, demands } = definition;
  assertFunctions(`The agent ${name}`, definition, ['solve']);
  const offers = (problem: Problem): ProblemWith<Needs> => {
    if (
      hasCapabilities(problem, needs) &&
      missingCapabilities({ needs, needsOneOf }, capabilitiesOf(problem)).length === 0
    )
      return problem;
    throw missingCapabilitiesError({ name, needs, needsOneOf }, problem);
  };
  const read = (settings: JsonObject): Settings => readWith(schema, settings, `The settings of ${name}`);
  return {
    name,
    settings: schema,
    needs,
    needsOneOf,
    roles: definition.roles ?? ['solver'],
    prompts: definition.prompts ?? {},
    usualTurns: typeof usualTurns === 'function' ? (settings) => usualTurns(read(settings)) : usualTurns,
    usual: usual && ((settings) => usual(read(settings))),
    demands: demands && ((settings) => demands(read(settings))),
    decide:
      decide &&
      ((settings, { problem, limits }) => {
        const decision = decide(read(settings), { problem: offers(problem), limits });
        assertReturned('decide', decision, `The agent ${name}`);
        return { ...decision, settings: jsonObject(decision.settings) };
      }),
    solve: (problem, run, settings) => definition.solve(offers(problem), run, read(settings)),
  };
}

/** The functions of a problem, by what it offers. */
export type ProblemFunctions = Omit<Problem, 'spec'>;

/** What `load` of a family gives: a problem as data. */
export type LoadedProblem<Reference extends object, Detail extends object> = {
  /** Names the problem among all of its family, for lists: `numbers/7`. */
  readonly id: string;
  /** One line for people. */
  readonly title: string;
  /** What any agent may read: words, or words and pictures. */
  readonly statement: string | readonly (TextPart | ImagePart)[];
  /** What the prompts of agents place word for word. What is left out is empty. */
  readonly brief?: Partial<Brief>;
  /** Parts that open one after the other; default: none. */
  readonly stages?: readonly string[];
  /** What the family's functions need to know, such as the right answer. Agents do not see it. */
  readonly detail: Detail;
  /** How it is found again, where that differs from what was given: with an absolute path, for instance. */
  readonly reference?: Reference;
  /**
   * Changes when this becomes another problem: a run is not resumed then. Default: a hash of the statement, the brief
   * without its environment, the stages and the detail.
   */
  readonly contentHash?: string;
};

/** What `defineFamily` takes. */
export type FamilyDefinition<Reference extends object, Detail extends object, Offers extends Capability> = {
  /** By which a run names it: lower case, digits and hyphens. */
  readonly name: string;
  /** How one of its problems is found: `{ file, line }`, for instance. JSON; stands in the journal. */
  readonly reference: z.ZodType<Reference>;
  /** What `load` finds out for `open`. JSON; stands in the journal and is hidden from agents. */
  readonly detail: z.ZodType<Detail>;
  /** Whether any host can go on with a run: `open` and what it gives read no files of the host. Default: they may. */
  readonly travels?: boolean;
  /** What all of its problems offer; the compiler holds `open` to it. */
  readonly offers?: readonly Offers[];
  /**
   * Finds a problem: reads files, asks sites. Called once before anything is paid, and on resume, to see whether the problem
   * has changed. Throws `UserError` for what is wrong with the reference.
   */
  load(
    reference: NoInfer<Reference>,
    context: { readonly io: Io; readonly signal: AbortSignal },
  ): Promise<LoadedProblem<NoInfer<Reference>, NoInfer<Detail>>>;
  /** The functions of a problem, in a plain object. Pure and immediate: no files, no clock, no network. */
  open(
    problem: ProblemData<NoInfer<Reference>, NoInfer<Detail>>,
  ): ProblemFunctions & Required<Pick<Problem, NoInfer<Offers> & keyof ProblemFunctions>>;
};

/** A problem as data, with the types of its family's schemas. */
export type ProblemData<Reference extends object, Detail extends object> = Omit<
  ProblemSpec,
  'reference' | 'detail'
> & { readonly reference: Reference; readonly detail: Detail };

/**
 * Makes a family whose references and details have the types of its schemas. Agents see neither of the two, so that a
 * right answer can stand in them.
 *
 * @example
 * const sums = defineFamily({
 *   name: 'sums',
 *   reference: z.object({ a: z.int(), b: z.int() }),
 *   detail: z.object({ sum: z.int() }),
 *   load: async ({ a, b }) => ({
 *     id: `sums/${a}-${b}`,
 *     title: `${a} + ${b}`,
 *     statement: `What is ${a} + ${b}?`,
 *     detail: { sum: a + b },
 *     brief: { task: 'Add the numbers.', answerFormat: 'The sum alone.' },
 *   }),
 *   open: ({ detail }) => ({
 *     parse: (text) => ({ type: 'text', text }),
 *     grade: async ({ answer }) => ({
 *       correct: answer?.type === 'text' && Number(answer.text) === detail.sum,
 *       explanation: `The sum is ${detail.sum}.`,
 *     }),
 *   }),
 * });
 */
export function defineFamily<
  Reference extends object,
  Detail extends object,
  Offers extends Capability = never,
>(definition: FamilyDefinition<Reference, Detail, Offers>): Family {
  const { name, offers, travels } = definition;
  assertFunctions(`The family ${name}`, definition, ['load', 'open']);
  const referenceOf = (json: Json) =>
    readWith(definition.reference, json, `The data that name a problem of ${name}`);
  return {
    name,
    reference: definition.reference,
    offers,
    travels,
    async load(json, io, signal) {
      assertKnownFields(name, definition.reference, json);
      const reference = referenceOf(json);
      const loaded = await definition.load(reference, { io, signal });
      assertReturned('load', loaded, `The family ${name}`);
      const { statement, brief, stages = [], contentHash = '', detail } = loaded;
      return {
        ...loaded,
        family: name,
        reference: jsonObject(loaded.reference ?? reference),
        contentHash,
        statement: typeof statement === 'string' ? [{ type: 'text', text: statement }] : statement,
        brief: { task: '', answerFormat: '', criteria: '', environment: '', ...brief },
        stages,
        detail: jsonObject(detail),
      };
    },
    open(spec) {
      const reference = referenceOf(spec.reference);
      const detail = readWith(definition.detail, spec.detail, `The details of ${spec.title}`);
      const functions = definition.open({ ...spec, reference, detail });
      assertReturned('open', functions, `The family ${name}`);
      const read = functions.parse?.bind(functions);
      const parse = read && {
        parse: (text: string) => assertReturned('parse', read(text), `The family ${name}`),
      };
      return { ...functions, ...parse, spec: { ...spec, reference: {}, detail: {} } };
    },
  };
}

/** zod drops what a plain `z.object` does not know: a misspelled field would name another problem. */
function assertKnownFields(family: string, schema: z.ZodType, json: Json): void {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall || !isJsonObject(json)) return;
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(json).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new UserError({
    code: 'schema-does-not-fit',
    what: `A problem of ${family} is not named by ${unknown}.`,
    fix: `Its fields are: ${known.join(', ')}.`,
  });
}

function readWith<T>(schema: z.ZodType<T>, value: Json, what: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new UserError({
    code: 'schema-does-not-fit',
    what: `${what} do not fit: ${z.prettifyError(read.error)}`,
    fix: 'Correct what is named.',
  });
}

function jsonObject(value: object): JsonObject {
  const json = toJson(value);
  if (isJsonObject(json)) return json;
  throw new TypeError('A list was given where an object with named fields is needed.');
}

function hasCapabilities<Needs extends Capability>(
  problem: Problem,
  needs: readonly Needs[],
): problem is ProblemWith<Needs> {
  const capabilities = capabilitiesOf(problem);
  return needs.every((need) => capabilities.has(need));
}

/** The compiler reports it too, but Node also runs unchecked code. */
function assertFunctions(who: string, definition: object, names: readonly string[]): void {
  const missing = names.find((name) => typeof Reflect.get(definition, name) !== 'function');
  if (missing === undefined) return;
  throw new UserError({
    code: 'user-code-unfit',
    what: `${who} has no function \`${missing}\`.`,
    fix: `Write it, or look for a typing error in its name.`,
  });
}

/** The agent needs what the problem does not offer. */
export function missingCapabilitiesError(agent: Needing & Pick<Agent, 'name'>, problem: Problem): UserError {
  const missing = missingCapabilities(agent, capabilitiesOf(problem));
  return new UserError({
    code: 'problem-lacks-capability',
    what: `The agent ${agent.name} needs what ${problem.spec.title} does not offer: ${missing.join(', ')}.`,
    fix: `\`polya agents\` shows which agents run on the problems of ${problem.spec.family}.`,
  });
}

type Needing = Pick<Agent, 'needs' | 'needsOneOf'>;

/** What the agent needs beyond what is offered; of several that would do, `program or check`. */
export function missingCapabilities(
  { needs, needsOneOf = [] }: Needing,
  capabilities: ReadonlySet<Capability>,
): readonly string[] {
  const missing = needs.filter((need) => !capabilities.has(need));
  const hasOne = needsOneOf.length === 0 || needsOneOf.some((need) => capabilities.has(need));
  return hasOne ? missing : [...missing, needsOneOf.join(' or ')];
}

export function capabilitiesOf(problem: Problem): ReadonlySet<Capability> {
  const isOffered = (name: Capability): boolean => {
    const offered = name === 'stages' ? problem.spec.stages : problem[name];
    return Array.isArray(offered) ? offered.length > 0 : Boolean(offered);
  };
  return new Set(capabilities.filter(isOffered));
}
