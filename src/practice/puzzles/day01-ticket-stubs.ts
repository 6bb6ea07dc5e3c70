/** Day 1, easy: sums over journeys, then the busiest stretch of a line. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

type Stub = { readonly from: number; readonly to: number; readonly people: number };

export const ticketStubs: Puzzle = {
  day: 1,
  title: 'Ticket Stubs',
  ...statement('day01-ticket-stubs'),

  generate(random) {
    const stubs = Array.from({ length: 420 }, () => randomStub(random, 64));
    // The story promises a single busiest stretch: lone travellers go over the first of several until it is.
    for (let busiest = findBusiest(stubs); busiest.ties > 1; busiest = findBusiest(stubs)) {
      stubs.push({ from: busiest.stretch, to: busiest.stretch + 1, people: 1 });
    }
    return stubs.map(({ from, to, people }) => `${from}-${to}:${people}\n`).join('');
  },

  solve(input) {
    const stubs = parse(input);
    const rides = stubs.reduce((sum, { from, to, people }) => sum + Math.abs(to - from) * people, 0);
    const busiest = findBusiest(stubs);
    return [String(rides), String(busiest.stretch * busiest.people)];
  },
};

function randomStub(random: Random, stations: number): Stub {
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
function findBusiest(stubs: readonly Stub[]): { stretch: number; people: number; ties: number } {
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
