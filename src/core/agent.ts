/**
 * The contract of an agent and of the run it is handed.
 * An agent is a plain async function that is deterministic but for its effects, and awaits nothing but effects and
 * branches. Durability is not its business: the run returns the same results again after a crash.
 */
import type { z } from 'zod';
import type { LimitName } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import type { ModelFailure, ModelRequest, ModelSuccess } from './model.ts';
import type { Answer, Capability, Evaluation, Problem, ToolResult, Verdict } from './problem.ts';
import type { ExecRequest, ExecResult } from './sandbox.ts';

/** How an agent ended, as the agent itself sees it. Whether the answer is right is not its to say. */
export type Solution = {
  readonly end: 'answered' | 'stopped' | 'gave-up' | 'refused' | 'malformed';
  readonly answer?: Answer;
  /** One sentence for people. */
  readonly detail?: string;
};

/** How a run ended. */
export type OutcomeKind =
  | 'solved'
  | 'wrong'
  | 'scored'
  | 'stopped'
  | 'gave-up'
  | 'limit'
  | 'refused'
  | 'malformed'
  | 'cancelled'
  | 'error';

export interface Agent<Settings extends JsonObject = JsonObject> {
  readonly name: string;
  readonly settings: z.ZodType<Settings>;
  readonly needs: readonly Capability[];
  /** The roles it calls models in. */
  readonly roles: readonly string[];
  /** Its prompts by name, unless the user brings others. An agent reads them through `run.prompt`. */
  readonly prompts: Readonly<Record<string, string>>;
  solve(problem: Problem, run: Run, settings: Settings): Promise<Solution>;
}

export type Limits = { readonly [name in LimitName]?: number };

export type BranchFunction<T> = (run: Run) => Promise<T>;

/** How one branch of `until` ended. */
export type BranchResult<T> =
  | { readonly name: string; readonly ok: true; readonly value: T }
  | { readonly name: string; readonly ok: false; readonly error: Error };

/**
 * What an agent is handed: every way to the world, and nothing else. Every effect may throw `LimitReached`,
 * `Cancelled` or `EffectFailed`, and none returns before what the journal ordered ahead of it.
 */
export interface Run {
  /** A model call. Retries are made here, each attempt an entry of its own; what is returned is the last one. */
  generate(role: string, request: ModelRequest): Promise<ModelSuccess | ModelFailure>;
  /** One program in the sandbox. */
  exec(request: ExecRequest): Promise<ExecResult>;
  /** A tool of the problem's. Unknown tools and bad arguments are error results, and count. */
  tool(name: string, args: Json): Promise<ToolResult>;
  check(answer: Answer): Promise<Verdict>;
  evaluate(source: string, cases: readonly string[]): Promise<Evaluation>;
  /** Waits for a person. Returns what was answered through the mailbox. */
  ask(question: string): Promise<string>;
  /** What was sent to the run since the last look; the receipt is an effect. */
  inbox(): Promise<readonly string[]>;
  /** Milliseconds since 1970, journaled. */
  now(): Promise<number>;
  /** Uniform in [0, 1): derived from the run's seed, the branch, and how often the branch asked. */
  random(): number;
  /** A line for people and reports. No effect. */
  note(kind: string, data: JsonObject): void;

  /** A line of its own within the run. A name may be used once under one parent. */
  branch<T>(name: string, fn: BranchFunction<T>): Promise<T>;
  /** The first branch that returns wins, the rest are cancelled and unwound. Throws the last error where none does. */
  race<T>(branches: Readonly<Record<string, BranchFunction<T>>>): Promise<{ name: string; value: T }>;
  /** Runs branches until `enough` says so of the results so far, in the order of their ends; then cancels the rest. */
  until<T>(
    branches: Readonly<Record<string, BranchFunction<T>>>,
    enough: (results: readonly BranchResult<T>[]) => boolean,
  ): Promise<readonly BranchResult<T>[]>;

  /** The prompt of this name, with its places (`{{task}}`) filled in. */
  prompt(name: string, places?: Readonly<Record<string, string>>): string;

  /** The branch path; the root is `''`. */
  readonly path: string;
  /** The open stage; empty for a problem without stages, or when all are done. */
  readonly stage: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}
