/** The contract of an agent: an async function that is deterministic but for its effects, and awaits only effects and branches. */
import type { z } from 'zod';
import type { LimitName } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import type { ModelFailure, ModelRequest, ModelSettings, ModelSuccess } from './model.ts';
import type { Answer, Capability, Evaluation, Problem, ToolResult, Verdict } from './problem.ts';
import type { ExecRequest, ExecResult, LanguageId } from './sandbox.ts';

/** The ways in which an agent may end. */
export const solutionEnds = [
  'answered',
  'doubtful',
  'passed',
  'rejected',
  'stopped',
  'gave-up',
  'refused',
  'malformed',
] as const;

/** How an agent ended, as the agent itself sees it. Whether the answer is right is not its to say. */
export type Solution = {
  readonly end: (typeof solutionEnds)[number];
  readonly answer?: Answer;
  /** One sentence for people. */
  readonly detail?: string;
  /** How long grading may take, where it can be done in part. Default: as long as it likes. */
  readonly gradeWithinMs?: number;
  /** Set where the agent ended because the context of its model was full: the outcome is `limit`, unless it is solved. */
  readonly limit?: 'context';
};

/**
 * The ways in which a run can end. `answered`: handed in, and nothing grades it. `doubtful`: the
 * same, or passed, but for findings that stand in its detail. `passed`, `rejected`: the agent judged a
 * given work. `scored`: graded by points alone.
 * `limit`: a limit was reached first, or the context of a model was full. `malformed`: no answer in the asked form. `cancelled`: stopped, and can be resumed.
 */
export const outcomeKinds = [
  'solved',
  'wrong',
  'scored',
  'answered',
  'doubtful',
  'passed',
  'rejected',
  'stopped',
  'gave-up',
  'limit',
  'refused',
  'malformed',
  'cancelled',
  'error',
] as const;

/** How a run ended; `outcomeKinds` tells what each word means. */
export type OutcomeKind = (typeof outcomeKinds)[number];

/** What a run usually takes, for estimates. `carriedTokens`: what a later request holds besides what the first one held. */
export type TypicalRun = {
  readonly turns: number;
  /** The tokens of a reply, its thoughts included. */
  readonly outputTokens: number;
  readonly carriedTokens: number;
};

/** `told`: what was decided and why, in words for people; empty where nothing was open. */
export type Decision<Settings> = { readonly settings: Settings; readonly told: string };

/**
 * An agent as the rest of the code works with it; `defineAgent` makes one from its author's own types. Settings are JSON:
 * as a schema has read them, or as a journal holds them.
 */
export interface Agent {
  readonly name: string;
  readonly settings: z.ZodType;
  readonly needs: readonly Capability[];
  /** One of these, at least; empty or absent: no matter which. */
  readonly needsOneOf?: readonly Capability[];
  /** The roles it calls models in. */
  readonly roles: readonly string[];
  /** How many replies a run of it with these settings usually takes, for estimates. */
  readonly usualTurns?: number | ((settings: JsonObject) => number);
  /** The same by its settings, of an agent whose requests do not grow from turn to turn. */
  usual?(settings: JsonObject): TypicalRun;
  /** Decides what its user left open. The header keeps the decision, so that no resume, replay or fork decides anew. */
  decide?(
    settings: JsonObject,
    subject: { readonly problem: Problem; readonly limits: Limits },
  ): Decision<JsonObject>;
  /** What a run with these settings needs of its models and of the sandbox, beyond what the problem needs. */
  demands?(settings: JsonObject): Demands;
  /** Its prompts by name, which users may replace. An agent reads them through `run.prompt`. */
  readonly prompts: Readonly<Record<string, string>>;
  solve(problem: Problem, run: Run, settings: JsonObject): Promise<Solution>;
}

/**
 * Checked before the first paid call: its models must see `images`, and the sandbox must run `languages`. `tools: false`: its
 * models need not take tools, although the agent works with those of the problem.
 */
export type Demands = {
  readonly images?: boolean;
  readonly languages?: readonly LanguageId[];
  readonly tools?: false;
};

/** The most that a run may use: calls, tokens, dollars, and milliseconds of work. What is left out is not limited. */
export type Limits = { readonly [name in LimitName]?: number };

/** A program as a run asks for it: only what a journal can hold. Sessions bring the folder. */
export type ProgramRequest = Omit<
  ExecRequest,
  'stdin' | 'files' | 'folder' | 'keepFolder' | 'maxFolderBytes'
