/** Day 7, medium: where an arrangement stands among all, by trying them out; then of arrangements far too many to try. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

export const everyOrderOnce: Puzzle = {
  day: 7,
  title: 'Every Order Once',
  ...statement('day07-every-order-once'),

  generate(random) {
    const trains = Array.from({ length: 180 }, () => drawTrain(random, random.int(6, 8)));
    return `${trains.join('\n')}\n`;
  },

  solve(input) {
    const trains = input.trim().split('\n');
    const long = trains.flatMap((train, index) =>
      index % 3 === 0 ? [train + (trains[index + 1] ?? '') + (trains[index + 2] ?? '')] : [],
    );
    return [sumOfPages(trains), sumOfPages(long)];
  },
};

/** Among its letters at least one stands twice, so that counting every order of the wagons goes wrong. */
function drawTrain(random: Random, length: number): string {
  const kinds = 'BCFGIMPSTW';
  const wagons = Array.from({ length: length - 1 }, () => kinds[random.int(0, kinds.length - 1)] ?? '');
  return random.shuffle([...wagons, wagons[0] ?? '']).join('');
}

function sumOfPages(trains: readonly string[]): string {
  return String(trains.reduce((sum, train) => sum + pageOf(train), 0n));
}

/** One page more than there are orders before this one: those that have a smaller letter where they first differ. */
function pageOf(train: string): bigint {
  const left = new Map<string, number>();
  for (const wagon of train) left.set(wagon, (left.get(wagon) ?? 0) + 1);
  let before = 0n;
  for (const wagon of train) {
    // The orders of what is left, times the share of them that begins with a smaller letter.
    const wagonsLeft = sum([...left.values()]);
    const smaller = sum([...left].filter(([other]) => other < wagon).map(([, count]) => count));
    before += (ordersOf([...left.values()]) * BigInt(smaller)) / BigInt(wagonsLeft);
    left.set(wagon, (left.get(wagon) ?? 0) - 1);
  }
  return before + 1n;
}

function ordersOf(counts: readonly number[]): bigint {
  return counts.reduce((orders, count) => orders / factorial(count), factorial(sum(counts)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function factorial(number: number): bigint {
  return number < 2 ? 1n : BigInt(number) * factorial(number - 1);
}
