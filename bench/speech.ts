/**
 * Text of any length that compresses about as prose and program code do, the same for the same seed: words drawn from
 * a short list, so that figures can be compared between two runs of a bench.
 */

const words =
  `the a of in to is that it for on with as at by this we from or an be are was which each then so if
  part line value number count grid cell path left right up down sum range first last next both must not can because
  answer example input output check again wrong off one row column sorted total distance because therefore`.split(
    /\s+/,
  );

const statements = [
  'for line in lines:',
  '    total += int(parts[0]) * weight[i]',
  '    if (x, y) not in seen and grid[y][x] != "#":',
  '        queue.append((x + dx, y + dy, steps + 1))',
  'def solve(data, part=1):',
  '    rows = [list(map(int, row.split(","))) for row in data]',
  '    return max(best[k] for k in range(n) if k % 2 == 0)',
  '    heapq.heappush(heap, (cost + step, node))',
  '# the second part wants the same, but wrapped around',
];

export type Chance = () => number;

/** Uniform in [0, 1); a linear congruence, good enough for text. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function between(chance: Chance, least: number, most: number): number {
  return Math.round(least + chance() * (most - least));
}

export function proseOf(length: number, chance: Chance): string {
  let text = '';
  while (text.length < length) text += `${words[Math.floor(chance() * words.length)]} `;
  return text.slice(0, length);
}

export function codeOf(length: number, chance: Chance): string {
  let text = '';
  while (text.length < length) {
    const statement = statements[Math.floor(chance() * statements.length)] ?? '';
    text += `${statement.replaceAll(/\b[a-z]\b/g, () => `${proseOf(4, chance).trim()}${between(chance, 0, 99)}`)}\n`;
  }
  return text.slice(0, length);
}
