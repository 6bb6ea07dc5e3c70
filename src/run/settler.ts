/**
 * Writes how effects ended, in an order that does not depend on the machine, and with it the stages that they closed
 * and opened, in the same transaction. It knows what is open in the journal; what the agent has been told is the
 * delivery's.
 */
import { effectPairs, type Position } from '../core/event.ts';
import type { History, SettlementEvent } from '../core/history.ts';
import type { Ledger, Reservation } from '../core/limits.ts';
import type { StageAdvance } from '../core/problem.ts';
import type { EffectSpec } from './effect-spec.ts';
import type { Landed } from './in-flight.ts';
import type { JournalWriter, NewEvent } from './writer.ts';

export type Ended = Landed & {
  readonly spec: EffectSpec;
  /** The stage that was open when it was asked for. */
  readonly stage: string;
  readonly reservation: Reservation | null;
};

export class Settler {
  readonly #writer: JournalWriter;
  readonly #ledger: Ledger;
  readonly #broken: Ended[] = [];
  /** The stages at the journal's end. */
  #stages: History['stages'];
  readonly #isBreaking: () => boolean;
  readonly #mayWrite: () => boolean;
  readonly #onSettled: (event: SettlementEvent, ended: Ended) => void;
  readonly #onWritten: (event: SettlementEvent) => void;
  readonly #onFailed: (error: Error) => void;

  constructor(options: {
    writer: JournalWriter;
    ledger: Ledger;
    stages: History['stages'];
    /** Effects that were broken off are still on their way down. */
    isBreaking: () => boolean;
    /** False when the run has failed: then nothing more is written. */
    mayWrite: () => boolean;
    /** It has its number, and is about to be written. */
    onSettled: (event: SettlementEvent, ended: Ended) => void;
    onWritten: (event: SettlementEvent) => void;
    onFailed: (error: Error) => void;
  }) {
    this.#writer = options.writer;
    this.#ledger = options.ledger;
    this.#stages = options.stages;
    this.#isBreaking = options.isBreaking;
    this.#mayWrite = options.mayWrite;
    this.#onSettled = options.onSettled;
    this.#onWritten = options.onWritten;
    this.#onFailed = options.onFailed;
  }

  get stages(): History['stages'] {
    return this.#stages;
  }

  settle(ended: Ended): void {
    const isBroken = ended.settlement.status === 'cancelled';
    // What is broken off together is written in the order of positions, not in that in which each noticed.
    if (isBroken) this.#broken.push(ended);
    else this.#write(ended);
    if (this.#broken.length > 0) setImmediate(() => this.#writeBroken());
  }

  #writeBroken(): void {
    // Whoever lands last comes here again.
    if (this.#isBreaking()) return;
    const together = this.#broken.splice(0);
    together.sort((a, b) => comparePositions(a.spec.position, b.spec.position));
    for (const ended of together) this.#write(ended);
  }

  #write(ended: Ended): void {
    if (!this.#mayWrite()) return;
    const { spec, settlement, advance, reservation, blobs } = ended;
    const { conversation } = spec;
    const kind = effectPairs[spec.effect].settlement;
    const beside = { ...(conversation ? { conversation } : {}), ...(blobs ? { blobs } : {}) };
    const news: NewEvent[] = [{ kind, body: settlement, ...spec.position, ...beside }];
    if (advance) news.push(...this.#advance(advance));
    const isRefused = settlement.status === 'refused';
    const { events, written } = this.#writer.add(news, { durable: spec.durable && !isRefused });
    const event = events[0] as SettlementEvent;
    if (!isRefused) this.#ledger.settle(reservation, settlement);
    this.#onSettled(event, ended);
    written.then(() => this.#onWritten(event), this.#onFailed);
  }

  #advance({ to }: StageAdvance): NewEvent[] {
    const ended = this.#stages.open;
    this.#stages = { done: [...this.#stages.done, ended], open: to ?? '' };
    const end: NewEvent = { kind: 'stage-end', body: { stage: ended } };
    return to === null ? [end] : [end, { kind: 'stage-start', body: { stage: to } }];
  }
}

function comparePositions(a: Position, b: Position): number {
  if (a.branch !== b.branch) return a.branch < b.branch ? -1 : 1;
  return a.ordinal - b.ordinal;
}
