/** The library for authors: runs of agents on problems, and the journals that they leave. It prints nothing. */
import { type Agent, type Limits, type OutcomeKind, outcomeKinds } from '../core/agent.ts';
import { type EffectError, type EndLimit, UserError } from '../core/errors.ts';
import type { Event, RunEnd } from '../core/event.ts';
import { foldRun } from '../core/fold.ts';
import type { JsonObject } from '../core/json.ts';
import type { Model, ModelSettings } from '../core/model.ts';
import type { Answer, Family, Grade } from '../core/problem.ts';
import type { Sandbox } from '../core/sandbox.ts';
import type { MessageKind, RunRow } from '../core/store.ts';
import type { Totals } from '../core/totals.ts';
import { forkRun } from '../run/fork.ts';
import { newRunId } from '../run/hash.ts';
import type { RunHandle } from '../run/live.ts';
import { readJournal } from '../run/load.ts';
import { replayRun } from '../run/replay.ts';
import { resumeRun } from '../run/resume.ts';
import { beginRun, prepareRun } from '../run/start.ts';
import type { Observer, Runtime } from '../run/world.ts';
import { field, list, text } from '../text/json.ts';
import { assertValidOptions } from './asked.ts';
import { assertPricesKnown, type Budget, shareOf } from './budget.ts';
import { hasRuns, openJournals } from './journals.ts';
import { partsOf } from './user-code/module.ts';

/** What `openPolya` takes. Everything may be left out. */
export type PolyaOptions = {
  /**
   * Journals are in the nearest `.polya/` at or above this folder, or in a new one in it, unless `POLYA_HOME` is set. Paths of
   * scripts and data are relative to it. Default: the working folder.
   */
  readonly folder?: string;
  /** In the place of `process.env`: keys of providers, `POLYA_HOME`, `POLYA_SANDBOX`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The name of a back-end (`bubblewrap`, `docker`, `none`), or a sandbox of your own. Default: `POLYA_SANDBOX`, else what works here. */
  readonly sandbox?: string | Sandbox;
  /** Your own agents. One with the name of an agent of Polya's takes its place. */
  readonly agents?: readonly Agent[];
  /** Your own families. One with the name of a family of Polya's takes its place. */
  readonly families?: readonly Family[];
  /** Your own models, by the name that runs use. */
  readonly models?: Readonly<Record<string, Model>>;
};

/** How to follow a run while it works, and to stop it. */
type WatchOptions = {
  /** Each event, after it is in the journal. Must not throw. */
  onEvent?(event: Event): void;
  /** Words of a model as they arrive, before the reply is complete. Must not throw. */
  onText?(delta: { readonly role: string; readonly type: 'text' | 'reasoning'; readonly text: string }): void;
  /** A sentence for people: of a setting that a model does not take, for instance. Must not throw. */
  onNotice?(notice: string): void;
  /**
   * Stops the run: what is in flight is broken off and the journal is closed. The outcome is `cancelled`, and `resume` goes on
   * from there. Where it is aborted before anything began, its reason is thrown.
   */
  readonly signal?: AbortSignal;
  /** An amount that this run has in common with others. */
  readonly budget?: Budget;
};

/** What a run can be told about its models, prompts and limits. */
export type RunSettings = {
  /** The model of all roles that `models` does not name: `openai/…`, `openai-compatible/…`, `scripted:FILE`. */
  readonly model?: string;
  /** Models by role. */
  readonly models?: Readonly<Record<string, string>>;
  /** Addresses of models, by role, in the place of what the environment says; `default` holds for all. */
  readonly baseUrls?: Readonly<Record<string, string>>;
  /** Temperature and the like, by role; `default` holds for all. Settings that a model does not take are refused. */
  readonly modelSettings?: Readonly<Record<string, ModelSettings>>;
  /** The agent's settings; what is left out has its default. */
  readonly settings?: JsonObject;
  /** Prompts that take the place of the agent's own, by name. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** At most so many calls, tokens, dollars and milliseconds. */
  readonly limits?: Limits;
};

