/**
 * Agents that are parts of another. What is theirs stands under `name/`: settings, prompts and roles in the header, kinds
 * of notes in the journal. A part knows nothing of it: it is handed a run that puts the name before.
 */
import { z } from 'zod';
import type { Agent, BranchFunction, Decision, Limits, Run, Solution } from './agent.ts';
import type { JsonObject } from './json.ts';
import type { Evaluation, Problem } from './problem.ts';

/** What an agent with parts runs them by. */
export type Parts = {
  /** `settings` go before those of the header. */
  solve(name: string, task: PartTask): Promise<Solution>;
};

/** What a part is handed when the whole runs it. */
export type PartTask = {
  readonly problem: Problem;
  readonly run: Run;
  readonly settings: JsonObject;
  readonly watch?: PartWatch;
  /** What the part may use, as it is told: the ledger is the run's. Default: what the run may. */
  readonly limits?: Limits;
};

/** What the whole sees of a part: each call of a model as it is asked for, what programs came to, notes by the part's names. */
export type PartWatch = {
  call?(): void;
  evaluated?(source: string, evaluation: Evaluation): void;
  note?(kind: string, data: JsonObject): void;
};

const under = (part: Agent, own: Readonly<JsonObject>): JsonObject =>
  Object.fromEntries(Object.entries(own).map(([name, value]) => [`${part.name}/${name}`, value]));

/** The settings of the part, without its name in front. */
export function settingsOfPart({ name }: Agent, settings: JsonObject): JsonObject {
  const own = Object.entries(settings).filter(([key]) => key.startsWith(`${name}/`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(name.length + 1), value]));
}

/** The settings that belong to no part. */
export const withoutParts = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !key.includes('/')));

/** A required setting of a part is the whole's to give, when it runs the part. */
export function schemaWithParts(own: z.ZodType, parts: readonly Agent[]): z.ZodType {
  if (parts.length === 0) return own;
  const shapeOf = (schema: z.ZodType) => (schema instanceof z.ZodObject ? schema.shape : {});
  const shapes = parts.flatMap((part) =>
    Object.entries(shapeOf(part.settings)).map(([name, schema]) => {
      const isRequired = !z.safeParse(schema, undefined).success;
      return [`${part.name}/${name}`, isRequired ? z.optional(schema) : schema] as const;
    }),
  );
  return z.strictObject({ ...shapeOf(own), ...Object.fromEntries(shapes) });
}

export function declaredByParts(parts: readonly Agent[]) {
  const named = (pick: (part: Agent) => readonly string[]) =>
    parts.flatMap((part) => pick(part).map((name) => `${part.name}/${name}`));
  const prompts = parts.flatMap((part) =>
    Object.entries(part.prompts).map(([name, text]) => [`${part.name}/${name}`, text] as const),
  );
  return {
    roles: named(({ roles }) => roles),
    prompts: Object.fromEntries(prompts),
    absentMeans: Object.assign({}, ...parts.map((part) => under(part, part.absentMeans ?? {}))) as JsonObject,
  };
}

/** What is open in the settings of parts is decided with the rest, so that no resume decides anew. */
export function decidedParts(
  parts: readonly Agent[],
  settings: JsonObject,
  about: { readonly problem: Problem; readonly limits: Limits },
): Decision<JsonObject>['settings'] {
  const decided = parts.map((part) => {
    const own = part.decide?.(settingsOfPart(part, settings), about).settings;
    return own ? under(part, own) : {};
  });
  return Object.assign({}, settings, ...decided) as JsonObject;
}

export function partsOf(parts: readonly Agent[], settings: JsonObject): Parts {
  return {
    solve(name, { problem, run, settings: given, watch = {}, limits = run.limits }) {
      const part = parts.find((each) => each.name === name);
      if (!part) throw new Error(`There is no part ${name}.`);
      return part.solve(problem, within(run, name, { watch, limits }), {
        ...settingsOfPart(part, settings),
        ...given,
      });
    },
  };
}

function within(run: Run, name: string, told: { watch: PartWatch; limits: Limits }): Run {
  const { watch, limits } = told;
  const whole = (own: string) => (own.startsWith(`${name}/`) ? own : `${name}/${own}`);
  const inside =
    <T>(work: BranchFunction<T>): BranchFunction<T> =>
    (here) =>
      work(within(here, name, told));
  const all = <T>(branches: Readonly<Record<string, BranchFunction<T>>>) =>
    Object.fromEntries(Object.entries(branches).map(([key, work]) => [key, inside(work)]));
  const own: Partial<Run> = {
    limits,
    generate: (role, request, use) => {
      watch.call?.();
      return run.generate(whole(role), request, use);
    },
    evaluate: async (source, cases) => {
      const evaluation = await run.evaluate(source, cases);
      watch.evaluated?.(source, evaluation);
      return evaluation;
    },
    settingsFor: (role, asked) => run.settingsFor(whole(role), asked),
    prompt: (prompt, places) => run.prompt(whole(prompt), places),
    note: (kind, data) => {
      watch.note?.(kind, data);
      run.note(whole(kind), data);
    },
    branch: (branch, work) => run.branch(branch, inside(work)),
    race: (branches) => run.race(all(branches)),
    until: (branches, enough) => run.until(all(branches), enough),
  };
  return new Proxy(run, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
