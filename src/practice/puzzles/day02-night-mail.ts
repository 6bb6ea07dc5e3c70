/** Day 2, medium: earliest arrival by timetable, then with stops that must be made in any order. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

type Shuttle = {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly every: number;
};
type Network = { readonly letters: readonly string[]; readonly shuttles: readonly Shuttle[] };

export const nightMail: Puzzle = {
  day: 2,
  title: 'The Night Mail',
  ...statement('day02-night-mail'),

  generate(random) {
    const names = randomNames(random, 58);
    const line = ['Harbour', ...names, 'Summit'];
    const shuttles = random.shuffle(randomShuttles(random, line));
    const chars = random.shuffle(names).slice(0, 7);
    return [
      `letters: ${chars.join(' ')}`,
      ...shuttles.map(({ from, to, minutes, every }) => `${from} -> ${to} ${minutes} / ${every}`),
      '',
    ].join('\n');
  },

  solve(input) {
    const { letters, shuttles } = parse(input);
    return [String(earliestArrival(shuttles, [])), String(earliestArrival(shuttles, letters))];
  },
};

const beginnings = ['Al', 'Bre', 'Cor', 'Dun', 'El', 'Fen', 'Gar', 'Hol', 'Ing', 'Kel', 'Lun', 'Mor'];
const endings = ['beck', 'dale', 'ford', 'gate', 'holm', 'mere', 'stead', 'thorp', 'wick'];

function randomNames(random: Random, count: number): string[] {
  const all = beginnings.flatMap((prefix) => endings.map((ending) => prefix + ending));
  return random.shuffle(all).slice(0, count);
}

/** Neighbours on the line are joined both ways, so that every station can be reached; the rest are shortcuts. */
function randomShuttles(random: Random, line: readonly string[]): Shuttle[] {
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
  const chars = /^letters:(.*)$/m.exec(input)?.[1]?.split(/\s+/).filter(Boolean) ?? [];
  const shuttles = [...input.matchAll(/^(\w+) -> (\w+) (\d+) \/ (\d+)$/gm)].map(
    ([, from = '', to = '', minutes, every]) => ({
      from,
      to,
      minutes: Number(minutes),
      every: Number(every),
    }),
  );
  return { letters: chars, shuttles };
}

/** Minute by minute over pairs of station and letters delivered (a bit mask): the first arrival at a pair is the best. */
function earliestArrival(shuttles: readonly Shuttle[], letters: readonly string[]): number {
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