/** What `run` takes. */
export type RunOptions = RunSettings &
  WatchOptions & {
    /** The family of the problem: `qa`, `aoc`, `arc`, `proof`, `plain`, `ahc`, or your own. */
    readonly family: string;
    /** By what the family finds the problem: `{ question: '…' }` for `qa`. */
    readonly problem: JsonObject;
    /** The agent: `single-call`, `tool-loop`, …, or your own. */
    readonly agent: string;
    /** Determines `run.random()`; a new run of the same seed draws the same. Default: the run's id. */
    readonly seed?: string;
  };

/** What `fork` may change. What is left out stays as it was in the parent. */
export type ForkOptions = RunSettings &
  WatchOptions & {
    /** The last event that is shared, by its number. Default: all but the grading and the end. */
    readonly at?: number;
    /** Put into the new run's mailbox; the agent reads it with `run.inbox()`. */
    readonly hint?: string;
  };

/** What became of a run. */
export type RunResult = {
  /** By which it can be resumed, replayed and forked. */
  readonly id: string;
  readonly outcome: OutcomeKind;
  /** What the agent handed in; null where it handed in nothing. */
  readonly answer: Answer | null;
  /** The agent's own sentence about its end, or that of the error. */
  readonly detail: string | null;
  /** Null if nothing graded it. */
  readonly grade: Grade | null;
  /** The limit that was reached. */
  readonly limit: EndLimit | null;
  /** What went wrong, where the outcome is `error`. */
  readonly error: EffectError | null;
  /** Calls, tokens and dollars. */
  readonly usage: Totals;
  /** The part of `usage` that a fork took over from its parent, which paid for it. */
  readonly inheritedUsage: Totals;
  /** How long it worked, in milliseconds; the time between a crash and a resume is not in it. */
  readonly aliveMs: number;
};

/** What a replay came to. It asks no model, runs no program and costs nothing. */
export type ReplayResult =
  | {
      /** The agent came to an end. */
      readonly complete: true;
      readonly outcome: OutcomeKind;
      readonly answer: Answer | null;
      /** Whether this is the very end that the journal holds. */
      readonly isSame: boolean;
    }
  /** The journal has no end: the run is at work or has crashed. So far it fits. */
  | { readonly complete: false; readonly at: string };

/** One run in a list. */
export type RunInfo = {
  readonly id: string;
  /** `interrupted`: stopped by a crash; `resume` continues it. */
  readonly state: 'running' | 'interrupted' | 'ended';
  /** Null where it has not ended. */
  readonly outcome: OutcomeKind | null;
  readonly family: string;
  /** The problem's id. */
  readonly problem: string;
  readonly title: string;
  readonly agent: string;
  readonly models: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  /** When its last event was written; milliseconds since 1970. */
  readonly lastAtMs: number;
  /** How many events its journal has. */
  readonly events: number;
  /** For a fork: the run and the event that it continues from. */
  readonly forkOf: { readonly run: string; readonly seq: number } | null;
};

/** Which runs `runs` gives; without any of these, all. */
export type RunFilter = {
  readonly outcome?: OutcomeKind;
  readonly state?: RunInfo['state'];
  readonly family?: string;
  readonly problem?: string;
  readonly agent?: string;
  /** At most so many, the newest. */
  readonly limit?: number;
};

