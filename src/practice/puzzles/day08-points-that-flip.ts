/** Day 8, hard: a simulation whose state is more than a position, then far beyond what can be simulated: a cycle. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

type Track = { readonly to: string; readonly minutes: number };
/** A junction's two ways out, the left one first. */
type Network = ReadonlyMap<string, readonly [Track, Track]>;

export const pointsThatFlip: Puzzle = {
  day: 8,
  title: 'The Points That Flip',
  ...statement('day08-points-that-flip'),

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

/** Two tracks lead to every junction and one tour visits all: then the locomotive soon repeats a round of every track. */
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
