/**
 * What a run needs from the rooms beside it, each behind a contract of core. The composition root fills it in;
 * tests fill in what they want to control.
 */
import type { Agent } from '../core/agent.ts';
import type { Event, Position, RetryPolicy } from '../core/event.ts';
import type { Io } from '../core/io.ts';
import type { Model } from '../core/model.ts';
import type { Family } from '../core/problem.ts';
import type { Owner, Store } from '../core/store.ts';
import type { Pacer } from './pacing/pacer.ts';
import type { Share } from './shared-budget.ts';

export interface World {
  readonly store: Store;
  readonly io: Io;
  readonly owner: Owner;
  readonly codeVersion: string;
  readonly retry: RetryPolicy;
  /** Gives turns to call live models; without it nobody waits for one. */
  readonly pacer?: Pacer;
  /** A budget that this run shares with others. */
  readonly sharedBudget?: Share;
  /** Loads it, so that none has to be loaded within a run. Throws `UserError` for a name that is not known. */
  agent(name: string): Promise<Agent>;
  family(name: string): Promise<Family>;
  /** `spec` is what the user wrote: `openai-compatible/qwen3`. Throws `UserError` where it cannot be had. */
  model(spec: string, place?: ModelPlace): Promise<Model>;
}

/** `baseUrl`: where the model is, in the place of what the environment says. */
export type ModelPlace = { readonly baseUrl?: string };

/** The next words of the model call at a position. */
export type Delta = Position & {
  readonly role: string;
  readonly type: 'text' | 'reasoning';
  readonly text: string;
};

/** Whoever watches a run in its own process. Must not throw. */
export interface Observer {
  /** After the event is in the journal. */
  onEvent?(event: Event): void;
  /** Text as it arrives from a model; it is never journaled. */
  onDelta?(delta: Delta): void;
  onNotice?(notice: string): void;
  /** A call waits for its turn, before it is made; null: it waits no more. */
  onWait?(position: Position, reason: string | null): void;
}