/** The runs of one folder. `openPolya` gives it. */
export interface Polya extends AsyncDisposable {
  /**
   * Runs an agent on a problem to its end. A run that did not solve it, reached a limit or broke is a result, no exception.
   *
   * @throws {UserError} before anything is paid: an unknown name, a setting that does not fit, a capability that the
   * problem lacks, a limit in dollars where a price is not known.
   * @throws {UnavailableError} what the run needs is missing: a key, a toolchain, a site.
   */
  run(options: RunOptions): Promise<RunResult>;
  /**
   * Goes on with a run that was stopped, crashed, or ended because something was missing. What its journal holds is not
   * asked or paid again.
   *
   * @throws {UserError} it has ended, or is not there.
   * @throws {JournalError} its journal is damaged or newer than this Polya, a process is working on it, or its problem
   * has changed.
   * @throws {DivergenceError} its agent asks for something else than it did before.
   */
  resume(id: string, options?: WatchOptions): Promise<RunResult>;
  /**
   * Runs the agent over the journal: free, offline, without files and sites.
   *
   * @throws {DivergenceError} the agent asks for something else than it did before; `position` says where.
   * @throws {JournalError} the journal is damaged or newer than this Polya.
   */
  replay(id: string): Promise<ReplayResult>;
  /**
   * A new run that shares a journal up to an event and goes on from there with other models, settings, prompts, limits, or
   * a hint. What is shared is not paid again. Throws what `run` and `replay` throw.
   */
  fork(id: string, options?: ForkOptions): Promise<RunResult>;
  /** The runs of the folder, the newest first. Looking makes nothing. */
  runs(filter?: RunFilter): Promise<readonly RunInfo[]>;
  /**
   * The journal of a run, as far as it is whole; `foldRun` adds it up.
   *
   * @throws {UserError} there is no such run.
   */
  events(id: string): Promise<readonly Event[]>;
  /** Sends a message to a run, in this process or in another: its agent reads it with `run.inbox()`. */
  tell(id: string, message: string): Promise<void>;
  /** Answers what an agent has asked with `run.ask()`; answers are taken in their order. */
  answer(id: string, answer: string): Promise<void>;
  /** Closes the store and what families and sandboxes have opened. Runs that are at work must have ended. */
  close(): Promise<void>;
}

/**
 * Opens the runs of a folder. Close it with `close()`, or write `await using`.
 *
 * @example
 * await using polya = await openPolya({ agents: [mine] });
 * const { id, outcome, usage } = await polya.run({
 *   family: 'qa', problem: { question: 'How much is 6 times 7?', answer: '42' },
 *   agent: 'mine', model: 'openai/gpt-5-mini', limits: { costUsd: 0.1 },
 * });
 * if (outcome === 'wrong') await polya.fork(id, { hint: 'Count again.' });
 */