> & {
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
};

/** What became of a program: how it was compiled and how it ran. */
export type ProgramResult = Omit<ExecResult, 'folder' | 'folderBytes'>;

/** What the journal keeps of a session's folder after a call. */
export type SessionFolder = {
  /** The size of its archive. */
  readonly bytes: number;
  /** Null where the folder is too large to be kept. */
  readonly files: number | null;
  /** Names its content in the journal; null where it is larger than a journal keeps (16 MB). */
  readonly snapshot: string | null;
  /**
   * Set where the folder was lost with a process and no journal had it: so many calls were executed again before this one.
   * `different`: the positions of those that came to another result this time.
   */
  readonly rebuilt?: { readonly calls: number; readonly different: readonly string[] };
};

/** `folder` is null where no program ran, because it did not compile: the folder is as it was. */
export type SessionResult = ProgramResult & { readonly folder: SessionFolder | null };

/**
 * A working folder that lives through calls: what a program leaves in it the next one finds. Files are kept, with those of
 * the requests and the source; processes, links, and files elsewhere are not. It survives a crash, and a fork has it as it
 * was at the fork point.
 */
export interface Session {
  readonly name: string;
  /** An effect like `run.exec`. Calls that are asked for together run one after the other. */
  exec(request: ProgramRequest): Promise<SessionResult>;
}

/** What one branch does; it is handed a run of its own. */
export type BranchFunction<T> = (run: Run) => Promise<T>;

/** How one branch of `until` ended. */
export type BranchResult<T> =
  | { readonly name: string; readonly ok: true; readonly value: T }
  | { readonly name: string; readonly ok: false; readonly error: Error };

/** `untilAliveMs`: how long the run may have been alive for an answer to be of use; asked again when that is over. */
export type OfUse = { untilAliveMs(): number | null };

/**
 * What an agent is handed: every way to the world. Every effect may throw `LimitReached`, `Cancelled` or `EffectFailed`,
 * and none returns before what the journal ordered ahead of it.
 */
export interface Run {
  /**
   * A model call with its retries, each of them an entry of its own; the last one is returned. A call whose `use` is over
   * is broken off and fails as `aborted`; it may have been billed.
   */
  generate(role: string, request: ModelRequest, use?: OfUse): Promise<ModelSuccess | ModelFailure>;
  /**
   * What this role's model would be sent where the agent asks for these settings: the user's own go before them, and a
   * temperature or a seed that it does not take is left out. No effect.
   */
  settingsFor(role: string, modelSettings: ModelSettings): ModelSettings;
  /** Whether a person answers in the place of this role's model. No effect. */
  isPerson(role: string): boolean;
  /** One program in the sandbox. */
  exec(request: ProgramRequest): Promise<ProgramResult>;
  /**
   * The session of this name: an empty folder, or a copy of the parent branch's as it was when this branch began. Each
   * branch has its own from then on.
   */
  session(name?: string): Session;
  /**
   * A tool of the problem. Unknown tools and bad arguments are error results, and count. With a `refusal` the call is not
   * carried out: it counts as well, and the refusal is its result.
   */
  tool(name: string, args: Json, rejection?: string): Promise<ToolResult>;
  check(answer: Answer): Promise<Verdict>;
  evaluate(source: string, cases: readonly string[]): Promise<Evaluation>;
  /** Waits for a person, and returns what was answered through the mailbox. */
  ask(question: string): Promise<string>;
  /** The messages that were sent to the run since the last look. */
  inbox(): Promise<readonly string[]>;
  /** Milliseconds since 1970, journaled. */
  now(): Promise<number>;
  /**
   * Milliseconds for which the run has been alive, journaled: the time between a kill and a resume does not count. A fork
   * goes on with its parent's time at the fork point.
   */
  alive(): Promise<number>;
  /** Uniform in [0, 1): derived from the run's seed, the branch, and how often the branch asked. */
  random(): number;
  /** A line of the journal for people and reports. No effect. */
  note(kind: string, data: JsonObject): void;

  /** Runs a function as a branch. A name may be used once under one parent. */
  branch<T>(name: string, fn: BranchFunction<T>): Promise<T>;
  /** The first branch that returns wins; the rest are cancelled and unwound. Throws the last error where none returns. */
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
