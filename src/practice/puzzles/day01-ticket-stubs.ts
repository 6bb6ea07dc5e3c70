/** Day 1, easy: sums over journeys, then the busiest stretch of a line. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

type Stub = { readonly from: number; readonly to: number; readonly people: number };

const example = `2-6:3
9-4:2
1-3:5
5-6:1
`;

export const ticketStubs: Puzzle = {
  day: 1,
  title: 'Ticket Stubs',
  example,
  parts: [
    `<p>You have taken a winter job on the <em>Snowline</em>, a narrow railway that climbs from the harbour to the old
observatory. Its stations are numbered from <code>1</code> upwards, one after the other along a single track.</p>
<p>Odile, the conductor, empties a sack onto your desk. "Ticket stubs," she says. "The company wants to know how much we
have carried." On every stub (your puzzle input) stand the station where a party got on, the station where it got off, and
how many people were in the party. For example:</p>
<pre><code>${example}</code></pre>
<p>Trains run up the mountain and down again, so a party may well get off at a <em>lower</em> number than it got on.</p>
<p>The company counts <em>rides</em>: one person who is carried from one station to the next is one ride.</p>
<ul>
<li>The party of <code>3</code> that went from station <code>2</code> to station <code>6</code> made
<code>3 * 4 = 12</code> rides.</li>
<li>The party of <code>2</code> that came down from <code>9</code> to <code>4</code> made <code>2 * 5 = 10</code> rides.</li>
<li>The next one made <code>5 * 2 = 10</code>.</li>
<li>And somebody went one stop alone: <code>1</code> ride.</li>
</ul>
<p>In this example that makes <code><em>33</em></code> rides in total.</p>
<p>Go through your ticket stubs. <em>How many rides were made in total?</em></p>`,
    `<p>"So that is what wears out the rails," says the track walker, who has been reading over your shoulder. "But
<em>where</em>?" He would like to repair one <em>stretch</em>, the piece of track between two neighbouring stations. A stretch
has the number of the lower of its two stations: stretch <code>5</code> lies between stations <code>5</code> and
<code>6</code>.</p>
<p>Count the people who were carried over each stretch, <em>whichever way</em> they went. In the example above:</p>
<ul>
<li>Over stretch <code>1</code> went <code>5</code> people.</li>
<li>Over stretch <code>2</code> went <code>3 + 5 = 8</code> people.</li>
<li>Over stretch <code>5</code> went <code>3 + 2 + 1 = 6</code> people.</li>
<li>No other stretch saw more than <code>5</code>.</li>
</ul>
<p>One stretch is always busier than all the others; here it is stretch <code>2</code>. Multiplying its number by the people
who went over it gives <code>2 * 8 = <em>16</em></code>.</p>
<p><em>What do you get if you multiply the number of the busiest stretch by the number of people who were carried over
it?</em></p>`,
  ],

  generate(random) {
    const stubs = Array.from({ length: 420 }, () => drawStub(random, 64));
    // The story promises a single busiest stretch: lone travellers go over the first of several until it is.
    for (let busiest = busiestOf(stubs); busiest.ties > 1; busiest = busiestOf(stubs)) {
      stubs.push({ from: busiest.stretch, to: busiest.stretch + 1, people: 1 });
    }
    return stubs.map(({ from, to, people }) => `${from}-${to}:${people}\n`).join('');
  },

  solve(input) {
    const stubs = parse(input);
    const rides = stubs.reduce((sum, { from, to, people }) => sum + Math.abs(to - from) * people, 0);
    const busiest = busiestOf(stubs);
    return [String(rides), String(busiest.stretch * busiest.people)];
  },
};

function drawStub(random: Random, stations: number): Stub {
  const from = random.int(1, stations);
  const to = ((from - 1 + random.int(1, stations - 1)) % stations) + 1;
  return { from, to, people: random.int(1, 7) };
}

function parse(input: string): Stub[] {
  return [...input.matchAll(/(\d+)-(\d+):(\d+)/g)].map(([, from, to, people]) => ({
    from: Number(from),
    to: Number(to),
    people: Number(people),
  }));
}

/** By the people who get on and off at each station, read from the bottom up. */
function busiestOf(stubs: readonly Stub[]): { stretch: number; people: number; ties: number } {
  const change = new Map<number, number>();
  const add = (station: number, people: number) => change.set(station, (change.get(station) ?? 0) + people);
  for (const { from, to, people } of stubs) {
    add(Math.min(from, to), people);
    add(Math.max(from, to), -people);
  }
  let aboard = 0;
  let best = { stretch: 0, people: 0, ties: 0 };
  for (const [station, people] of [...change].sort(([a], [b]) => a - b)) {
    aboard += people;
    if (aboard > best.people) best = { stretch: station, people: aboard, ties: 1 };
    else if (aboard === best.people && aboard > 0) best.ties++;
  }
  return best;
}
