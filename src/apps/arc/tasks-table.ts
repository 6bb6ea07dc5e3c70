/** The tasks of a file for people: how many pairs each has, how large its grids are, and what is wrong with it. Pure. */

import type { Output } from '../../cli/output.ts';
import type { Grid } from '../../core/problem.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import type { TaskFile } from '../../families/arc/task-file.ts';
import { count, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';

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
