/** Day 4, easy: sliding over a grid as told, then the shortest way to come to rest on one square. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

type Point = { readonly row: number; readonly column: number };
type Ice = { readonly rows: readonly string[]; readonly boat: Point; readonly hut: Point };
/** Where a boat may come to rest, and the pushes that take it there. */
type Rest = { readonly at: Point; readonly pushes: string };

const example = `...#.#..
........
........
.#B...#.
.H......
..#.....

ENNWSESW
`;

export const frozenReservoir: Puzzle = {
  day: 4,
  title: 'The Frozen Reservoir',
  example,
  parts: [
    `<p>Above the mill, the Snowline passes a reservoir that freezes over every December. The miller keeps an ice boat there: a
crate on runners, with a seat. It has neither sail nor brake. You give it a push, you jump in, and it slides.</p>
<p>"Take her out for a while," says the miller, "and I shall see whether she still runs well." He has a chart of the reservoir
for you, and below it a list of pushes (your puzzle input):</p>
<pre><code>${example}</code></pre>
<p>On the chart, north is up. The boat starts on the square marked <code>B</code>; <code>.</code> is ice, and <code>#</code> is
a rock that sticks out of it. The squares marked <code>B</code> and <code>H</code> are ice as well. Around the chart lies
the <em>shore</em>.</p>
<p>A push to the north (<code>N</code>), east (<code>E</code>), south (<code>S</code>) or west (<code>W</code>) makes the boat slide
straight on, square by square, until a rock or the shore is in its way. It stops in front of that. If something is in its way
at once, it does not move at all. The next push starts from where it has stopped.</p>
<p>The list in the example begins like this:</p>
<ul>
<li><code>E</code>: the boat slides <code>3</code> squares and stops in front of a rock.</li>
<li><code>N</code>: it slides <code>2</code> squares, up to the next rock.</li>
<li><code>N</code>: the same rock keeps it where it is, so it slides <code>0</code> squares.</li>
<li><code>W</code>: it slides <code>5</code> squares and stops at the shore.</li>
</ul>
<p>All eight pushes together make it slide <code><em>16</em></code> squares.</p>
<p>Follow the whole list of pushes. <em>How many squares does the boat slide in total?</em></p>`,
    `<p>"She runs very well," you say. "Good," says the miller, "for my dinner is over there." He points to the fishing hut; it is
the square marked <code>H</code>.</p>
<p>Forget the list. The boat is back on the square marked <code>B</code>, and you must find pushes after which it <em>stops</em>
at the hut. To rush past it is of no use: the boat has to come to rest on exactly that square.</p>
<p>You want as <em>few</em> pushes as possible. And if several lists of pushes are equally short, you take the one that would
come <em>first in a dictionary</em>.</p>
<p>In the example, after the pushes <code>S</code> and <code>W</code> you have rushed past the hut and stopped at the shore. To
stop at the hut takes five pushes, and there are two ways of doing so: <code>NWSEN</code> and <code>SWSEN</code>. The first of
them in a dictionary is <code><em>NWSEN</em></code>.</p>
<p><em>Which pushes take the boat to the hut?</em> Write their letters one after the other, without anything in between.</p>`,
  ],

  generate(random) {
    for (;;) {
      const chart = drawChart(random);
      const hut = chooseHut(random, chart);
      if (!hut) continue;
      const rows = chart.rows.map((row, index) =>
        index === hut.row ? replaceAt(row, hut.column, 'H') : row,
      );
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

/**
 * Push by push, and for each in the order of the dictionary: so what reaches a square first is its answer. Told too:
 * after how many pushes a square is first slid over, and how many equally short ways lead to rest on it.
 */
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

function replaceAt(row: string, column: number, mark: string): string {
  return row.slice(0, column) + mark + row.slice(column + 1);
}

function keyOf({ row, column }: Point): string {
  return `${row} ${column}`;
}

function isSame(a: Point, b: Point): boolean {
  return a.row === b.row && a.column === b.column;
}
