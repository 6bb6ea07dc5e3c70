/**
 * Hands settlements to the agent one at a time, in journal order, with a macrotask between two and when none of its
 * branches is at work; and lets effects begin only when nothing is left to deliver. New events wait for the end of the
 * history, the journal's front, so that nothing is written over a journal that does not fit. The same code does this live,
 * on resume and in replay: so branches that share an archive, a vote or a limit come out the same again.
 */
import type { Event } from '../core/event.ts';
import { positionKey, type SettlementEvent } from '../core/history.ts';
import { type Activity, afterActiveTime } from './activity.ts';

/** How long a branch may do work of its own before it is taken to wait for something outside of the run. */
const workMs = 500;
/** How long an agent with such a branch may take to ask for what comes next in its journal. */
const patienceMs = 5_000;

type Waiter = { resolve(event: SettlementEvent): void; reject(error: Error): void };

type DeliveryOptions = {
  history: readonly SettlementEvent[];
  activity: Activity;
  /** The journal holds no effect yet. */
  isNew: boolean;
  /** Just before an event reaches its waiter. */
  onDeliver: (event: SettlementEvent) => void;
  /** The next event belongs to an effect that the agent does not ask for. */
  onUnclaimed: (event: Event) => void;
  /** All of the history is delivered and the agent had its turn; just before anything new is done. */
  onFront: () => void;
};

export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #queue: Queue<SettlementEvent>;
  readonly #waiters = new Map<string, Waiter>();
  #starts: (() => void)[] = [];
  #held: (() => void)[] = [];
  #hasReplayed: boolean;
  #isPumping = false;
  #failure: Error | null = null;
  #onArrival: (() => void) | null = null;
  readonly #onFailure: (() => void)[] = [];

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#queue = new Queue(options.history);
    this.#hasReplayed = options.isNew;
  }

  /** Nothing of the history is left. */
  get hasReplayed(): boolean {
    return this.#hasReplayed;
  }

  /** Waits for the settlement of this position. */
  expect(key: string): Promise<SettlementEvent> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiters.set(key, { resolve, reject });
      this.#onArrival?.();
      this.#wake();
    });
  }

  push(event: SettlementEvent): void {
    this.#queue.push(event);
    this.#wake();
  }

  /** Calls `start` when everything before it has been delivered and the agent had its turn. */
  afterHistory(start: () => void): void {
    this.#starts.push(start);
    this.#wake();
  }

  /** Calls `work` when the history is over, at once where it is; in the order of the calls, before any `start`. */
  afterReplay(work: () => void): void {
    if (this.#hasReplayed) return work();
    this.#held.push(work);
    this.#wake();
  }

  /** Resolves at the journal's front, or when there is no coming to it. */
  async replayed(): Promise<void> {
    if (this.#failure) return;
    await new Promise<void>((resolve) => {
      this.#onFailure.push(resolve);
      this.afterReplay(resolve);
    });
  }

  /** The waiter for this position gets this error. */
  reject(key: string, error: Error): void {
    const waiter = this.#waiters.get(key);
    this.#waiters.delete(key);
    waiter?.reject(error);
  }

  /** Every waiter, present and future, gets this error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#queue.clear();
    this.#starts = [];
    this.#held = [];
    for (const failed of this.#onFailure.splice(0)) failed();
    for (const waiter of this.#waiters.values()) waiter.reject(error);
    this.#waiters.clear();
    this.#onArrival?.();
  }

  /** A settlement that is left although the agent has ended; its grade comes later. */
  firstUndelivered(): SettlementEvent | undefined {
    return this.#queue.find((event) => event.kind !== 'grade-end' && !this.#waiters.has(positionKey(event)));
  }

  #wake(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    void this.#pump();
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0 || this.#starts.length > 0 || this.#held.length > 0) {
      await this.#agentsTurn();
      const next = this.#queue.first;
      if (!next) {
        this.#finishReplay();
        for (const start of this.#starts.splice(0)) start();
      } else if (this.#waiters.has(positionKey(next))) {
        this.#deliver(next);
      } else if (next.kind === 'grade-end' && this.#options.activity.isOver) {
        // The run itself will ask for it.
        break;
      } else if (!(await this.#hasNewWaiter())) {
        if (this.#queue.first === next) this.#options.onUnclaimed(next);
        break;
      }
    }
    this.#isPumping = false;
  }

  async #agentsTurn(): Promise<void> {
    await nextMacrotask();
    const { activity } = this.#options;
    while (activity.isBusy) {
      await activity.change(workMs);
      await nextMacrotask();
    }
  }

  #finishReplay(): void {
    if (this.#hasReplayed) return;
    this.#options.onFront();
    this.#hasReplayed = true;
    for (const work of this.#held.splice(0)) work();
  }

  #deliver(event: SettlementEvent): void {
    const key = positionKey(event);
    const waiter = this.#waiters.get(key);
    this.#queue.dropFirst();
    this.#waiters.delete(key);
    this.#options.onDeliver(event);
    waiter?.resolve(event);
  }

  /** Where every branch waits for something of the run's, no waiter will come. */
  async #hasNewWaiter(): Promise<boolean> {
    if (!this.#options.activity.isPaused) return false;
    return new Promise((resolve) => {
      const finish = (arrived: boolean): void => {
        callOff();
        this.#onArrival = null;
        resolve(arrived);
      };
      const callOff = afterActiveTime(patienceMs, () => finish(false));
      this.#onArrival = () => finish(true);
    });
  }
}

function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

class Queue<T> {
  /** Undefined: taken. */
  readonly #items: (T | undefined)[];
  #taken = 0;

  constructor(items: readonly T[]) {
    this.#items = [...items];
  }

  get length(): number {
    return this.#items.length - this.#taken;
  }

  get first(): T | undefined {
    return this.#items[this.#taken];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  dropFirst(): void {
    this.#items[this.#taken] = undefined;
    this.#taken += 1;
    if (this.#taken * 2 >= this.#items.length) this.#compact();
  }

  clear(): void {
    this.#taken = this.#items.length;
    this.#compact();
  }

  find(fits: (item: T) => boolean): T | undefined {
    return this.#items.find((item) => item !== undefined && fits(item));
  }

  #compact(): void {
    this.#items.splice(0, this.#taken);
    this.#taken = 0;
  }
}
