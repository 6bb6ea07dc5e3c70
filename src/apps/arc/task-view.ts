/** One ARC task for people: in the terminal, a pair a block, and as the rows of a picture. Pure. */

import type { Grid } from '../../core/problem.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import type { Collage } from '../../grids/collage.ts';
import { sizeText } from '../../grids/grid.ts';
import type { Block } from '../../grids/terminal.ts';
import { beside, gridBlock, stacked, textBlock } from '../../grids/terminal.ts';
import { count, oneLine } from '../../text/format.ts';

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
