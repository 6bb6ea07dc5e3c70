/**
 * How things are measured: ours and a floor in turn, round after round in one process, so that a noisy machine
 * disturbs both alike. The median of the rounds' ratios is what an aim is held against. It knows nothing of journals.
 */

/** One line of the table. */
export type Row = {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  /** What it is compared with, in the same unit; null where there is nothing to compare with. */
  readonly floor: number | null;
  /** What the floor is. */
  readonly against: string;
  readonly ratio: number | null;
  readonly aim: Aim | null;
};

/** `ratio`: at most that many floors. `measured`: at most that much. */
export type Aim = { readonly of: 'ratio' | 'measured'; readonly atMost: number };

/** `write`: figures that are shown to users are to be written where they stand. */
export type Asked = { readonly write: boolean };

export type Bench = {
  readonly name: string;
  /** What its rows do not say, and a reader may look for. */
  readonly note?: string;
  run(asked: Asked): Promise<readonly Row[]>;
};

/** Does its work once and says how long one unit of it took. */
export type Measured = () => number | Promise<number>;

export type Contest = { readonly ours: Measured; readonly floor: Measured; readonly rounds: number };

/** One round more than asked for is run first and forgotten. */
export async function contest({
  ours,
  floor,
  rounds,
}: Contest): Promise<Pick<Row, 'measured' | 'floor' | 'ratio'>> {
  const taken: { ours: number; floor: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = round % 2 === 0 ? await inOrder(ours, floor) : (await inOrder(floor, ours)).toReversed();
    if (round > 0) taken.push({ ours: pair[0] ?? Number.NaN, floor: pair[1] ?? Number.NaN });
  }
  return {
    measured: median(taken.map((pair) => pair.ours)),
    floor: median(taken.map((pair) => pair.floor)),
    ratio: median(taken.map((pair) => pair.ours / pair.floor)),
  };
}

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of the processor, of all threads of this process or of this one: others at work on the machine hardly disturb them. */
export function processorTimer(of: 'process' | 'thread' = 'process'): () => number {
  const usage = of === 'thread' ? process.threadCpuUsage : process.cpuUsage;
  const before = usage();
  return () => {
    const { user, system } = usage(before);
    return (user + system) / 1000;
  };
}

/** Microseconds for one of `count` units. */
export async function timedEach(count: number, work: () => unknown): Promise<number> {
  return ((await timed(work)) * 1000) / count;
}

/** 1, 2, 3 … */
export function counter(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Null where the row has no aim. */
export function isReached({ aim, ratio, measured }: Row): boolean | null {
  if (!aim) return null;
  return (aim.of === 'ratio' ? (ratio ?? Number.NaN) : measured) <= aim.atMost;
}

async function inOrder(first: Measured, second: Measured): Promise<number[]> {
  return [await first(), await second()];
}
