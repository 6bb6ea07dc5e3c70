/** Day 5, medium: nested repeats, summed up; then so many of them that nobody can play them through. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

/** What orders do to the hook, seen from where it was before: its height after them, the highest and the lowest. */
type Motion = { readonly end: bigint; readonly high: bigint; readonly low: bigint };

export const quarryWinch: Puzzle = {
  day: 5,
  title: 'The Quarry Winch',
  ...statement('day05-quarry-winch'),

  generate(random) {
    for (;;) {
      const cards = Array.from({ length: 120 }, () => drawOrders(random, random.int(1, 5)));
      const input = `${cards.join('\n')}\n`;
      if (isInteresting(input)) return input;
    }
  },

  solve(input) {
    const { high, low } = motionOf(input, 1_000n);
    return [String(motionOf(input, 1n).end), String(high - low)];
  },
};

/** Brackets around brackets, as deep as asked, among plain orders. */
function drawOrders(random: Random, depth: number): string {
  const plain = Array.from(
    { length: random.int(1, 3) },
    () => `${'UD'[random.int(0, 1)]}${random.int(1, 19)}`,
  );
  if (depth === 0) return plain.join(' ');
  const brackets = `${random.int(2, 6)}(${drawOrders(random, depth - 1)})`;
  return random.shuffle([...plain, brackets]).join(' ');
}

/** The hook ends well above the rim, and the rope is longer than a double can hold and than any way to an extreme. */
function isInteresting(input: string): boolean {
  const { end, high, low } = motionOf(input, 1_000n);
  const rope = high - low;
  const ways = [end, -end, high, -low, high - end, end - low];
  return motionOf(input, 1n).end >= 100n && rope > 2n ** 53n && !ways.includes(rope);
}

function motionOf(input: string, unit: bigint): Motion {
  const tokens = input.match(/[UD]\d+|\d+\(|\)/g) ?? [];
  let position = 0;
  const read = (): Motion => {
    let motion: Motion = { end: 0n, high: 0n, low: 0n };
    for (let token = tokens[position++]; token !== undefined && token !== ')'; token = tokens[position++]) {
      motion = after(
        motion,
        token.endsWith('(') ? repeated(read(), BigInt(token.slice(0, -1)) * unit) : pull(token),
      );
    }
    return motion;
  };
  return read();
}

function pull(order: string): Motion {
  const by = BigInt(order.slice(1));
  return order.startsWith('U') ? { end: by, high: by, low: 0n } : { end: -by, high: 0n, low: -by };
}

function after(first: Motion, second: Motion): Motion {
  return {
    end: first.end + second.end,
    high: largest(first.high, first.end + second.high),
    low: -largest(-first.low, -first.end - second.low),
  };
}

/** The extremes are reached the first time or the last time. */
function repeated({ end, high, low }: Motion, times: bigint): Motion {
  const last = end * (times - 1n);
  return { end: end * times, high: largest(high, last + high), low: -largest(-low, -last - low) };
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
