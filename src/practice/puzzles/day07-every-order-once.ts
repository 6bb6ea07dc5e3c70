/** Day 7, medium: where an arrangement stands among all, by trying them out; then of arrangements far too many to try. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

const example = `MCM
FMC
SFS
`;

export const everyOrderOnce: Puzzle = {
  day: 7,
  title: 'Every Order Once',
  example,
  parts: [
    `<p>In the shunting yard, wagons are coupled in whatever order they come in. The yard master thinks that this says
something about the future, and he keeps books about it. Each wagon has a letter for what it carries: <code>C</code> for coal,
<code>F</code> for fish, <code>M</code> for mail, and so on; wagons with the same letter are all the same to him.</p>
<p>For every train, there is a book with <em>all orders</em> in which its wagons could be coupled, one order on each page, from
page <code>1</code> on. No order is in there twice, and they are in <em>alphabetical</em> order. The book of the train
<code>MCM</code>, for instance, has three pages:</p>
<ul>
<li>Page <code>1</code>: <code>CMM</code></li>
<li>Page <code>2</code>: <code>MCM</code></li>
<li>Page <code>3</code>: <code>MMC</code></li>
</ul>
<p>Today the yard master wants to look up all trains of the last weeks (your puzzle input), one on each line:</p>
<pre><code>${example}</code></pre>
<p>In the example, <code>MCM</code> stands on page <code>2</code> of its book. <code>FMC</code> stands on page <code>4</code> of
another one, which begins with <code>CFM</code>, <code>CMF</code> and <code>FCM</code>. And <code>SFS</code> stands on page
<code>2</code> of its own. The sum of these three page numbers is <code><em>8</em></code>.</p>
<p><em>What is the sum of the page numbers of all trains in your list?</em></p>`,
    `<p>The yard master shakes his head. "Too small a number. The future must be larger than that." Then it dawns on him: at this
time of the year, the trains do not climb the mountain one by one. They are coupled together.</p>
<p>Every <em>three</em> trains that follow each other in the list make <em>one</em> long train: the first three lines, then the
next three, and so on. The wagons of the first come first, then those of the second, then those of the third, and each train
keeps its own order. Of course there is a book for every long train, too, and it does not matter that there is no shelf for it.</p>
<p>In the example, the only long train is <code>MCMFMCSFS</code>. Its book has <code>7560</code> pages; the train stands on page
<code><em>3686</em></code>.</p>
<p><em>What is the sum of the page numbers of all long trains?</em></p>`,
  ],

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
