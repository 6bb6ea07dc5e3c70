/** Writes the lines that tell of a run of the induction graph, in the shapes in which they are read again. */
import type { Run } from '../../core/agent.ts';
import type { Grid } from '../../core/problem.ts';
import { gridText, type InductionNote, type InductionNoteKind } from '../../notes/induction.ts';

export function note<Kind extends InductionNoteKind>(run: Run, kind: Kind, data: InductionNote<Kind>): void {
  run.note(kind, data);
}

/** As the task has them, whatever view of it the hypothesis had. */
export function notedGrids(
  { restore }: { restore(grid: Grid): Grid },
  grids: readonly (Grid | null)[],
): (string | null)[] {
  return grids.map((grid) => grid && gridText(restore(grid)));
}
