/** Day 3, easy: how much of a line is covered by intervals, then the fewest intervals that cover as much. */
import type { Puzzle } from '../puzzle.ts';

type Lamp = { readonly from: number; readonly to: number };

const example = `10 reaches 3
20 reaches 4
18 reaches 2
40 reaches 1
26 reaches 4
12 reaches 2
29 reaches 2
23 reaches 3
`;

export const lampsOnTheLine: Puzzle = {
  day: 3,
  title: 'Lamps on the Line',
  example,
  parts: [
    `<p>It is the darkest week of the year, and the lamplighter of the Snowline is ninety-one years old. While he warms his hands
on your stove, you offer to go through his list of lamps (your puzzle input). The wooden sleepers under the rails are numbered
from the harbour upwards, and every lamp stands beside one of them:</p>
<pre><code>${example}</code></pre>
<p>The first of these lamps stands beside sleeper <code>10</code> and <em>reaches</em> <code>3</code>: it lights sleeper
<code>10</code> itself and three more to either side of it, so all of the sleepers from <code>7</code> to <code>13</code>. The
list is in no order, and where lamps stand close together, many a sleeper gets light from <em>several</em> of them.</p>
<p>The lamps in the example light up</p>
<ul>
<li>the <code>8</code> sleepers from <code>7</code> to <code>14</code>,</li>
<li>the <code>16</code> sleepers from <code>16</code> to <code>31</code>,</li>
<li>and the <code>3</code> sleepers from <code>39</code> to <code>41</code>.</li>
</ul>
<p>That makes <code><em>27</em></code> sleepers; all others, such as sleeper <code>15</code>, lie in the dark.</p>
<p><em>How many sleepers are lit?</em></p>`,
    `<p>The lamplighter looks at your sum and then at his boots. "I have filled every one of them since I was a boy," he says. "But
surely not <em>all</em> of them are needed?"</p>
<p>He would like to leave as many lamps as possible unlit, as long as <em>every sleeper that is lit now stays lit</em>. No lamp
can be moved, and none of them reaches any further than before.</p>
<p>In the example, the lamps at <code>18</code> and <code>23</code> can be left unlit together, because whatever they reach is
reached by others too. If any other lamp went out as well, some sleeper would be dark. So the lamplighter must still light
<code><em>6</em></code> of his lamps.</p>
<p><em>What is the smallest number of lamps that keep all those sleepers lit?</em></p>`,
  ],

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

/** Lamps by their first sleeper. */
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
