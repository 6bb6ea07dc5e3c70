/**
 * Lanes that a store keeps for several hosts: the same lanes, opened by one process at a time, with the time of the store.
 * Processes that wait at a lane enter it in the order in which they began to.
 */
import { randomUUID } from 'node:crypto';
import type { Fleet, LaneChange, LaneRequests } from '../../core/fleet.ts';
import type { Store } from '../../core/store.ts';
import { Lane } from './lane.ts';
import { type Entry, type LanePlan, longestWait, type Turn, type TurnRequest } from './turn.ts';

/** Another process lets something go, or is gone, and nobody tells. */
const lookEveryMs = 500;
/** Who waits looks more often than that. */
const silentMs = 2_000;

/** Begun anew where the form of what is kept changes. */
const form = 1;

type OpenLane = { readonly lane: Lane; waiting: { readonly holder: string; readonly seenMs: number }[] };
type Change<T> = (lanes: readonly OpenLane[], nowMs: number) => Omit<LaneChange<T | null>, 'states'>;

export class SharedLanes {
  /** Names this process at the store. */
  readonly #holder = randomUUID();
  readonly #store: Store;
  #fleet: Promise<Fleet | null> | null = null;
  readonly #telling = new Set<Promise<unknown>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** `onFree`: a turn may be this process's. */
  async enter(lanePlans: readonly LanePlan[], request: TurnRequest, onFree: () => void): Promise<Entry> {
    this.#fleet ??= this.#begin(onFree);
    const { tokens, run } = request;
    const asked = { lanes: lanePlans.map(({ key }) => `${form} ${key}`), turn: randomUUID(), run };
    const entry = await this.#change<Entry>(lanePlans, { ...asked, isNew: true }, (lanes, nowMs) => {
      if (lanes.some(({ lane }) => lane.breaker.isOutOfService(nowMs))) return { result: 'out of service' };
      const obstacles = lanes.map((each) => this.#obstacle(each, tokens, nowMs));
      const obstacle = longestWait(obstacles);
      for (const [index, each] of lanes.entries())
        this.#queue(each, nowMs, obstacle !== null && obstacles[index] === obstacle);
      if (obstacle)
        return { result: { ...obstacle, waitMs: Math.min(obstacle.waitMs ?? lookEveryMs, lookEveryMs) } };
      for (const { lane } of lanes) lane.enter(tokens, nowMs);
      return { result: null, turn: 'begin' };
    });
    return entry ?? this.#turn(lanePlans, asked, { tokens, onFree });
  }

  /** When all that was let go is told. */
  async close(): Promise<void> {
    await Promise.all(this.#telling);
  }

  async #begin(onFree: () => void): Promise<Fleet | null> {
    const hints = await this.#store.hints?.();
    hints?.on((topic) => {
      if (topic === null || topic === `turn ${this.#holder}`) onFree();
    });
    return (await this.#store.fleet?.()) ?? null;
  }

  #obstacle({ lane, waiting }: OpenLane, tokens: number, nowMs: number) {
    const first = waiting.find(({ seenMs }) => nowMs - seenMs < silentMs);
    const isBehind = first !== undefined && first.holder !== this.#holder;
    return (
      lane.obstacle(tokens, nowMs) ??
      (isBehind ? lane.describeObstacle('serves another process first', null) : null)
    );
  }

  /** Keeps the place of this process where it waits, and that of all others that are alive. */
  #queue(each: OpenLane, nowMs: number, waits: boolean): void {
    const own = { holder: this.#holder, seenMs: nowMs };
    const isKnown = each.waiting.some(({ holder }) => holder === this.#holder);
    each.waiting = [...each.waiting, ...(isKnown ? [] : [own])]
      .filter(({ holder, seenMs }) => (holder === this.#holder ? waits : nowMs - seenMs < silentMs))
      .map((place) => (place.holder === this.#holder ? own : place));
  }

  #turn(
    lanePlans: readonly LanePlan[],
    laneRequests: LaneRequests,
    { tokens, onFree }: { readonly tokens: number; readonly onFree: () => void },
  ): Turn {
    let told: Promise<unknown> = Promise.resolve();
    const report = (change: Change<null>): Promise<unknown> => {
      // In this order; where the store is gone, the turn ends with its run's lease.
      told = told
        .then(() => this.#change(lanePlans, { ...laneRequests, isNew: false }, change))
        .catch(() => undefined);
      const telling: Promise<unknown> = told.then(() => this.#telling.delete(telling));
      this.#telling.add(telling);
      return telling;
    };
    return {
      refused: null,
      hear: (pace) =>
        void report(([first], nowMs) => {
          first?.lane.updateAllowance(pace, nowMs);
          return { result: null };
        }),
      end: (end) =>
        void report((lanes, nowMs) => {
          for (const [index, { lane }] of lanes.entries()) lane.over(tokens, end, { index, nowMs });
          const next = lanes.flatMap(({ waiting }) => waiting[0]?.holder ?? []);
          return { result: null, turn: 'end', next };
        }).then(onFree),
    };
  }

  /** Null also where it was done before, and its receipt lost. */
  async #change<T>(
    plans: readonly LanePlan[],
    { isNew, ...asked }: LaneRequests & { readonly isNew: boolean },
    change: Change<T>,
  ): Promise<T | null> {
    const fleet = await this.#fleet;
    if (!fleet) throw new Error('This store shares nothing.');
    return fleet.changeLanes<T | null>(asked, (kept, nowMs, isUnderWay) => {
      if (isUnderWay === isNew) return { states: null, result: null };
      const lanes = plans.map(({ name, limits }, index): OpenLane => {
        const { lane: state, waiting = [] } = JSON.parse(kept[index]?.state ?? '{}');
        const lane = new Lane(name, limits, nowMs);
        lane.goOn(state, kept[index]?.underWay ?? 0);
        return { lane, waiting };
      });
      const changed = change(lanes, nowMs);
      return { ...changed, states: lanes.map((each) => JSON.stringify(each)) };
    });
  }
}
