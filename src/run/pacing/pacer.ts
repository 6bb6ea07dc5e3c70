/** Gives turns at live models to all runs of a process in rotation, so that a run with many calls keeps none waiting. */
import type { Clock } from '../../core/io.ts';
import type { ProviderPace } from '../../core/model.ts';
import { type CallEnd, Lane, type Obstacle, type PaceLimits } from './lane.ts';

/** A line of the user's table: one lane for all models that it fits. */
export type PaceLine = { readonly name: string; readonly limits: PaceLimits; fits(model: string): boolean };

export type TurnRequest = {
  readonly model: string;
  /** Where it is, if its user said so: one name at two addresses is two servers. */
  readonly address?: string | undefined;
  readonly run: string;
  /** What it is likely to use. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  /** Called when it has to wait, and whenever the reason changes. */
  readonly onWait: (reason: string) => void;
};

export type Turn = {
  /** Waiting is in vain: the reason, in a sentence. The call is not to be made. */
  readonly refused: string | null;
  hear(pace: ProviderPace): void;
  /** At the end of the call; nothing: it was never made. */
  end(end?: CallEnd): void;
};

type Waiter = TurnRequest & { readonly lanes: readonly Lane[]; told: string; give(turn: Turn): void };

export class Pacer {
  readonly #clock: Clock;
  #lines: readonly PaceLine[];
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting = new Map<string, Rotation<Waiter>>();
  /** Shared by all models: those of one line are fair to the runs together. */
  readonly #served = new Served();
  #alarm: { readonly atMs: number; readonly off: AbortController } | null = null;

  constructor(options: { readonly clock: Clock; readonly lines?: readonly PaceLine[] }) {
    this.#clock = options.clock;
    this.#lines = options.lines ?? [];
  }

  /** The user's table, before the first turn that it is to hold for. */
  learn(lines: readonly PaceLine[]): void {
    this.#lines = lines;
  }

  turn(request: TurnRequest): Promise<Turn> {
    const { run, signal } = request;
    const server = serverOf(request);
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const queue = this.#queueOf(server);
      const leave = (): void => {
        queue.remove(run, waiter);
        reject(signal.reason);
        this.#serve(server);
      };
      const give = (turn: Turn): void => {
        signal.removeEventListener('abort', leave);
        resolve(turn);
      };
      const waiter: Waiter = { ...request, lanes: this.#lanesOf(request), told: '', give };
      signal.addEventListener('abort', leave, { once: true });
      queue.add(run, waiter);
      this.#serve(server);
    });
  }

  /** Gives turns until something is in the way of the next one. */
  #serve(server: string): void {
    while (this.#serveOne(server));
  }

  /** False where no call waits, or something is in the way. */
  #serveOne(server: string): boolean {
    const queue = this.#queueOf(server);
    const next = queue.first;
    if (!next) return false;
    const nowMs = this.#clock.now();
    const isOutOfService = next.lanes.some(({ breaker }) => breaker.isOutOfService(nowMs));
    const obstacle = isOutOfService
      ? null
      : longest(next.lanes.map((lane) => lane.obstacle(next.tokens, nowMs)));
    if (obstacle) {
      this.#keepWaiting(queue.all(), obstacle, nowMs);
      return false;
    }
    queue.takeFirst();
    next.give(isOutOfService ? refusal(server) : this.#enter(next, nowMs));
    return true;
  }

  #enter({ lanes, tokens }: Waiter, nowMs: number): Turn {
    for (const lane of lanes) lane.enter(tokens, nowMs);
    let isOver = false;
    return {
      refused: null,
      hear: (pace) => {
        if (!isOver) lanes[0]?.hear(pace, this.#clock.now());
      },
      end: (end) => {
        if (isOver) return;
        isOver = true;
        const endMs = this.#clock.now();
        for (const [index, lane] of lanes.entries()) {
          // How one server fares says nothing of the others of a line.
          if (end) lane.leave(tokens, index === 0 || end.kind === 'ok' ? end : { kind: 'aborted' }, endMs);
          else lane.giveBack(tokens, endMs);
        }
        this.#serveAll();
      },
    };
  }

  /** One after the other to the run that was served longest ago, whichever model it waits for. */
  #serveAll(): void {
    const servers = [...this.#waiting.keys()];
    let isServing = true;
    while (isServing) {
      const inTurn = servers.toSorted((a, b) => this.#queueOf(a).firstServed - this.#queueOf(b).firstServed);
      isServing = inTurn.some((server) => this.#serveOne(server));
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
        this.#serveAll();
      },
      () => undefined,
    );
  }

  /** The server's own lane first: what its provider tells, and how it fares, is told of it. */
  #lanesOf(request: TurnRequest): readonly Lane[] {
    const server = serverOf(request);
    const fitting = this.#lines.filter((line) => line.fits(request.model));
    return [
      this.#lane(`server ${server}`, server, {}),
      ...fitting.map(({ name, limits }) => this.#lane(`line ${name}`, name, limits)),
    ];
  }

  #lane(key: string, name: string, limits: PaceLimits): Lane {
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

/** One that only another call's end removes is the longest of all. */
function longest(obstacles: readonly (Obstacle | null)[]): Obstacle | null {
  const found = obstacles.flatMap((each) => each ?? []);
  return found.toSorted((a, b) => (b.waitMs ?? Infinity) - (a.waitMs ?? Infinity))[0] ?? null;
}

function refusal(server: string): Turn {
  return {
    refused: `${server} is out of service: it has been tried again and again.`,
    hear: () => undefined,
    end: () => undefined,
  };
}

const mostRemembered = 1_000;

class Served {
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
  readonly #served: Served;

  constructor(served: Served) {
    this.#served = served;
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
  get firstServed(): number {
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
