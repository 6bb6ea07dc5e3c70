/** One ARC task for people: in the terminal, a pair a block, and as the rows of a picture. Pure. */
import type { Output } from '../../cli/contract.ts';
import type { Grid } from '../../core/problem.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import type { TaskFile } from '../../families/arc/task-file.ts';
import type { CollageSpec } from '../../grids/collage.ts';
import { sizeText } from '../../grids/grid.ts';
import { type Block, gridBlock, joinBlocks, stackBlocks, textBlock } from '../../grids/terminal.ts';
import { count, oneLine } from '../../text/format.ts';
import type { Painter } from '../../text/paint.ts';
import { table } from '../../text/table.ts';

type TaskStyle = {
  readonly colour: Painter['sequence'] | null;
  readonly digits: boolean;
  readonly columns: number;
};

/** `outputs`: of the test pairs; null where they are not to be shown. `path`: where the task comes from. */
export type TaskView = {
  readonly task: ArcTask;
  readonly path: string;
  readonly outputs: readonly Grid[] | null;
};

export function taskText({ task, path, outputs }: TaskView, style: TaskStyle): string {
  const { id, train, test } = task;
  const pairs = [
    ...train.map(({ input, output }, at) => pairText(`train ${at + 1}`, input, output, style)),
    ...test.map((input, at) => pairText(`test ${at + 1}`, input, outputs?.[at] ?? null, style)),
  ];
  const head = `${oneLine(id)}: ${count(train.length, 'train pair')}, ${count(test.length, 'test input')} (${oneLine(path)})`;
  return `${[head, ...pairs].join('\n\n')}\n`;
}

/** Side by side where the terminal is wide enough, else under one another. */
function pairText(name: string, input: Grid, output: Grid | null, style: TaskStyle): string {
  const sizes = `${sizeText(input)} → ${output ? sizeText(output) : '?'}`;
  const left = gridBlock(input, style);
  const arrow = textBlock('→');
  const right = output ? gridBlock(output, style) : textBlock('?');
  const row = joinBlocks([left, arrow, right]);
  const block: Block = row.width <= style.columns ? row : stackBlocks(left, textBlock('↓'), right);
  return [`${name}  ${sizes}`, ...block.lines].join('\n');
}

export function taskCollage(
  { id, train, test }: ArcTask,
  outputs: readonly Grid[] | null,
  cellPixels: number,
): CollageSpec {
  return {
    title: id,
    cellPixels,
    rows: [
      ...train.map(({ input, output }, at) => ({ label: `train ${at + 1}`, input, expected: output })),
      ...test.map((input, at) => ({ label: `test ${at + 1}`, input, expected: outputs?.[at] })),
    ],
  };
}

export function tasksTable(output: Output, { path, ids, tasks, faults, solutions }: TaskFile): string {
  const wrongWith = (id: string): string => faults.find(({ task }) => task === id)?.what ?? '';
  const faulty = new Set(faults.map(({ task }) => task)).size;
  const rows = ids.map((id) => {
    const task = tasks.find((each) => each.id === id);
    const cells = task
      ? [task.train.length, task.test.length, maxGridSize(task), '']
      : ['', '', '', wrongWith(id)];
    return [id, ...cells.slice(0, faulty > 0 ? 4 : 3)];
  });
  const known = solutions ? `solutions in ${oneLine(solutions.path)}` : 'without solutions';
  const bad = faulty > 0 ? `; ${output.paint('bad', `${faulty} cannot be used`)}` : '';
  const head = ['task', 'train', 'test', 'largest grid', ...(faulty > 0 ? ['fault'] : [])];
  return `${count(ids.length, 'task')} of ${oneLine(path)}, ${known}${bad}\n${table(output, head, rows)}`;
}

function maxGridSize({ train, test }: ArcTask): string {
  const grids: readonly Grid[] = [...train.flatMap(({ input, output }) => [input, output]), ...test];
  const width = (grid: Grid) => grid[0]?.length ?? 0;
  const found = grids.reduce((most, grid) =>
    grid.length * width(grid) > most.length * width(most) ? grid : most,
  );
  return `${found.length}×${width(found)}`;
}
