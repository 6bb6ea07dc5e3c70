/** Day 6, medium: buying early where it is cheap, then with a limited store and a fee: dynamic programming. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

type Stop = { readonly price: number; readonly burns: number };
type Journey = { readonly tender: number; readonly fee: number; readonly stops: readonly Stop[] };

const example = `tender 8
stoker 6
Harbour: price 4, burns 3
Mill: price 6, burns 5
Chapel: price 3, burns 4
Quarry: price 2, burns 5
Viaduct: price 9, burns 4
`;

export const coalForTheClimb: Puzzle = {
  day: 6,
  title: 'Coal for the Climb',
  example,
  parts: [
    `<p>The old engine is to climb the whole mountain once more, and this time the company pays for the coal only if somebody tells
it <em>how much</em> beforehand. Odile has been along the line and has written down what she found (your puzzle input):</p>
<pre><code>${example}</code></pre>
<p>The first two lines are about the tender and the stoker; <em>ignore them for now</em>. Then follow the stations, in the order
in which the engine comes through: what a sack of coal costs there, and how many sacks the engine <em>burns</em> on its way from
there to the next station. From the last one it goes on to the <code>Summit</code>, where no coal is needed.</p>
<p>The engine starts at the first station without any coal. At every station it may take on as many sacks as you like, and what
it has not burnt it carries along. It may never run out of coal on the way, but it may burn its last sack just as it arrives.</p>
<p>In the example, the engine burns <code>3 + 5 + 4 + 5 + 4 = 21</code> sacks. It would be foolish to buy any at the
<code>Mill</code> for <code>6</code>, as you can bring them from the <code>Harbour</code>, where they cost <code>4</code>. The
cheapest way is this:</p>
<ul>
<li>At the <code>Harbour</code>, buy <code>8</code> sacks for <code>32</code>: they last to the <code>Chapel</code>.</li>
<li>At the <code>Chapel</code>, buy <code>4</code> sacks for <code>12</code>: they last to the <code>Quarry</code>.</li>
<li>At the <code>Quarry</code>, buy <code>9</code> sacks for <code>18</code>: they last to the <code>Summit</code>.</li>
</ul>
<p>So the coal costs <code><em>62</em></code>.</p>
<p><em>What is the least that the coal for the whole climb can cost?</em></p>`,
    `<p>The company agrees, and Odile clears her throat. "About those first two lines," she says.</p>
<p>The <em>tender</em> is where the engine carries its coal. It never holds more sacks than the first line says. And the
<em>stoker</em> has to shovel it in: at every station where the engine takes on coal, he wants as many coins as the second line
says, <em>however many</em> sacks there are. Where it takes on nothing, he gets nothing.</p>
<p>In the example, the tender holds <code>8</code> sacks, and the stoker wants <code>6</code> for each of his stops. Now nothing
can be better than this:</p>
<ul>
<li>At the <code>Harbour</code>, <code>8</code> sacks for <code>32</code>.</li>
<li>At the <code>Chapel</code>, <code>4</code> sacks for <code>12</code>.</li>
<li>At the <code>Quarry</code>, <code>8</code> sacks for <code>16</code>. The tender is full, but they last only to the
<code>Viaduct</code>, with <code>3</code> of them left.</li>
<li>At the <code>Viaduct</code>, <code>1</code> sack more for <code>9</code>.</li>
</ul>
<p>With <code>6</code> for the stoker at each of these four stations, that makes <code><em>93</em></code>.</p>
<p><em>What is the least that coal and stoker together can cost?</em></p>`,
  ],

  generate(random) {
    const tender = random.int(32, 40);
    const head = `tender ${tender}\nstoker ${random.int(25, 60)}\n`;
    const stations = drawNames(random, 260);
    let price = random.int(20, 40);
    const lines = stations.map((name) => {
      // Prices wander, so that it pays to look ahead, but not too far.
      price = Math.min(60, Math.max(5, price + random.int(-7, 7)));
      return `${name}: price ${price}, burns ${random.int(1, 11)}\n`;
    });
    return head + lines.join('');
  },

  solve(input) {
    const journey = parse(input);
    return [String(costUnlimited(journey)), String(costWithStoker(journey))];
  },
};

const beginnings = [
  'Ash',
  'Birk',
  'Crag',
  'Dove',
  'Elder',
  'Frost',
  'Grey',
  'Hay',
  'Iron',
  'Kirk',
  'Lark',
  'Moss',
];
const middles = ['', 'er', 'ing', 'le'];
const endings = ['bridge', 'by', 'combe', 'fell', 'ham', 'ley', 'ness', 'tarn', 'ton'];

function drawNames(random: Random, count: number): string[] {
  const all = beginnings.flatMap((beginning) =>
    middles.flatMap((middle) => endings.map((ending) => beginning + middle + ending)),
  );
  return ['Harbour', ...random.shuffle(all).slice(1, count)];
}

function parse(input: string): Journey {
  const numberAfter = (word: string) => Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(input)?.[1]);
  const stops = [...input.matchAll(/price (\d+), burns (\d+)/g)].map(([, price, burns]) => ({
    price: Number(price),
    burns: Number(burns),
  }));
  return { tender: numberAfter('tender'), fee: numberAfter('stoker'), stops };
}

/** Every sack is bought at the cheapest station that the engine has seen until it burns it. */
function costUnlimited({ stops }: Journey): number {
  let cheapest = Number.POSITIVE_INFINITY;
  let cost = 0;
  for (const { price, burns } of stops) {
    cheapest = Math.min(cheapest, price);
    cost += cheapest * burns;
  }
  return cost;
}

/** The least cost of arriving with 0, 1, 2… sacks, station by station. */
function costWithStoker({ tender, fee, stops }: Journey): number {
  let arriving = Array.from({ length: tender + 1 }, (_, sacks) =>
    sacks === 0 ? 0 : Number.POSITIVE_INFINITY,
  );
  for (const { price, burns } of stops) {
    // What it costs here to have none and then to buy up from there, whatever is the best way to begin with.
    let buying = Number.POSITIVE_INFINITY;
    const leaving = arriving.map((kept, sacks) => {
      const best = Math.min(kept, buying + fee + price * sacks);
      buying = Math.min(buying, kept - price * sacks);
      return best;
    });
    arriving = leaving.map((_, sacks) => leaving[sacks + burns] ?? Number.POSITIVE_INFINITY);
  }
  return Math.min(...arriving);
}
