/**
 * Hands settlements to the agent one at a time, in journal order, with a macrotask between two; and lets effects begin
 * only when nothing is left to deliver. The same code does this live, on resume and in replay: it is what makes
 * branches that share an archive, a vote or a limit come out the same again.
 * It knows nothing of what an effect does.
 */
import type { Event } from '../core/event.ts';
import { positionKey, type SettlementEvent } from '../core/history.ts';

/** How long an agent that does work of its own (a graph engine's ticks) may take to ask for what comes next. */
const patienceMs = 5_000;

type Waiter = { resolve(event: SettlementEvent): void; reject(error: Error): void };

export class Delivery {
  readonly #queue: SettlementEvent[];
  readonly #waiters = new Map<string, Waiter>();
  #starts: (() => void)[] = [];
  #isPumping = false;
  #failure: Error | null = null;
  #onArrival: (() => void) | null = null;
  readonly #onDeliver: (event: SettlementEvent) => void;
  readonly #onUnclaimed: (event: Event) => void;

  constructor(options: {
    history: readonly SettlementEvent[];
    /** Just before an event reaches its waiter. */
    onDeliver: (event: SettlementEvent) => void;
    /** The next event belongs to an effect that the agent does not ask for. */
    onUnclaimed: (event: Event) => void;
  }) {
    this.#queue = [...options.history];
    this.#onDeliver = options.onDeliver;
    this.#onUnclaimed = options.onUnclaimed;
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
  whenCaughtUp(start: () => void): void {
    this.#starts.push(start);
    this.#wake();
  }

  /** Everybody who waits, now or later, gets this error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#queue.length = 0;
    this.#starts = [];
    for (const waiter of this.#waiters.values()) waiter.reject(error);
    this.#waiters.clear();
    this.#onArrival?.();
  }

  /** What is left although the agent has ended; its grade comes later. */
  leftover(): SettlementEvent | undefined {
    return this.#queue.find((event) => event.kind !== 'grade-end' && !this.#waiters.has(positionKey(event)));
  }

  #wake(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    void this.#pump();
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0 || this.#starts.length > 0) {
      await macrotask();
      const next = this.#queue[0];
      if (!next) {
        for (const start of this.#starts.splice(0)) start();
      } else if (this.#waiters.has(positionKey(next))) {
        this.#deliver(next);
      } else if (!(await this.#somebodyArrives())) {
        if (this.#queue[0] === next) this.#onUnclaimed(next);
        break;
      }
    }
    this.#isPumping = false;
  }

  #deliver(event: SettlementEvent): void {
    const key = positionKey(event);
    const waiter = this.#waiters.get(key);
    this.#queue.shift();
    this.#waiters.delete(key);
    this.#onDeliver(event);
    waiter?.resolve(event);
  }

  #somebodyArrives(): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (arrived: boolean): void => {
        clearTimeout(timer);
        this.#onArrival = null;
        resolve(arrived);
      };
      const timer = setTimeout(() => finish(false), patienceMs);
      this.#onArrival = () => finish(true);
    });
  }
}

function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
