/** Day 2, medium: earliest arrival by timetable, then with stops that must be made in any order. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

type Shuttle = {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly every: number;
};
type Network = { readonly letters: readonly string[]; readonly shuttles: readonly Shuttle[] };

const example = `letters: Mill Quarry
Harbour -> Mill 5 / 4
Harbour -> Chapel 3 / 7
Mill -> Chapel 2 / 3
Mill -> Summit 8 / 10
Chapel -> Quarry 4 / 5
Quarry -> Summit 1 / 6
Quarry -> Mill 2 / 8
Summit -> Harbour 6 / 9
`;

export const nightMail: Puzzle = {
  day: 2,
  title: 'The Night Mail',
  example,
  parts: [
    `<p>A lamp blinks at the <code>Harbour</code>: a parcel for the astronomers, and it must be on the <code>Summit</code> before
dawn. At night only the little shuttles run, each of them from one station to one other. Odile gives you their timetable (your
puzzle input):</p>
<pre><code>${example}</code></pre>
<p>The first line is about letters; <em>ignore it for now</em>. Every other line is a shuttle. For example,
<code>Harbour -&gt; Mill 5 / 4</code> is a shuttle that carries you from <code>Harbour</code> to <code>Mill</code> in
<code>5</code> minutes, and that leaves whenever the number of minutes since midnight is <em>divisible by</em>
<code>4</code>: at minutes <code>0</code>, <code>4</code>, <code>8</code>, and so on, all night long. It does not carry you
back.</p>
<p>You are at the <code>Harbour</code> at minute <code>0</code>. You may wait at any station for as long as you like. Changing
takes no time: who arrives in a minute in which another shuttle leaves still catches it, and at minute <code>0</code> every
shuttle leaves.</p>
<p>In the example, the best way is this:</p>
<ul>
<li>At minute <code>0</code>, take the shuttle to <code>Chapel</code>; you are there at minute <code>3</code>.</li>
<li>Wait until minute <code>5</code> and go on to <code>Quarry</code>, where you arrive at minute <code>9</code>.</li>
<li>Wait until minute <code>12</code> for the shuttle to the <code>Summit</code>.</li>
</ul>
<p>So the parcel is on the <code>Summit</code> at minute <code><em>13</em></code>.</p>
<p><em>What is the earliest minute at which you can be on the Summit?</em></p>`,
    `<p>You already have one foot on the step when Odile calls you back. "As you are going anyway," she says, and hands you a
bundle of letters.</p>
<p>The first line of the timetable names the stations that get a letter. On your way you must be at <em>every one of
them</em> at least once, in <em>any order</em>; passing through is enough, as handing over a letter takes no time. You may pass
through any station as often as you like, the <code>Summit</code> too, but you are done only when you are on the
<code>Summit</code> with no letter left.</p>
<p>In the example, the letters are for <code>Mill</code> and <code>Quarry</code>. The fastest round goes to
<code>Mill</code> (minute <code>5</code>), <code>Chapel</code> (minute <code>8</code>), <code>Quarry</code> (minute
<code>14</code>) and at minute <code>18</code> on to the <code>Summit</code>, where you arrive at minute
<code><em>19</em></code>.</p>
<p>Starting again from the Harbour at minute 0: <em>what is the earliest minute at which you can be on the Summit with all
letters delivered?</em></p>`,
  ],

  generate(random) {
    const names = drawNames(random, 58);
    const line = ['Harbour', ...names, 'Summit'];
    const shuttles = random.shuffle(drawShuttles(random, line));
    const letters = random.shuffle(names).slice(0, 7);
    return [
      `letters: ${letters.join(' ')}`,
      ...shuttles.map(({ from, to, minutes, every }) => `${from} -> ${to} ${minutes} / ${every}`),
      '',
    ].join('\n');
  },

  solve(input) {
    const { letters, shuttles } = parse(input);
    return [String(earliest(shuttles, [])), String(earliest(shuttles, letters))];
  },
};

const beginnings = ['Al', 'Bre', 'Cor', 'Dun', 'El', 'Fen', 'Gar', 'Hol', 'Ing', 'Kel', 'Lun', 'Mor'];
const endings = ['beck', 'dale', 'ford', 'gate', 'holm', 'mere', 'stead', 'thorp', 'wick'];

function drawNames(random: Random, count: number): string[] {
  const all = beginnings.flatMap((beginning) => endings.map((ending) => beginning + ending));
  return random.shuffle(all).slice(0, count);
}

/** Neighbours on the line are joined both ways, so that every station can be reached; the rest are shortcuts. */
function drawShuttles(random: Random, line: readonly string[]): Shuttle[] {
  const shuttles: Shuttle[] = [];
  const add = (from: string | undefined, to: string | undefined) => {
    if (from === undefined || to === undefined) return;
    shuttles.push({ from, to, minutes: random.int(2, 19), every: random.int(3, 23) });
  };
  for (let i = 0; i < line.length; i++) {
    add(line[i], line[i + 1]);
    add(line[i], line[i - 1]);
    add(line[i], line[i + random.int(2, 4)]);
    if (random.int(1, 3) === 1) add(line[i], line[i - random.int(2, 6)]);
  }
  return shuttles;
}

function parse(input: string): Network {
  const letters = /^letters:(.*)$/m.exec(input)?.[1]?.split(/\s+/).filter(Boolean) ?? [];
  const shuttles = [...input.matchAll(/^(\w+) -> (\w+) (\d+) \/ (\d+)$/gm)].map(
    ([, from = '', to = '', minutes, every]) => ({
      from,
      to,
      minutes: Number(minutes),
      every: Number(every),
    }),
  );
  return { letters, shuttles };
}

/**
 * Minute by minute over pairs of station and letters delivered (a bit mask); the first arrival at a pair is the best
 * one, because who is early may wait.
 */
function earliest(shuttles: readonly Shuttle[], letters: readonly string[]): number {
  const departures = Map.groupBy(shuttles, ({ from }) => from);
  const maskOf = (station: string) => (letters.includes(station) ? 1 << letters.indexOf(station) : 0);
  const all = (1 << letters.length) - 1;
  const arrivals = new Map<number, { station: string; mask: number }[]>();
  const arrive = (minute: number, station: string, mask: number) => {
    const list = arrivals.get(minute) ?? [];
    list.push({ station, mask: mask | maskOf(station) });
    arrivals.set(minute, list);
  };
  const seen = new Set<string>();
  arrive(0, 'Harbour', 0);
  for (let minute = 0; arrivals.size > 0; minute++) {
    for (const { station, mask } of arrivals.get(minute) ?? []) {
      if (station === 'Summit' && mask === all) return minute;
      const key = `${station} ${mask}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { to, minutes, every } of departures.get(station) ?? []) {
        arrive(Math.ceil(minute / every) * every + minutes, to, mask);
      }
    }
    arrivals.delete(minute);
  }
  throw new Error('The Summit cannot be reached.');
}
