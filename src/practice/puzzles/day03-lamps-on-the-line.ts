/** Day 3, easy: how much of a line is covered by intervals, then the fewest intervals that cover as much. */
import { type Puzzle, statement } from '../puzzle.ts';

type Lamp = { readonly from: number; readonly to: number };

export const lampsOnTheLine: Puzzle = {
  day: 3,
  title: 'Lamps on the Line',
  ...statement('day03-lamps-on-the-line'),

  generate(random) {
    const lamps = Array.from({ length: random.int(450, 800) }, () => ({
      at: random.int(1_000, 160_000),
      reach: random.int(15, 420),
    }));
    return lamps.map(({ at, reach }) => `${at} reaches ${reach}\n`).join('');
  },

  solve(input) {
    const lamps = parse(input).sort((a, b) => a.from - b.from);
    return [String(countLit(lamps)), String(countNeeded(lamps))];
  },
};

function parse(input: string): Lamp[] {
  return [...input.matchAll(/(\d+) reaches (\d+)/g)].map(([, at, reach]) => ({
    from: Number(at) - Number(reach),
    to: Number(at) + Number(reach),
  }));
}

function countLit(lamps: readonly Lamp[]): number {
  let lit = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of lamps) {
    if (to <= end) continue;
    lit += to - Math.max(from - 1, end);
    end = to;
  }
  return lit;
}

/** The first sleeper in the dark is best lit by the lamp that reaches furthest beyond it. */
function countNeeded(lamps: readonly Lamp[]): number {
  let needed = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (let next = 0; ; ) {
    // Whatever lies beyond the end and is lit at all begins here, or where the next lamp does.
    const first = Math.max(end + 1, lamps[next]?.from ?? end + 1);
    let furthest = end;
    for (let lamp = lamps[next]; lamp && lamp.from <= first; lamp = lamps[++next]) {
      furthest = Math.max(furthest, lamp.to);
    }
    if (furthest > end) {
      needed++;
      end = furthest;
    } else if (next >= lamps.length) {
      return needed;
    }
  }
}
