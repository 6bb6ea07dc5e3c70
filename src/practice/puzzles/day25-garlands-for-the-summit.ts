/** The last day, of one part: rings that are alike when turned or turned over. */
import type { LastPuzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

const example = `rrgbgb
rgbrgb
gbrrgb
rgrbgb
rrbgbg
bgrbgr
bgbrrg
`;

export const garlandsForTheSummit: LastPuzzle = {
  day: 25,
  title: 'Garlands for the Summit',
  example,
  parts: [
    `<p>It is the last evening of the year's work. The snow has stopped, the dome of the observatory stands open, and everybody who
ever had to do with the Snowline is on the way up to the feast: Odile, the track walker, the lamplighter, the miller with a
basket of fish. What is missing are the garlands.</p>
<p>There are plenty of them in the sheds, made by children all along the line. Each is a <em>ring</em> of lamps, <code>r</code>ed,
<code>g</code>reen, <code>b</code>lue or <code>w</code>hite. Somebody has written them all down (your puzzle input), one on each
line. As a ring has no beginning, he has begun with whichever lamp lay on top:</p>
<pre><code>${example}</code></pre>
<p>After the last lamp of a line comes the first one again. Two garlands are <em>of one kind</em> if you could lay one on the other
so that all colours match, whichever lamp you begin with. And you may also <em>turn a garland over</em>, so that its lamps
follow each other the other way round.</p>
<p>In the example, there are three kinds of garlands:</p>
<ul>
<li><code>rrgbgb</code> is of one kind with <code>gbrrgb</code> and <code>bgbrrg</code>, where only another lamp lay on top, and
with <code>rrbgbg</code>, which is what you read when it has been turned over.</li>
<li><code>rgbrgb</code> and <code>bgrbgr</code> are of a second kind.</li>
<li><code>rgrbgb</code> is alone. It has as many lamps of each colour as all the others, but they follow each other
differently, whichever way you lay it.</li>
</ul>
<p>There is to be one long chain of everything that looks the same, so you want to know about the <em>most common</em> kind; one
kind is always more common than all the others. Here it has <code>4</code> garlands. The number of kinds multiplied by
that is <code>3 * 4 = <em>12</em></code>.</p>
<p><em>What do you get if you multiply the number of kinds by the number of garlands of the most common kind?</em></p>`,
  ],

  generate(random) {
    const counts = drawCounts(random);
    const garlands = drawKinds(random, counts.length).flatMap((kind, index) =>
      Array.from({ length: counts[index] ?? 0 }, () => rewritten(random, kind)),
    );
    return `${random.shuffle(garlands).join('\n')}\n`;
  },

  solve(input) {
    const kinds = Map.groupBy(input.trim().split('\n'), kindOf);
    const most = Math.max(...[...kinds.values()].map((garlands) => garlands.length));
    return [String(kinds.size * most)];
  },
};

const lamps = 36;
const pieces = ['rrg', 'rgb', 'gbw', 'wwb', 'rbg', 'wgr', 'brw', 'ggw', 'bbr', 'wrg', 'gwb', 'rwb'];

/** How many garlands of each kind; one kind has more than any other. */
function drawCounts(random: Random): number[] {
  const most = random.int(9, 15);
  return [most, ...Array.from({ length: random.int(60, 95) }, () => random.int(1, most - 2))];
}

function drawKinds(random: Random, count: number): string[] {
  const kinds = new Map<string, string>();
  while (kinds.size < count) {
    const garland = drawGarland(random);
    // One that looks the same when turned over could not show who forgets to do that.
    if (firstOf(turnings(garland)) === firstOf(turnings(turnedOver(garland)))) continue;
    kinds.set(kindOf(garland), garland);
  }
  return [...kinds.values()];
}

/** Of the same pieces, so that the colours alone do not tell kinds apart. */
function drawGarland(random: Random): string {
  // A third of the garlands repeat themselves, so that no single lamp marks where they begin.
  const length = [lamps, lamps, lamps / 2][random.int(0, 2)] ?? lamps;
  return random
    .shuffle(pieces)
    .join('')
    .slice(0, length)
    .repeat(lamps / length);
}

/** The same garland, as somebody else might write it down. */
function rewritten(random: Random, garland: string): string {
  const start = random.int(0, garland.length - 1);
  const turned = garland.slice(start) + garland.slice(0, start);
  return random.int(0, 1) === 0 ? turned : turnedOver(turned);
}

/** The first, in the order of the dictionary, of all ways to write a garland down. */
function kindOf(garland: string): string {
  return firstOf([...turnings(garland), ...turnings(turnedOver(garland))]);
}

function turnings(garland: string): string[] {
  return [...garland].map((_, start) => garland.slice(start) + garland.slice(0, start));
}

function turnedOver(garland: string): string {
  return [...garland].reverse().join('');
}

function firstOf(words: readonly string[]): string {
  return words.toSorted()[0] ?? '';
}
