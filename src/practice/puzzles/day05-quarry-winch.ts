/** Day 5, medium: nested repeats, summed up; then so many of them that nobody can play them through. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

/** What orders do to the hook, seen from where it was before: its height after them, the highest and the lowest. */
type Motion = { readonly end: bigint; readonly high: bigint; readonly low: bigint };

const example = `D3 U12 D7
3(U4 D1)
2(D9 3(U2 D1) U1)
`;

export const quarryWinch: Puzzle = {
  day: 5,
  title: 'The Quarry Winch',
  example,
  parts: [
    `<p>At the quarry, no train leaves without stone, and no stone leaves the pit without the winch. Its driver has broken his
glasses. He pushes a stack of order cards towards you (your puzzle input), and you read:</p>
<pre><code>${example}</code></pre>
<p>The winch moves a <em>hook</em>. Before the first card, the hook hangs level with the rim of the pit, at height
<code>0</code>. The cards are worked off from the first to the last, and each of them from left to right, without ever putting
the hook back:</p>
<ul>
<li><code>U4</code> pulls the hook <em>up</em> by <code>4</code>.</li>
<li><code>D7</code> lets it <em>down</em> by <code>7</code>, which may well be below the rim.</li>
<li><code>3(U4 D1)</code> stands for everything between the brackets, worked off <code>3</code> times in a row. There may be
brackets within brackets.</li>
</ul>
<p>In the example, the hook is at height <code>2</code> after the first card. The second card pulls it up by <code>4</code> and
lets it down by <code>1</code>, three times over, to height <code>11</code>. The third card first lets it down to
<code>2</code>, then has three times <code>U2 D1</code>, then <code>U1</code>; after that the hook is at height <code>6</code>. All
of this is done <em>twice</em>, so in the end the hook hangs at height <code><em>1</em></code>.</p>
<p><em>At what height does the hook hang after the last card?</em></p>`,
    `<p>"And now the bad news," says the driver. "The office leaves out the zeros." Every number <em>in front of a bracket</em> means
that many <em>thousands</em>: the second card of the example has its brackets worked off <code>3000</code> times; on the third
card, the outer ones are worked off <code>2000</code> times, and each of these times the inner ones <code>3000</code> times. The
numbers after <code>U</code> and <code>D</code> are meant as they stand.</p>
<p>What he needs to know is the length of the <em>rope</em>: it has to reach from the <em>highest</em> height at which the hook is
at any moment, the beginning and the end included, down to the <em>lowest</em>.</p>
<p>In the example, the hook is lowest right at the start, after <code>D3</code>, at height <code>-3</code>. It never gets higher
than at the end: each of the 2000 times, the third card pulls it up by <code>2992</code>, from height <code>9002</code> to
height <code>5993002</code> in all. So the rope must have a length of <code><em>5993005</em></code>.</p>
<p>It is not only the pit that is deep: do not be surprised by a <em>very</em> large number. <em>How long must the rope be?</em></p>`,
  ],

  generate(random) {
    for (;;) {
      const cards = Array.from({ length: 120 }, () => drawOrders(random, random.int(1, 5)));
      const input = `${cards.join('\n')}\n`;
      if (isInteresting(input)) return input;
    }
  },

  solve(input) {
    const { high, low } = motionOf(input, 1_000n);
    return [String(motionOf(input, 1n).end), String(high - low)];
  },
};

/** Brackets around brackets, as deep as asked, among plain orders. */
function drawOrders(random: Random, depth: number): string {
  const plain = Array.from(
    { length: random.int(1, 3) },
    () => `${'UD'[random.int(0, 1)]}${random.int(1, 19)}`,
  );
  if (depth === 0) return plain.join(' ');
  const brackets = `${random.int(2, 6)}(${drawOrders(random, depth - 1)})`;
  return random.shuffle([...plain, brackets]).join(' ');
}

/**
 * The hook ends well above the rim, and its rope is longer than a double can tell and than the way from its start or
 * its end to any of the extremes.
 */
function isInteresting(input: string): boolean {
  const { end, high, low } = motionOf(input, 1_000n);
  const rope = high - low;
  const ways = [end, -end, high, -low, high - end, end - low];
  return motionOf(input, 1n).end >= 100n && rope > 2n ** 53n && !ways.includes(rope);
}

function motionOf(input: string, unit: bigint): Motion {
  const tokens = input.match(/[UD]\d+|\d+\(|\)/g) ?? [];
  let position = 0;
  const read = (): Motion => {
    let motion: Motion = { end: 0n, high: 0n, low: 0n };
    for (let token = tokens[position++]; token !== undefined && token !== ')'; token = tokens[position++]) {
      motion = after(
        motion,
        token.endsWith('(') ? repeated(read(), BigInt(token.slice(0, -1)) * unit) : pull(token),
      );
    }
    return motion;
  };
  return read();
}

function pull(order: string): Motion {
  const by = BigInt(order.slice(1));
  return order.startsWith('U') ? { end: by, high: by, low: 0n } : { end: -by, high: 0n, low: -by };
}

function after(first: Motion, second: Motion): Motion {
  return {
    end: first.end + second.end,
    high: largest(first.high, first.end + second.high),
    low: -largest(-first.low, -first.end - second.low),
  };
}

/** The extremes are reached the first time or the last time. */
function repeated({ end, high, low }: Motion, times: bigint): Motion {
  const last = end * (times - 1n);
  return { end: end * times, high: largest(high, last + high), low: -largest(-low, -last - low) };
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
