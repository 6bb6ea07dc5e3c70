/** The errors that cross rooms. The class decides the exit code and whether a stack is kept. */
import type { ModelErrorKind, ModelFailure, OutputLimit, ServerQuirk } from './model.ts';

/** The exit codes of the command line; documented in docs/exit-codes.md. */
export const exitCodes = {
  ok: 0,
  /** The run ended, but the problem was not solved. */
  unsolved: 1,
  /** Wrong flag, file, configuration or id; nothing was changed. */
  usage: 2,
  /** Something that Polya needs is missing: sandbox, toolchain, provider, site. */
  unavailable: 3,
  /** A journal is damaged, newer than this program, or does not fit the program that replays it. */
  journal: 4,
  /** The run has a result, and findings against it. */
  doubtful: 5,
  /** A defect of Polya itself. */
  bug: 70,
  /** Stopped by its user. */
  cancelled: 130,
} as const;

/** What an error tells: to a program by its code, to a person in up to three sentences. */
export interface Explanation {
  /** A name for this mistake that stays when its words change: lower case with hyphens. */
  code: string;
  /** What happened. */
  what: string;
  /** Why it happened, where that is known. */
  why?: string;
  /** What its reader can do now. */
  fix?: string;
}

/** An error that is told to a person in up to three sentences, without a stack. */
export class ExplainedError extends Error {
  readonly code: string;
  readonly explanation: Explanation;
  readonly exitCode: number;

  constructor(explanation: Explanation, exitCode: number) {
    super([explanation.what, explanation.why, explanation.fix].filter(Boolean).join(' '));
    this.name = new.target.name;
    this.code = explanation.code;
    this.explanation = explanation;
    this.exitCode = exitCode;
  }
}

/** The user's mistake: a flag, a file, a configuration, an id. */
export class UserError extends ExplainedError {
  constructor(explanation: Explanation) {
    super(explanation, exitCodes.usage);
  }
}

/** What an agent or a family of the user's did wrong: it threw, or gave what does not fit. Never a defect of Polya. */
export class UserCodeError extends UserError {}

/** A sandbox, toolchain, provider or site that is not there. It is never held against a model. */
export class UnavailableError extends ExplainedError {
  constructor(explanation: Explanation) {
    super(explanation, exitCodes.unavailable);
  }
}

/** A site sent more than it may: asking again would not help. */
export class ResponseTooLargeError extends UnavailableError {}

/** A journal that must not be written: damaged, newer, or owned by another process. */
export class JournalError extends ExplainedError {
  constructor(explanation: Explanation) {
    super(explanation, exitCodes.journal);
  }
}

/** A row of a journal that cannot be read, or is not what was written. */
export class UnreadableEventError extends JournalError {
  readonly seq: number;
  readonly reason: string;

  constructor(seq: number, reason: string) {
    super({ code: 'journal-damaged', what: `The journal is damaged at event ${seq}: ${reason}.` });
    this.seq = seq;
    this.reason = reason;
  }
}

/** The agent asked for something other than what the journal holds at this position. */
export class DivergenceError extends JournalError {
  readonly position: string;

  /** `at`: the event of the journal. `journaled`: the version of Polya that wrote it; `now`: the one that runs. */
  constructor(
    position: string,
    { at, expected, actual }: { readonly at: number; readonly expected: string; readonly actual: string },
    { journaled, now }: { readonly journaled: string; readonly now: string },
  ) {
    const versions = journaled === now ? '' : ` by Polya ${journaled}, and this is Polya ${now}`;
    super({
      code: 'diverged',
      what: `The run diverges from its journal at ${position}, event ${at}: the journal holds ${expected}, the agent now asks for ${actual}.`,
      why: `The agent, a prompt, a setting or a reader of replies has changed since the journal was written${versions}; or the agent is not deterministic.`,
      fix: 'Go back to the version that wrote the journal, or use `polya runs fork` to go on from an earlier event.',
    });
    this.position = position;
  }
}

