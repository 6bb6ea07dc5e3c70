/** Day 8, hard: a simulation whose state is more than a position, then far beyond what can be simulated: a cycle. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

type Track = { readonly to: string; readonly minutes: number };
/** A junction's two ways out, the left one first. */
type Network = ReadonlyMap<string, readonly [Track, Track]>;

const example = `Harbour: left Mill 4, right Chapel 7
Mill: left Chapel 3, right Summit 5
Chapel: left Summit 2, right Harbour 6
Summit: left Harbour 8, right Mill 1
`;

export const pointsThatFlip: Puzzle = {
  day: 8,
  title: 'The Points That Flip',
  example,
  parts: [
    `<p>The Snowline has bought a locomotive that drives itself. It has also bought <em>points</em> that set themselves, from another
company, and nobody has asked whether the two get along. Tonight is the trial. You have the plan of the network (your puzzle
input):</p>
<pre><code>${example}</code></pre>
<p>Every line is a junction with two tracks that lead out of it, one to the <em>left</em> and one to the <em>right</em>. For each
of them, the plan says to which junction it leads and how many <em>minutes</em> the locomotive takes for it. Tracks are used in
this direction only. At every junction, the points lead to the left or to the right.</p>
<p>The locomotive starts at the <em>first</em> junction of the plan at minute <code>0</code>, and <em>all</em> points lead to the
left. It never stops and never turns round: at a junction it takes the track to which the points lead just then. As soon as it
has left the junction, the points there <em>flip</em>: if they have led to the left, they lead to the right from now on, and the
other way round. They stay like that until the locomotive comes by and leaves this junction again.</p>
<p>In the example, the locomotive drives like this:</p>
<ul>
<li>From <code>Harbour</code> to the left, to <code>Mill</code>, where it arrives at minute <code>4</code>.</li>
<li>From <code>Mill</code> to the left, to <code>Chapel</code> (minute <code>7</code>).</li>
<li>From <code>Chapel</code> to the left, to <code>Summit</code> (minute <code>9</code>).</li>
<li>From <code>Summit</code> to the left, to <code>Harbour</code> (minute <code>17</code>).</li>
<li>From <code>Harbour</code> again, but now to the <em>right</em>, to <code>Chapel</code> (minute <code>24</code>).</li>
<li>From <code>Chapel</code> to the right, to <code>Harbour</code> (minute <code>30</code>), where the points lead to the left
again by now. And so on.</li>
</ul>
<p>The trial ends after <code>1000</code> tracks. In the example, that is at minute <code><em>4503</em></code>.</p>
<p><em>At which minute does the locomotive arrive at the end of its 1000th track?</em></p>`,
    `<p>The trial ends, but nobody can find the lever that stops the thing. "Let it," says Odile. "Once it has run out of coal, we
shall fetch it." It turns out that the company has also bought a great deal of coal: the locomotive goes on, just as before, until
minute <code>1000000000000</code>. Then it stops, wherever it is at that moment.</p>
<p>Say where that is by the junction that it has <em>left last</em>, a plus sign, and how many minutes ago that was. If
you went to fetch it at minute <code>20</code> in the example, you would look for it at <code>Harbour+3</code>, because it
left <code>Harbour</code> at minute <code>17</code>. If it has only just arrived at a junction, in that very minute, then that is the one
that counts, with <code>+0</code>; at minute <code>24</code>, it would be found at <code>Chapel+0</code>.</p>
<p>In the example, at minute <code>1000000000000</code> it is found at <code><em>Chapel+4</em></code>.</p>
<p><em>Where is the locomotive at minute 1000000000000?</em></p>`,
  ],

  generate(random) {
    const names = drawNames(random, 130);
    const [left, right] = drawWays(random, names);
    const lines = names.map((name, index) => {
      const way = (to: string | undefined) => `${to} ${random.int(2, 29)}`;
      return `${name}: left ${way(left[index])}, right ${way(right[index])}\n`;
    });
    return lines.join('');
  },

  solve(input) {
    const network = parse(input);
    return [String(minuteAfter(network, 1_000)), placeAt(network, 1_000_000_000_000)];
  },
};

/** Three letters that can be spoken. */
function drawNames(random: Random, count: number): string[] {
  const consonants = [...'BDFGKLMNPRST'];
  const all = consonants.flatMap((first) =>
    [...'AEIOU'].flatMap((vowel) => consonants.map((last) => first + vowel + last)),
  );
  return random.shuffle(all).slice(0, count);
}

/**
 * To every junction lead two tracks, as two lead out of it, and one tour visits them all: in such a network, the
 * locomotive soon settles into a round that takes every track once.
 */
function drawWays(random: Random, names: readonly string[]): [string[], string[]] {
  for (;;) {
    const tour = random.shuffle(names);
    const next = new Map(tour.map((name, index) => [name, tour[(index + 1) % tour.length] ?? name]));
    const others = random.shuffle(names);
    const isUsable = names.every((name, index) => others[index] !== name && others[index] !== next.get(name));
    if (!isUsable) continue;
    const ways = names.map((name, index) => random.shuffle([next.get(name) ?? name, others[index] ?? name]));
    return [ways.map(([left = '']) => left), ways.map(([, right = '']) => right)];
  }
}

function parse(input: string): Network {
  const junctions = input.matchAll(/^(\w+): left (\w+) (\d+), right (\w+) (\d+)$/gm);
  return new Map(
    [...junctions].map(([, name = '', left = '', minutesLeft, right = '', minutesRight]) => [
      name,
      [
        { to: left, minutes: Number(minutesLeft) },
        { to: right, minutes: Number(minutesRight) },
      ],
    ]),
  );
}

/** Where the locomotive is and how the points lie, track by track; the first is how it all starts. */
function* drive(network: Network): Generator<{ minute: number; at: string; flipped: ReadonlySet<string> }> {
  const flipped = new Set<string>();
  let minute = 0;
  let at = [...network.keys()][0] ?? '';
  for (;;) {
    yield { minute, at, flipped };
    const track = network.get(at)?.[flipped.has(at) ? 1 : 0];
    if (!track) throw new Error(`No track leads out of ${at}.`);
    if (!flipped.delete(at)) flipped.add(at);
    minute += track.minutes;
    at = track.to;
  }
}

function minuteAfter(network: Network, tracks: number): number {
  let driven = 0;
  for (const { minute } of drive(network)) {
    if (driven++ === tracks) return minute;
  }
  throw new Error('The locomotive has stopped.');
}

/** Once place and points are as they were before, all that follows has been seen. */
function placeAt(network: Network, end: number): string {
  const names = [...network.keys()];
  const seen = new Map<string, number>();
  const stops: { minute: number; at: string }[] = [];
  for (const { minute, at, flipped } of drive(network)) {
    const state = at + names.map((name) => (flipped.has(name) ? 1 : 0)).join('');
    const start = seen.get(state);
    if (start !== undefined) {
      const round = minute - start;
      const sameMinute = start + ((end - start) % round);
      return nameOf(stops, end < minute ? end : sameMinute);
    }
    seen.set(state, minute);
    stops.push({ minute, at });
  }
  throw new Error('The locomotive has stopped.');
}

function nameOf(stops: readonly { minute: number; at: string }[], minute: number): string {
  const last = stops.findLast((stop) => stop.minute <= minute);
  return last ? `${last.at}+${minute - last.minute}` : '';
}
