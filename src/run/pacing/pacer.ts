/**
 * Gives turns at live models to all runs of a process in rotation, so that a run with many calls keeps none waiting. Its lanes
 * are its own, or those of a store that several hosts share.
 */
import type { Clock } from '../../core/io.ts';
import { Lane, type Obstacle, type PaceLimits } from './lane.ts';
import type { SharedLanes } from './shared-lanes.ts';
import { type Entry, type LanePlan, longestWait, type Turn, type TurnRequest } from './turn.ts';

/** A line of the user's table: one lane for all models that it fits. */
export type PaceLine = { readonly name: string; readonly limits: PaceLimits; fits(model: string): boolean };

type Waiter = TurnRequest & {
  readonly plans: readonly LanePlan[];
  told: string;
  leave(why: unknown): void;
  give(turn: Turn): void;
};

export type PacerOptions = {
  readonly clock: Clock;
  readonly lines?: readonly PaceLine[];
  readonly shared?: SharedLanes | undefined;
};

export class Pacer {
  readonly #clock: Clock;
  readonly #shared: SharedLanes | undefined;
  #lines: readonly PaceLine[];
  /** Which of several servers of one name it is: a server of this machine is not another's. */
  #hostOf: (request: TurnRequest) => string | null = () => null;
  /** By server that a store is asked about: whether it is to be asked again. */
  readonly #asking = new Map<string, boolean>();
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting = new Map<string, Rotation<Waiter>>();
  /** Shared by all models: those of one line are fair to the runs together. */
  readonly #served = new ServeQueue();
  #alarm: { readonly atMs: number; readonly off: AbortController } | null = null;

  constructor({ clock, lines = [], shared }: PacerOptions) {
    this.#clock = clock;
    this.#lines = lines;
    this.#shared = shared;
  }

  /** The user's table, before the first turn that it is to hold for. */
  configure(lines: readonly PaceLine[], hostOf = this.#hostOf): void {
    this.#lines = lines;
    this.#hostOf = hostOf;
  }

  /** When a store knows all that was let go. */
  async close(): Promise<void> {
    await this.#shared?.close();
  }

