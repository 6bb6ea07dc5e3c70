/** One ARC task for people: in the terminal, a pair a block, and as the rows of a picture. Pure. */

import type { Output } from '../../cli/output.ts';
import type { Grid } from '../../core/problem.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import type { TaskFile } from '../../families/arc/task-file.ts';
import type { Collage } from '../../grids/collage.ts';
import { sizeText } from '../../grids/grid.ts';
import { type Block, beside, gridBlock, stacked, textBlock } from '../../grids/terminal.ts';
import { count, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';

export type ShownTask = {
  readonly task: ArcTask;
  /** Where it comes from. */
  readonly path: string;
  /** Of the test pairs; null where they are not to be shown. */
  readonly outputs: readonly Grid[] | null;
};

export type TaskStyle = { readonly colour: boolean; readonly digits: boolean; readonly columns: number };

export function taskText({ task, path, outputs }: ShownTask, style: TaskStyle): string {
  const { id, train, test } = task;
  const pairs = [
    ...train.map(({ input, output }, at) => pairText({ name: `train ${at + 1}`, input, output }, style)),
    ...test.map((input, at) =>
      pairText({ name: `test ${at + 1}`, input, output: outputs?.[at] ?? null }, style),
    ),
  ];
  const head = `${oneLine(id)}: ${count(train.length, 'train pair')}, ${count(test.length, 'test input')} (${oneLine(path)})`;
  return `${[head, ...pairs].join('\n\n')}\n`;
}

type Pair = { readonly name: string; readonly input: Grid; readonly output: Grid | null };

/** Side by side where the terminal is wide enough, else under one another. */
function pairText({ name, input, output }: Pair, style: TaskStyle): string {
  const sizes = `${sizeText(input)} → ${output ? sizeText(output) : '?'}`;
  const left = gridBlock(input, style);
  const arrow = textBlock('→');
  const right = output ? gridBlock(output, style) : textBlock('?');
  const row = beside([left, arrow, right]);
  const block: Block = row.width <= style.columns ? row : stacked(left, textBlock('↓'), right);
  return [`${name}  ${sizes}`, ...block.lines].join('\n');
}

export function collageOf(
  { id, train, test }: ArcTask,
  outputs: readonly Grid[] | null,
  cellPixels: number,
): Collage {
  return {
    title: id,
    cellPixels,
    rows: [
      ...train.map(({ input, output }, at) => ({ label: `train ${at + 1}`, input, expected: output })),
      ...test.map((input, at) => ({ label: `test ${at + 1}`, input, expected: outputs?.[at] ?? null })),
    ],
  };
}

export function tasksTable(output: Output, { path, ids, tasks, faults, solutions }: TaskFile): string {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows = ids.map((id) => {
    const task = byId.get(id);
    const wrong = faults.find((fault) => fault.task === id);
    return task
      ? [id, task.train.length, task.test.length, largest(task), '']
      : [id, '', '', '', wrong?.what ?? ''];
  });
  const faulty = new Set(faults.map(({ task }) => task)).size;
  const known = solutions ? `solutions in ${oneLine(solutions.path)}` : 'without solutions';
  const head = `${count(ids.length, 'task')} of ${oneLine(path)}, ${known}`;
  return [
    `${head}${faulty > 0 ? `; ${output.paint('bad', `${faulty} cannot be used`)}` : ''}`,
    table(
      output,
      ['task', 'train', 'test', 'largest grid', 'fault'].slice(0, faulty > 0 ? 5 : 4),
      rows.map((row) => row.slice(0, faulty > 0 ? 5 : 4)),
    ),
  ].join('\n');
}

function largest({ train, test }: ArcTask): string {
  const grids: readonly Grid[] = [...train.flatMap(({ input, output }) => [input, output]), ...test];
  const width = (grid: Grid) => grid[0]?.length ?? 0;
  const found = grids.reduce((most, grid) =>
    grid.length * width(grid) > most.length * width(most) ? grid : most,
  );
  return `${found.length}×${width(found)}`;
}