export async function openPolya(options: PolyaOptions = {}): Promise<Polya> {
  assertValidOptions('openPolya', options);
  const { sandbox, ...others } = options;
  partsOf('What `openPolya` is given', { agents: options.agents, families: options.families });
  const { folder, env } = options;
  const selected = typeof sandbox === 'string' ? { backend: sandbox } : { sandbox };
  const { world, close } = openJournals({ ...others, ...selected, create: true });
  let isClosed = false;
  const refuseClosed = (): void => {
    if (!isClosed) return;
    throw new UserError({ code: 'polya-closed', what: 'This Polya was closed.', fix: 'Open another one.' });
  };
  const closeOnce = async (): Promise<void> => {
    if (!isClosed) await close();
    isClosed = true;
  };
  const anyRuns = (): boolean => {
    refuseClosed();
    return hasRuns({ folder, env });
  };
  const rowOf = async (id: string): Promise<RunRow> => {
    const row = anyRuns() ? await world.store.get(id) : null;
    return row ?? runNotFound(id);
  };
  const newId = (): string => newRunId(world.io.clock.now(), world.io.chance);
  const send = async (id: string, kind: MessageKind, message: string): Promise<void> => {
    await rowOf(id);
    await world.store.post(id, { kind, text: message, atMs: world.io.clock.now() });
  };
  return {
    run: async (spec) => {
      refuseClosed();
      assertValidOptions('run', spec);
      return watchRun(world, spec, async (runtime, observer) => {
        const prepared = await prepareRun(runtime, {
          ...toHeader(spec),
          id: newId(),
          family: spec.family,
          problem: spec.problem,
          agent: spec.agent,
          seed: spec.seed,
        });
        if (spec.budget) assertPricesKnown(spec.budget, prepared.header);
        return beginRun(runtime, prepared, observer);
      });
    },
    resume: async (id, watch = {}) => {
      assertValidOptions('resume', watch);
      await rowOf(id);
      return watchRun(world, watch, (runtime, observer) => resumeRun(runtime, id, observer));
    },
    replay: async (id) => {
      await rowOf(id);
      const replay = await replayRun(world, id);
      if (!replay.complete) return replay;
      const { ending, isSame } = replay;
      return { complete: true, outcome: ending.outcome, answer: ending.solution?.answer ?? null, isSame };
    },
    fork: async (id, spec = {}) => {
      assertValidOptions('fork', spec);
      await rowOf(id);
      const fork = { ...toHeader(spec), id: newId(), at: spec.at, hint: spec.hint };
      return watchRun(world, spec, (runtime, observer) => forkRun(runtime, id, fork, observer));
    },
    runs: async (filter = {}) => {
      assertValidOptions('runs', filter);
      if (!anyRuns()) return [];
      const runInfos = (await world.store.list()).map(infoOf).filter((info) => matchesFilter(info, filter));
      return runInfos.slice(0, filter.limit);
    },
    events: async (id) => {
      await rowOf(id);
      return (await readJournal(world.store, id)).events;
    },
    tell: (id, message) => send(id, 'tell', message),
    answer: (id, answer) => send(id, 'answer', answer),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** From the start of a run to its result. */
async function watchRun(
  runtime: Runtime,
  { onEvent, onText, onNotice, signal, budget }: WatchOptions,
  begin: (world: Runtime, observer: Observer) => Promise<RunHandle>,
): Promise<RunResult> {
  signal?.throwIfAborted();
  const observer: Observer = {
    onEvent: (event) => onEvent?.(event),
    onDelta: ({ role, type, text }) => onText?.({ role, type, text }),
    onNotice: (notice) => onNotice?.(notice),
  };
  let handle: RunHandle | null = null;
  const stop = (): void => handle?.stop();
  const there = budget ? { ...runtime, sharedBudget: shareOf(budget, stop) } : runtime;
  signal?.addEventListener('abort', stop, { once: true });
  try {
    handle = await begin(there, observer);
    // It may have been aborted while the run was being prepared.
    if (signal?.aborted) stop();
    const end = await handle.done;
    const { events } = await readJournal(runtime.store, handle.id);
    return resultOf(handle.id, end, events);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function resultOf(id: string, end: RunEnd, events: readonly Event[]): RunResult {
  const { totals: usage, inherited: inheritedUsage } = foldRun(events);
  const { outcome, solution, grade, limit = null, error = null, aliveMs } = end;
  const answer = solution?.answer ?? null;
  const detail = solution?.detail ?? error?.message ?? null;
  return { id, outcome, answer, detail, grade, limit, error, usage, inheritedUsage, aliveMs };
}

/** The settings that `run` and `fork` have in common. */
function toHeader({ model, models, ...spec }: RunSettings) {
  const { baseUrls, modelSettings, settings, prompts, limits } = spec;
  return {
    models: { ...(model === undefined ? {} : { default: model }), ...models },
    baseUrls,
    modelSettings,
    settings,
    prompts,
    limits,
  };
}

function infoOf({ id, ended, owner, createdAtMs, lastAtMs, lastSeq, parent, summary }: RunRow): RunInfo {
  const state = ended ? 'ended' : owner ? 'running' : 'interrupted';
  const outcome = outcomeKinds.find((kind) => kind === field(summary, 'outcome')) ?? null;
  return {
    id,
    state,
    lastAtMs,
    // The outcome of an earlier life says nothing of a run that was resumed.
    outcome: ended ? outcome : null,
    family: text(summary, 'family'),
    problem: text(summary, 'problem'),
    title: text(summary, 'title'),
    agent: text(summary, 'agent'),
    models: list(summary, 'models').map(String),
    startedAtMs: createdAtMs,
    events: lastSeq,
    forkOf: parent,
  };
}

function matchesFilter(info: RunInfo, { limit: _, ...requested }: RunFilter): boolean {
  const has: Readonly<Record<string, unknown>> = info;
  return Object.entries(requested).every(([name, value]) => value === undefined || has[name] === value);
}

function runNotFound(id: string): never {
  throw new UserError({
    code: 'no-such-run',
    what: `There is no run ${id} here.`,
    fix: '`polya.runs()` gives those that there are; another folder can be named when Polya is opened.',
  });
}
