/**
 * What has to hold of any file of tasks in the competition's form: they load, are posed, are drawn, and come back from
 * every text and picture as they were. The score is held against a scorer of this file's own.
 */
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { Grid } from '../../src/core/problem.ts';
import { arcFamily, taskIn } from '../../src/families/arc/family.ts';
import {
  readSubmission,
  type SubmissionEntry,
  scoreOf,
  submissionOf,
} from '../../src/families/arc/submission.ts';
import { loadTaskFile } from '../../src/families/arc/task-file.ts';
import { drawCollage } from '../../src/grids/collage.ts';
import { drawGrid, hexOf, palette } from '../../src/grids/drawing.ts';
import { formatGrid, gridFormats, gridKey } from '../../src/grids/grid.ts';
import { parseGrids } from '../../src/grids/parse.ts';
import { renderPng } from '../../src/grids/png.ts';
import { renderSvg } from '../../src/grids/svg.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { hashText } from '../../src/run/hash.ts';
import { seeded } from '../answers/seeded.ts';

export type TaskFile = {
  readonly name: string;
  /** Its solutions lie beside it, under the name with `solutions` in the place of `challenges`. */
  readonly file: string;
  readonly tasks: number;
  /** Outputs that are asked for; one task may ask for several. */
  readonly pairs: number;
};

const local = localFiles('/');
const texts = new Map<string, Promise<string | null>>();
/** To read a file of a thousand tasks for each of them would take most of the time. */
const files: typeof local = {
  ...local,
  read: (path) => {
    const text = texts.get(path) ?? local.read(path);
    texts.set(path, text);
    return text;
  },
};

export function holdTaskFile({ name, file, tasks: count, pairs }: TaskFile): void {
  let loaded: ReturnType<typeof loadTaskFile> | undefined;
  /** Read once, and by each test as it was. */
  const load = () => {
    loaded ??= loadTaskFile(files, { file });
    return loaded;
  };

  describe(name, () => {
    test('every task loads, with its solutions, as the file has it', async () => {
      const { faults, tasks, solutions } = await load();
      expect(faults).toEqual([]);
      expect(tasks).toHaveLength(count);
      const raw = JSON.parse(readFileSync(file, 'utf8'));
      const again = Object.fromEntries(
        tasks.map(({ id, train, test: inputs }) => [id, { train, test: inputs.map((input) => ({ input })) }]),
      );
      expect(again).toEqual(raw);
      expect(Object.fromEntries(solutions?.byTask ?? [])).toEqual(
        JSON.parse(readFileSync(file.replace('challenges', 'solutions'), 'utf8')),
      );
    });

    test('every grid comes back from every text', async () => {
      for (const { id, train, test: inputs } of (await load()).tasks) {
        const grids = [...train.flatMap(({ input, output }) => [input, output]), ...inputs];
        const format = gridFormats[id.charCodeAt(0) % gridFormats.length];
        const reply = grids
          .map((grid, at) => `Grid ${at + 1}:\n\`\`\`\n${formatGrid(grid, format)}\n\`\`\``)
          .join('\n');
        const parsed = parseGrids(reply, grids.length);
        if (!parsed.ok) throw new Error(`${id}: ${parsed.fault}`);
        expect(parsed.grids.map(gridKey), id).toEqual(grids.map(gridKey));
      }
    });

    test('every task is drawn', async () => {
      for (const { id, train, test: inputs } of (await load()).tasks) {
        const rows = [
          ...train.map(({ input, output }) => ({ label: 'train', input, expected: output })),
          ...inputs.map((input) => ({ label: 'test', input })),
        ];
        const collage = drawCollage({ title: id, rows, cellPixels: 1 });
        const cells = rows
          .flatMap((row) => [row.input, ...('expected' in row ? [row.expected] : [])])
          .flat(2).length;
        expect(renderSvg(collage).split('h1v1h-1z').length - 1, id).toBe(cells);
        const bytes = Buffer.from(renderPng(collage));
        expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], id).toEqual([collage.width, collage.height]);
      }
    });

    test('every solution comes back from its picture, pixel by pixel', async () => {
      const colours = new Map(palette.map(({ rgb }, value) => [hexOf(rgb), value]));
      const { solutions } = await load();
      let seen = 0;
      for (const grid of [...(solutions?.byTask.values() ?? [])].flat()) {
        const { data, width } = PNG.sync.read(Buffer.from(renderPng(drawGrid(grid, { cellPixels: 1 }))));
        const read = grid.map((row, y) =>
          row.map((_, x) =>
            colours.get(`#${data.subarray(((2 * y + 1) * width + 2 * x + 1) * 4).toString('hex', 0, 3)}`),
          ),
        );
        expect(read).toEqual(grid);
        seen += 1;
      }
      expect(seen).toBe(pairs);
    });

    test('every task is posed without its solution, and read again from its face', async () => {
      const family = arcFamily({ files, hashText });
      const path = file;
      const { tasks, solutions } = await load();
      for (const task of tasks) {
        const face = await family.load(
          { file: path, task: task.id },
          null as never,
          new AbortController().signal,
        );
        expect(taskIn(face)).toEqual(task);
        const shown = [...task.train.flatMap(({ input, output }) => [input, output]), ...task.test];
        // A solution may be a part of what is shown.
        const isShown = (grid: Grid) => shown.some((each) => formatGrid(each).includes(formatGrid(grid)));
        const text = JSON.stringify([face.statement, face.detail]);
        for (const solution of solutions?.byTask.get(task.id) ?? []) {
          if (isShown(solution) || solution.flat().length < 9) continue;
          expect(text.includes(JSON.stringify(formatGrid(solution)).slice(1, -1)), task.id).toBe(false);
          expect(text.includes(JSON.stringify(solution)), task.id).toBe(false);
        }
      }
    });

    test('an independent scorer agrees on random submissions of all tasks', async () => {
      const { tasks, tests, solutions } = await load();
      const byTask = solutions?.byTask ?? new Map<string, readonly Grid[]>();
      const below = seeded(20_261_121);
      for (let round = 0; round < 5; round += 1) {
        const guess = (id: string): readonly (readonly Grid[])[] =>
          (byTask.get(id) ?? []).map((grid) =>
            Array.from({ length: below(4) }, () =>
              below(2) ? grid : grid.map((row) => row.map((cell) => (cell + 1) % 10)),
            ),
          );
        const made = submissionOf(tasks, (id) => (below(5) ? [guess(id)] : []));
        const { entries, faults } = readSubmission(JSON.parse(JSON.stringify(made)), tests);
        expect(faults).toEqual([]);
        const score = scoreOf(entries, byTask);
        expect(score.pairs).toBe(pairs);
        expect(score.right).toBeGreaterThan(pairs / 10);
        expect(score.score).toBe(independentScore(made, Object.fromEntries(byTask)));
      }
    });
  });
}

/** The rule as its page words it, written anew: nothing of the product is called here. */
function independentScore(
  submission: Record<string, readonly SubmissionEntry[]>,
  answers: Record<string, readonly Grid[]>,
): number {
  const right = Object.entries(answers).flatMap(([task, outputs]) =>
    outputs.map((output, index) => {
      const guesses = submission[task]?.[index];
      return [guesses?.attempt_1, guesses?.attempt_2].some(
        (guess) => JSON.stringify(guess) === JSON.stringify(output),
      );
    }),
  );
  return right.filter(Boolean).length / right.length;
}
