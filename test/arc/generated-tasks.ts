/** Tasks of the project's own, as many as it takes, in the competition's form: grids by a seed, rules from a short list. */
import type { Grid } from '../../src/core/problem.ts';
import { seeded } from '../answers/seeded.ts';

type Rule = (grid: Grid) => Grid;

const rules: readonly Rule[] = [
  (grid) => grid.map((row) => row.toReversed()),
  (grid) => grid.toReversed(),
  (grid) => (grid[0] ?? []).map((_, x) => grid.map((row) => row[x] ?? 0)),
  (grid) => grid.map((row) => row.map((colour) => (colour + 3) % 10)),
  (grid) =>
    grid.slice(0, 15).flatMap((row) => {
      const wide = row.slice(0, 15).flatMap((colour) => [colour, colour]);
      return [wide, wide];
    }),
  (grid) => grid.map((row) => row.map((colour) => (colour === 0 ? 5 : 0))),
  (grid) => [...grid.slice(1), ...grid.slice(0, 1)],
  (grid) => grid.slice(0, Math.ceil(grid.length / 2)),
];

export type Generated = {
  readonly challenges: Readonly<Record<string, unknown>>;
  readonly solutions: Readonly<Record<string, readonly Grid[]>>;
};

/** Of all sizes that there are, 1×1 and 30×30 among them. */
export function generateTasks(count: number, seed: number): Generated {
  const below = seeded(seed);
  const side = () => [1, 30, 3 + below(8), 3 + below(8), 1 + below(30)][below(5)] ?? 1;
  const newGrid = (): Grid => {
    const [height, width, colours] = [side(), side(), 2 + below(9)];
    return Array.from({ length: height }, () => Array.from({ length: width }, () => below(colours)));
  };
  const tasks = Array.from({ length: count }, (_, at) => {
    const rule = rules[at % rules.length] ?? ((grid: Grid) => grid);
    const pair = () => {
      const input = newGrid();
      return { input, output: rule(input) };
    };
    const several = (length: number) => Array.from({ length }, pair);
    const id = `own${String(at).padStart(5, '0')}`;
    return { id, train: several(2 + below(3)), test: several(1 + below(2)) };
  });
  return {
    challenges: Object.fromEntries(
      tasks.map(({ id, train, test }) => [id, { train, test: test.map(({ input }) => ({ input })) }]),
    ),
    solutions: Object.fromEntries(tasks.map(({ id, test }) => [id, test.map(({ output }) => output)])),
  };
}
