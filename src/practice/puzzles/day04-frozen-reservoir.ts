/** Day 4, easy: sliding over a grid as told, then the shortest way to come to rest on one square. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

type Point = { readonly row: number; readonly column: number };
type Ice = { readonly rows: readonly string[]; readonly boat: Point; readonly hut: Point };
/** Where a boat may come to rest, and the pushes that take it there. */
type Rest = { readonly at: Point; readonly pushes: string };

export const frozenReservoir: Puzzle = {
  day: 4,
  title: 'The Frozen Reservoir',
  ...statement('day04-frozen-reservoir'),

  generate(random) {
    for (;;) {
      const chart = drawChart(random);
      const hut = chooseHut(random, chart);
      if (!hut) continue;
      const row = chart.rows[hut.row] ?? '';
      const rows = chart.rows.with(hut.row, `${row.slice(0, hut.column)}H${row.slice(hut.column + 1)}`);
      const pushes = Array.from({ length: 180 }, () => 'ENSW'[random.int(0, 3)]).join('');
      return `${rows.join('\n')}\n\n${pushes}\n`;
    }
  },

  solve(input) {
    const [chart = '', pushes = ''] = input.split('\n\n');
    const ice = parse(chart);
    const hut = findRests(ice).rests.find(({ at }) => isSame(at, ice.hut));
    if (!hut) throw new Error('No pushes take the boat to the hut.');
    return [String(slideAlong(ice, pushes.trim())), hut.pushes];
  },
};

/** In the order of the dictionary. */
const directions: readonly (readonly [string, number, number])[] = [
  ['E', 0, 1],
  ['N', -1, 0],
  ['S', 1, 0],
  ['W', 0, -1],
];

const size = 46;

function drawChart(random: Random): Ice {
  const boat = { row: random.int(5, size - 6), column: random.int(5, size - 6) };
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => {
      const isRock = random.int(1, 100) <= 11;
      if (isSame(boat, { row, column })) return 'B';
      return isRock ? '#' : '.';
    }).join(''),
  );
  return { rows, boat, hut: boat };
}

/** Far away, rushed past earlier than reached, and reached in more than one way. */
function chooseHut(random: Random, ice: Ice): Point | null {
  const { rests, passedAfter, ways } = findRests(ice);
  const hard = rests.filter(
    ({ at, pushes }) =>
      pushes.length >= 8 &&
      (passedAfter.get(keyOf(at)) ?? pushes.length) < pushes.length &&
      (ways.get(keyOf(at)) ?? 1) > 1,
  );
  return random.shuffle(hard)[0]?.at ?? null;
}

function parse(chart: string): Ice {
  const rows = chart.trim().split('\n');
  const find = (mark: string) => {
    const row = rows.findIndex((line) => line.includes(mark));
    return { row, column: rows[row]?.indexOf(mark) ?? -1 };
  };
  return { rows, boat: find('B'), hut: find('H') };
}

function slideAlong(ice: Ice, pushes: string): number {
  let at = ice.boat;
  let squares = 0;
  for (const push of pushes) {
    const [, down = 0, right = 0] = directions.find(([letter]) => letter === push) ?? [];
    const path = slide(ice, at, down, right);
    squares += path.length;
    at = path.at(-1) ?? at;
  }
  return squares;
}

/** The squares that a boat slides over, the last of them the one where it stops. */
function slide({ rows }: Ice, from: Point, down: number, right: number): Point[] {
  const path: Point[] = [];
  for (let { row, column } = from; ; ) {
    row += down;
    column += right;
    const square = rows[row]?.[column];
    if (square === undefined || square === '#') return path;
    path.push({ row, column });
  }
}

/** Searches push by push, in the order of the dictionary: what reaches a square first is its answer. */
function findRests(ice: Ice): { rests: Rest[]; passedAfter: Map<string, number>; ways: Map<string, number> } {
  const rests: Rest[] = [{ at: ice.boat, pushes: '' }];
  const lengths = new Map([[keyOf(ice.boat), 0]]);
  const passedAfter = new Map<string, number>();
  const ways = new Map([[keyOf(ice.boat), 1]]);
  for (const { at, pushes } of rests) {
    for (const [letter, down, right] of directions) {
      const path = slide(ice, at, down, right);
      const length = pushes.length + 1;
      for (const passed of path) passedAfter.set(keyOf(passed), passedAfter.get(keyOf(passed)) ?? length);
      const stop = path.at(-1);
      if (!stop) continue;
      const key = keyOf(stop);
      if (!lengths.has(key)) {
        lengths.set(key, length);
        rests.push({ at: stop, pushes: pushes + letter });
      }
      if (lengths.get(key) === length) ways.set(key, (ways.get(key) ?? 0) + (ways.get(keyOf(at)) ?? 0));
    }
  }
  return { rests, passedAfter, ways };
}

function keyOf({ row, column }: Point): string {
  return `${row} ${column}`;
}

function isSame(a: Point, b: Point): boolean {
  return a.row === b.row && a.column === b.column;
}
