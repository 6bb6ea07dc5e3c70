/** The journal's events. An effect is an intent and a settlement at one position; only effects take an ordinal. */
import type { OutcomeKind, Solution } from './agent.ts';
import type { EffectError, EndLimit, LimitName } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import type { ModelKind, ModelSettings, ServerQuirk } from './model.ts';
import type { Grade, ProblemSpec } from './problem.ts';
import type { SandboxInfo } from './sandbox.ts';
import type { Price, Usage } from './usage.ts';

/** The version of the journal's form. A journal of a higher version is read as far as possible, never written. */
export const journalVersion = 1;

/** Where an effect stands: the branch, its number in the branch, and the attempt. */
export type Position = { readonly branch: string; readonly ordinal: number; readonly attempt: number };

/** The effects, with the names of their intent and their settlement. */
export const effectPairs = {
  model: { intent: 'model-request', settlement: 'model-response' },
  tool: { intent: 'tool-call', settlement: 'tool-result' },
  exec: { intent: 'exec-start', settlement: 'exec-end' },
  check: { intent: 'check-start', settlement: 'check-end' },
  evaluate: { intent: 'evaluate-start', settlement: 'evaluate-end' },
  grade: { intent: 'grade-start', settlement: 'grade-end' },
  ask: { intent: 'ask', settlement: 'answer' },
  /** Looking at the clock or into the mailbox changes nothing outside: there is only a settlement. */
  clock: { intent: null, settlement: 'clock' },
  inbox: { intent: null, settlement: 'inbox' },
} as const;

/** The kinds of effects. */
export type EffectKind = keyof typeof effectPairs;
/** Events that announce an effect. */
export type IntentKind = NonNullable<(typeof effectPairs)[EffectKind]['intent']>;
/** Events that tell how an effect ended. */
export type SettlementKind = (typeof effectPairs)[EffectKind]['settlement'];

/** How an effect ended. `result` has the shape that its kind of effect returns. */
export type Settlement =
  | { readonly status: 'ok'; readonly result: Json; readonly usage?: Usage }
  | { readonly status: 'error'; readonly error: EffectError; readonly usage?: Usage }
  /** Not begun: there was no room for it, or none in a budget that the run shares with others (`shared`). */
  | { readonly status: 'refused'; readonly limit: LimitName; readonly max: number; readonly shared?: true }
  /**
   * Begun and broken off; it may have been billed. `branch`: another branch won. `limit`: the wall time is over. `end`: the
   * run was ending; a resume of a stopped run makes such an effect again. `late`: its answer would have been of no use.
   */
  | { readonly status: 'cancelled'; readonly by: 'branch' | 'end' | 'late' }
  | { readonly status: 'cancelled'; readonly by: 'limit'; readonly limit: LimitName; readonly max: number };

/** A file of the user's that brought a part of a run. */
export type CodeOrigin = {
  /** Relative to the folder that `.polya/` lies in, where it is below that folder; else absolute. */
  readonly file: string;
  /** Covers the file and what it imports by relative paths. */
  readonly hash: string;
  readonly brings: readonly ('agent' | 'family' | 'model')[];
};

/** All that a resume, a replay and a reader need to know before the first effect. */
export type Header = {
  readonly version: number;
  readonly runId: string;
  readonly problem: ProblemSpec;
  /** `decided`: what it decided of its settings before it began, in words for people. */
  readonly agent: { readonly name: string; readonly settings: JsonObject; readonly decided?: string };
  /** The agent's prompts as this run uses them, so that a resume needs no file; and their hash, for comparing runs. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly promptsHash: string;
  /** By role; `default` serves the roles that are not named. */
  readonly models: Readonly<Record<string, ModelHeader>>;
  readonly limits: { readonly [name in LimitName]?: number };
  readonly retry: RetryPolicy;
  /** Null where the run may not execute code at all. */
  readonly sandbox: SandboxInfo | null;
  readonly codeVersion: string;
  /** Missing where agent, family and models all came with Polya, or were handed to the library as objects. */
  readonly code?: readonly CodeOrigin[];
  readonly seed: string;
  /** What the command that started it keeps with it, such as the session that it belongs to. No agent sees it. */
  readonly context?: JsonObject;
  /** Set on a fork: the events of `run` up to and including `seq` are this run's own beginning. */
  readonly fork?: {
    readonly run: string;
    readonly seq: number;
    /** `RunEnd.again` of the parent, where its end is left out. */
    readonly again?: readonly Position[];
    /** The models whose words are in the shared beginning. */
    readonly models: readonly ModelHeader[];
  };
};

/** Every model whose words a run holds, by its role; those of a fork's shared beginning have names of their own. */
export function modelsBehind({ models, fork }: Header): Header['models'] {
  const own = Object.values(models);
  const siblings = (fork?.models ?? []).filter(
    (model) => !own.some(({ spec, kind }) => spec === model.spec && kind === model.kind),
  );
  const named = siblings.map((model, index) => [`before the fork${index > 0 ? ` ${index + 1}` : ''}`, model]);
  return { ...models, ...Object.fromEntries(named) };
}

