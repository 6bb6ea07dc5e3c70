/** The last day, of one part: rings that are alike when turned or turned over. */
import { type LastPuzzle, type Random, statement } from '../puzzle.ts';

export const garlandsForTheSummit: LastPuzzle = {
  day: 25,
  title: 'Garlands for the Summit',
  ...statement('day25-garlands-for-the-summit'),

  generate(random) {
    const counts = randomCounts(random);
    const garlands = randomKinds(random, counts.length).flatMap((kind, index) =>
      Array.from({ length: counts[index] ?? 0 }, () => rewriteGarland(random, kind)),
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
function randomCounts(random: Random): number[] {
  const most = random.int(9, 15);
  return [most, ...Array.from({ length: random.int(60, 95) }, () => random.int(1, most - 2))];
}

function randomKinds(random: Random, count: number): string[] {
  const kinds = new Map<string, string>();
  while (kinds.size < count) {
    const garland = randomGarland(random);
    // One that looks the same when turned over could not show who forgets to do that.
    if (firstOf(rotations(garland)) === firstOf(rotations(reverseGarland(garland)))) continue;
    kinds.set(kindOf(garland), garland);
  }
  return [...kinds.values()];
}

/** Of the same pieces, so that the colours alone do not tell kinds apart. */
function randomGarland(random: Random): string {
  // A third of the garlands repeat themselves, so that no single lamp marks where they begin.
  const length = [lamps, lamps, lamps / 2][random.int(0, 2)] ?? lamps;
  return random
    .shuffle(pieces)
    .join('')
    .slice(0, length)
    .repeat(lamps / length);
}

/** The same garland, as somebody else might write it down. */
function rewriteGarland(random: Random, garland: string): string {
  const start = random.int(0, garland.length - 1);
  const turned = garland.slice(start) + garland.slice(0, start);
  return random.int(0, 1) === 0 ? turned : reverseGarland(turned);
}

/** The first, in the order of the dictionary, of all ways to write a garland down. */
function kindOf(garland: string): string {
  return firstOf([...rotations(garland), ...rotations(reverseGarland(garland))]);
}

function rotations(garland: string): string[] {
  return [...garland].map((_, start) => garland.slice(start) + garland.slice(0, start));
}

function reverseGarland(garland: string): string {
  return [...garland].reverse().join('');
}

function firstOf(words: readonly string[]): string {
  return words.toSorted()[0] ?? '';
}