  turn(request: TurnRequest): Promise<Turn> {
    const { run, signal } = request;
    const server = serverOf(request);
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const queue = this.#queueOf(server);
      const leave = (why: unknown): void => {
        signal.removeEventListener('abort', abort);
        queue.remove(run, waiter);
        reject(why);
      };
      const abort = (): void => {
        leave(signal.reason);
        this.#grantWaiting(server);
      };
      const give = (turn: Turn): void => {
        signal.removeEventListener('abort', abort);
        resolve(turn);
      };
      const waiter: Waiter = { ...request, plans: this.#lanePlans(request), told: '', leave, give };
      signal.addEventListener('abort', abort, { once: true });
      queue.add(run, waiter);
      this.#grantWaiting(server);
    });
  }

  /** Gives turns until something is in the way of the next one. */
  #grantWaiting(server: string): void {
    while (this.#grantNext(server));
  }

  /** False where no call waits, or something is in the way. */
  #grantNext(server: string): boolean {
    const queue = this.#queueOf(server);
    const next = queue.first;
    if (!next) return false;
    if (!this.#shared) return this.#take(server, this.#enter(next));
    // One question at a time for each server.
    const isAsking = this.#asking.has(server);
    this.#asking.set(server, isAsking);
    if (!isAsking)
      void this.#requestTurn(
        server,
        this.#shared.enter(next.plans, next, () => this.#grantAll()),
      );
    return false;
  }

  async #requestTurn(server: string, asked: Promise<Entry>): Promise<void> {
    const entry = await asked.catch((error: unknown) => {
      for (const waiter of [...this.#queueOf(server).all()]) waiter.leave(error);
      return null;
    });
    const isAgain = this.#asking.get(server);
    this.#asking.delete(server);
    if (entry && (this.#take(server, entry) || isAgain)) this.#grantWaiting(server);
  }

  /** For whoever is first by now. False where something is in the way. */
  #take(server: string, entry: Entry): boolean {
    const queue = this.#queueOf(server);
    if (entry !== 'out of service' && 'reason' in entry) {
      this.#keepWaiting(queue.all(), entry, this.#clock.now());
      return false;
    }
    const turn = entry === 'out of service' ? rejectedTurn(server) : entry;
    const waiter = queue.first;
    queue.takeFirst();
    // All may have left while a store was asked.
    if (waiter) waiter.give(turn);
    else turn.end();
    return true;
  }

  #enter({ plans, tokens }: Waiter): Entry {
    const nowMs = this.#clock.now();
    const lanes = plans.map((plan) => this.#lane(plan));
    if (lanes.some(({ breaker }) => breaker.isOutOfService(nowMs))) return 'out of service';
    const obstacle = longestWait(lanes.map((lane) => lane.obstacle(tokens, nowMs)));
    if (obstacle) return obstacle;
    for (const lane of lanes) lane.enter(tokens, nowMs);
    let isOver = false;
    return {
      refused: null,
      hear: (pace) => {
        if (!isOver) lanes[0]?.updateAllowance(pace, this.#clock.now());
      },
      end: (end) => {
        if (isOver) return;
        isOver = true;
        const endMs = this.#clock.now();
        for (const [index, lane] of lanes.entries()) lane.over(tokens, end, { index, nowMs: endMs });
        this.#grantAll();
      },
    };
  }

  /** One after the other to the run that was served longest ago, whichever model it waits for. */
  #grantAll(): void {
    const servers = [...this.#waiting.keys()];
    let isServing = true;
    while (isServing) {
      const inTurn = servers.toSorted(
        (a, b) => this.#queueOf(a).firstWaiting - this.#queueOf(b).firstWaiting,
      );
      isServing = inTurn.some((server) => this.#grantNext(server));
    }
  }

  #keepWaiting(waiters: Iterable<Waiter>, { reason, waitMs }: Obstacle, nowMs: number): void {
    for (const waiter of waiters) {
      if (waiter.told === reason) continue;
      waiter.told = reason;
      waiter.onWait(reason);
    }
    if (waitMs !== null) this.#wakeAt(nowMs + Math.max(1, waitMs));
  }

  #wakeAt(atMs: number): void {
    if (this.#alarm && this.#alarm.atMs <= atMs) return;
    this.#alarm?.off.abort();
    const alarm = { atMs, off: new AbortController() };
    this.#alarm = alarm;
    this.#clock.sleep(atMs - this.#clock.now(), alarm.off.signal).then(
      () => {
        if (this.#alarm === alarm) this.#alarm = null;
        this.#grantAll();
      },
      () => undefined,
    );
  }

  /** The server's own lane first: what its provider tells, and how it fares, is told of it. */
  #lanePlans(request: TurnRequest): readonly LanePlan[] {
    const server = serverOf(request);
    const host = this.#hostOf(request);
    const place = host === null ? '' : ` on ${host}`;
    const matching = this.#lines.filter((line) => line.fits(request.model));
    return [
      { key: `server ${server}${place}`, name: server, limits: {} },
      ...matching.map(({ name, limits }) => ({ key: `line ${name}${place}`, name, limits })),
    ];
  }

  #lane({ key, name, limits }: LanePlan): Lane {
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane = new Lane(name, limits, this.#clock.now());
    this.#lanes.set(key, lane);
    return lane;
  }

  #queueOf(server: string): Rotation<Waiter> {
    const known = this.#waiting.get(server);
    if (known) return known;
    const queue = new Rotation<Waiter>(this.#served);
    this.#waiting.set(server, queue);
    return queue;
  }
}

function serverOf({ model, address }: Pick<TurnRequest, 'model' | 'address'>): string {
  return address === undefined ? model : `${model} at ${address}`;
}

function rejectedTurn(server: string): Turn {
  return {
    refused: `${server} is out of service: it has been tried again and again.`,
    hear: () => undefined,
    end: () => undefined,
  };
}

const mostRemembered = 1_000;

class ServeQueue {
  readonly #at = new Map<string, number>();
  #count = 0;

  add(owner: string): void {
    this.#count += 1;
    this.#at.delete(owner);
    this.#at.set(owner, this.#count);
    const [oldest] = this.#at.keys();
    if (this.#at.size > mostRemembered && oldest !== undefined) this.#at.delete(oldest);
  }

  /** Greater the later it was; 0: never, or so long ago that it is forgotten. */
  last(owner: string): number {
    return this.#at.get(owner) ?? 0;
  }
}

class Rotation<T> {
  readonly #queues = new Map<string, T[]>();
  readonly #served: ServeQueue;

  constructor(response: ServeQueue) {
    this.#served = response;
  }

  add(owner: string, item: T): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.push(item);
    else this.#queues.set(owner, [item]);
  }

  get first(): T | undefined {
    const owner = this.#next();
    return owner === undefined ? undefined : this.#queues.get(owner)?.[0];
  }

  /** When the next owner was last served; infinite if nothing waits. */
  get firstWaiting(): number {
    const owner = this.#next();
    return owner === undefined ? Number.POSITIVE_INFINITY : this.#served.last(owner);
  }

  takeFirst(): void {
    const owner = this.#next();
    if (owner === undefined) return;
    this.#drop(owner, 0);
    this.#served.add(owner);
  }

  remove(owner: string, item: T): void {
    const index = this.#queues.get(owner)?.indexOf(item) ?? -1;
    if (index >= 0) this.#drop(owner, index);
  }

  *all(): Generator<T> {
    for (const queue of this.#queues.values()) yield* queue;
  }

  #next(): string | undefined {
    let next: string | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const owner of this.#queues.keys()) {
      const last = this.#served.last(owner);
      if (last >= earliest) continue;
      next = owner;
      earliest = last;
      if (last === 0) break;
    }
    return next;
  }

  #drop(owner: string, index: number): void {
    const queue = this.#queues.get(owner);
    queue?.splice(index, 1);
    if (queue?.length === 0) this.#queues.delete(owner);
  }
}