/** What a run can be limited by. `wallMs` counts the time for which it is alive, in milliseconds. */
export type LimitName = 'toolCalls' | 'modelCalls' | 'tokens' | 'costUsd' | 'wallMs';

/** What can end a run as `limit`: a limit of the run, or the `context` of its model. */
export type EndLimit = LimitName | 'context';

/** A limit of the run is reached. An agent may catch it to hand in its best; later effects throw it again. */
export class LimitReached extends Error {
  readonly limit: LimitName;
  readonly max: number;

  constructor(limit: LimitName, max: number) {
    super(`The limit on ${limit} (${max}) is reached.`);
    this.name = 'LimitReached';
    this.limit = limit;
    this.max = max;
  }
}

/** This branch was cancelled: by a race that another branch won, or by the run's user. */
export class Cancelled extends Error {
  constructor(reason: string) {
    super(`Cancelled: ${reason}.`);
    this.name = 'Cancelled';
  }
}

/** An effect failed outside the model's and the agent's power; its settlement is an error. */
export class EffectFailed extends Error {
  readonly effectError: EffectError;

  constructor(error: EffectError) {
    super(error.message);
    this.name = 'EffectFailed';
    this.effectError = error;
  }
}

/** The form of an error in a journal. */
export type EffectError = {
  readonly name: string;
  readonly message: string;
  /** True where something was missing (`UnavailableError`): a resume tries this effect again. */
  readonly unavailable?: boolean;
  readonly stack?: string;
  /** Set where a model call failed. */
  readonly model?: {
    readonly kind: ModelErrorKind;
    readonly retryable: boolean;
    readonly retryAfterMs?: number;
    readonly quirk?: ServerQuirk;
    readonly outputLimit?: OutputLimit;
    readonly partialText?: string;
  };
};

/** A conversation is longer than the context of its model. A run that it ends is at the limit `context`. */
export class ContextOverflow extends EffectFailed {}

/** Why a model call failed, as sentences for people. */
export function describeFailure({ error: { kind, message } }: ModelFailure): string {
  if (kind !== 'context-overflow') return `The model call failed (${kind}): ${message}`;
  const reason = /[.!?]$/.test(message) ? message : `${message}.`;
  if (/account's tokens per minute/.test(message)) return `The request is too long (${kind}): ${reason}`;
  return `The conversation is longer than the context of its model (${kind}): ${reason} Use a model with a longer context, let results be fewer or shorter, or lower maxOutputTokens.`;
}

/** An error as a journal keeps it. Never throws. What failed and explains itself needs no stack. */
export function describeError(thrown: unknown): EffectError {
  const error = errorOf(thrown);
  const { name, message, stack = message } = error;
  if (error instanceof UnavailableError) return { name, message, unavailable: true };
  const isExplained = error instanceof ExplainedError && !(error instanceof UserCodeError);
  return isExplained ? { name, message } : { name, message, stack };
}

/** Anything that was thrown, as an error that can be read. Never throws: users' code may throw what answers no question. */
export function errorOf(error: unknown): Error {
  try {
    if (!(error instanceof Error)) return withoutFrames(String(error));
    const parts: readonly unknown[] = [error.name, error.message, error.stack ?? ''];
    return parts.every((part) => typeof part === 'string') ? error : withoutFrames(String(error.message));
  } catch {
    return withoutFrames('What was thrown cannot be shown: reading it throws as well.');
  }
}

/** Where it was made says nothing of where it was thrown. */
function withoutFrames(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}

/** Trouble of the provider, the network or a key: when it is over, the same call may succeed. */
export function isProviderOutage(kind: ModelErrorKind): boolean {
  return outages.has(kind);
}

const outages = new Set<ModelErrorKind>(['rate-limit', 'overloaded', 'network', 'timeout', 'auth']);
