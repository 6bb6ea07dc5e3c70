/** Writes how effects ended, in an order that does not depend on the machine, with the stages that they closed and opened. */
import { effectPairs, type Position } from '../core/event.ts';
import type { History, SettlementEvent } from '../core/history.ts';
import type { Ledger, Reservation } from '../core/limits.ts';
import type { StageAdvance } from '../core/problem.ts';
import type { EffectSpec, Settled } from './settling.ts';
import type { JournalWriter, NewEvent } from './writer.ts';

export type Ended = Settled & {
  readonly spec: EffectSpec;
  /** The stage that was open when it was asked for. */
  readonly stage: string;
  readonly reservation: Reservation | null;
};

type SettlerOptions = {
  writer: JournalWriter;
  ledger: Ledger;
  stages: History['stages'];
  /** Whether cancelled effects have not ended yet. */
  isBreaking: () => boolean;
  /** False when the run has failed: then nothing more is written. */
  mayWrite: () => boolean;
  /** It has its number, and is about to be written. */
  onSettled: (event: SettlementEvent, ended: Ended) => void;
  onWritten: (event: SettlementEvent) => void;
  onFailed: (error: Error) => void;
};

export class Settler {
  readonly #options: SettlerOptions;
  readonly #broken: Ended[] = [];
  stages: History['stages'];

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.stages = options.stages;
  }

  settle(ended: Ended): void {
    const isCorrupt = ended.settlement.status === 'cancelled';
    // What is broken off together is written in the order of positions, not in that in which each noticed.
    if (isCorrupt) this.#broken.push(ended);
    else this.#write(ended);
    if (this.#broken.length > 0) setImmediate(() => this.#writeAborted());
  }

  #writeAborted(): void {
    // The last to land comes here again.
    if (this.#options.isBreaking()) return;
    const together = this.#broken.splice(0);
    together.sort((a, b) => comparePositions(a.spec.position, b.spec.position));
    for (const ended of together) this.#write(ended);
  }

  #write(ended: Ended): void {
    const { mayWrite, writer, ledger, onSettled, onWritten, onFailed } = this.#options;
    const { spec, settlement, advance, reservation, blobs } = ended;
    const kind = effectPairs[spec.effect].settlement;
    const { conversation } = spec;
    const settled: NewEvent = { kind, body: settlement, ...spec.position, conversation, blobs };
    if (!mayWrite()) return writer.keep(settled);
    const updates = [settled];
    if (advance) updates.push(...this.#advance(advance));
    const isRejected = settlement.status === 'refused';
    const { events, written } = writer.add(updates, { durable: spec.durable && !isRejected });
    const event = events[0] as SettlementEvent;
    if (!isRejected) ledger.settle(reservation, settlement);
    onSettled(event, ended);
    written.then(() => onWritten(event), onFailed);
  }

  #advance({ to, isUnjudged }: StageAdvance): NewEvent[] {
    const ended = this.stages.open;
    this.stages = { done: [...this.stages.done, ended], open: to ?? '' };
    const end: NewEvent = {
      kind: 'stage-end',
      body: { stage: ended, ...(isUnjudged ? { isUnjudged } : {}) },
    };
    return to === null ? [end] : [end, { kind: 'stage-start', body: { stage: to } }];
  }
}

function comparePositions(a: Position, b: Position): number {
  if (a.branch !== b.branch) return a.branch < b.branch ? -1 : 1;
  return a.ordinal - b.ordinal;
}
