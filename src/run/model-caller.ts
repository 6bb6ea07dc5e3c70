/** Whom a run's model calls are made through: its header's word on them, and what all of them share. Types only. */
import type { Header } from '../core/event.ts';
import type { Clock } from '../core/io.ts';
import type { Model } from '../core/model.ts';
import type { KnownInput } from './known-input.ts';
import type { Pacer } from './pacing/pacer.ts';
import type { Share } from './shared-budget.ts';
import type { Observer } from './world.ts';

export type ModelCaller = {
  readonly header: Header;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly aliveMs: () => number;
  /** The notices about settings that this life has told. */
  readonly told: Set<string>;
  readonly known: KnownInput;
  readonly pacer: Pacer | null;
  readonly sharedBudget: Share | null;
  /** The model of a role; null in a replay, where none is ever called. */
  modelFor(role: string): Model | null;
  /** How often each question was asked, for models that want to know. The agent asks in the same order on a resume. */
  readonly questions: Map<string, number>;
};