/** `spec` is what resolves to the model again; `price` is the snapshot that all costs of the run are computed with. */
export type ModelHeader = {
  readonly spec: string;
  /** Its address, where the user named one. It holds no password. */
  readonly baseUrl?: string;
  readonly kind: ModelKind;
  readonly price: Price | null;
  /** The user's own settings, which go before the agent's. */
  readonly settings?: ModelSettings;
  /** Settings that it is never sent; missing where it takes all of these. */
  readonly ignores?: readonly ('temperature' | 'seed')[];
  /** What its server refuses, as the configuration says. */
  readonly quirks?: readonly ServerQuirk[];
};

/** How often, and after which waits in milliseconds, failed model calls are made again. */
export type RetryPolicy = {
  /** How often a call that may succeed later is made again. */
  readonly maxRetries: number;
  /** The first wait; it doubles each time, unless the provider names its own. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** How often an empty or unreadable reply, which was paid for, is asked for again. Default: `maxRetries`. */
  readonly maxMalformedRetries?: number;
  /** How often a model is shown that its reply does not fit the schema. Default, in older journals: never. */
  readonly maxRepairs?: number;
};

/**
 * Who broke a run off. `user`: it was asked to stop, or its process was interrupted. Of a run-set: its budget was used up,
 * another row of the same group has decided, or the set itself was stopped.
 */
export type StopCause = 'user' | 'set-budget' | 'set-decided' | 'set-stopped';

/** The last event of a run: how it ended. */
export type RunEnd = {
  readonly outcome: OutcomeKind;
  /** Present if the outcome is `cancelled`, unless an agent cancelled itself. */
  readonly stoppedBy?: StopCause;
  readonly solution: Solution | null;
  readonly grade: Grade | null;
  readonly limit?: EndLimit;
  /** A budget shared with other runs had no room: with a larger one, a resume goes on from there. */
  readonly cutShort?: true;
  readonly error?: EffectError;
  /**
   * Effects that failed for want of something, after which the agent asked for no more, and those of other branches that
   * this broke off: a resume makes them again.
   */
  readonly again?: readonly Position[];
  /** How long the run was alive; the time between a kill and a resume does not count. */
  readonly aliveMs: number;
};

/** The body of each kind of event. */
export type EventBodies = {
  'run-start': Header;
  /**
   * Another process took over, on `host` where the store is one of several. `aliveMs`: how long the run had been alive before.
   * `context` replaces that of the header.
   */
  'run-resume': { readonly aliveMs: number; readonly host?: string; readonly context?: JsonObject };
  'run-fork': Header;
  /** These limits hold from here on, in later lives too. `mail`: what its user said it by. Its agent sees those it began with. */
  'run-limits': { readonly limits: Header['limits']; readonly mail: number };
  'run-end': RunEnd;
  /** `isUnjudged`: it has an answer, and nobody can say whether that is right. */
  'stage-end': { readonly stage: string; readonly isUnjudged?: true };
  'stage-start': { readonly stage: string };
  note: { readonly kind: string; readonly data: JsonObject; readonly index: number };
} & { readonly [kind in IntentKind]: JsonObject } & { readonly [kind in SettlementKind]: Settlement };

/** What a line of a journal can be about. */
export type EventKind = keyof EventBodies;

/** An event of one kind, with the body that belongs to it. */
export type EventOf<Kind extends EventKind> = {
  /** 1, 2, 3 … without a gap; in a fork the numbers of the shared beginning are its parent's. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly branch: string;
  /** Null for events that are no effect. */
  readonly ordinal: number | null;
  readonly attempt: number;
  readonly kind: Kind;
  readonly body: EventBodies[Kind];
};

/** One line of a journal. */
export type Event = { readonly [Kind in EventKind]: EventOf<Kind> }[EventKind];

const intents = byName('intent');
const settlements = byName('settlement');

export function effectOfIntent(kind: EventKind): EffectKind | undefined {
  return intents.get(kind);
}

export function effectOfSettlement(kind: EventKind): EffectKind | undefined {
  return settlements.get(kind);
}

export function isSettlement(event: Event): event is Extract<Event, { kind: SettlementKind }> {
  return settlements.has(event.kind);
}

export function isIntent(event: Event): event is Extract<Event, { kind: IntentKind }> {
  return intents.has(event.kind);
}

/** `solve/a#3`, with `.1` for the second attempt: a position for people. The root branch is `main`. */
export function positionName(position: { branch: string; ordinal: number | null; attempt: number }): string {
  const attempt = position.attempt > 0 ? `.${position.attempt}` : '';
  return `${position.branch || 'main'}#${position.ordinal ?? '-'}${attempt}`;
}

function byName(half: 'intent' | 'settlement'): ReadonlyMap<string, EffectKind> {
  const kinds = Object.keys(effectPairs) as EffectKind[];
  return new Map(kinds.map((kind) => [effectPairs[kind][half] ?? '', kind]));
}
