/** What is special about sets of ARC tasks: `arc run` writes a log, pictures and a submission beside them. */
import type { AppHooks } from '../../cli/contract.ts';
import { ExplainedError } from '../../core/errors.ts';
import type { Event, Header } from '../../core/event.ts';
import { foldRun } from '../../core/fold.ts';
import type { Grid } from '../../core/problem.ts';
import { solutionsOf, taskIn } from '../../families/arc/family.ts';
import { keptJsonOf } from '../../families/arc/files.ts';
import { formatGrid } from '../../grids/grid.ts';
import { localFiles } from '../../io/local-files.ts';
import { gridText } from '../../notes/induction.ts';
import { hashText } from '../../run/hash.ts';

export const hooks: AppHooks = {
  // Loaded here because only the page shows them.
  panels: async (events, problem) => (await import('./panels.ts')).panels(events, await goldOf(problem)),
  hiddenTexts: gridTexts,

  tellResumedSet({ err, calledAs }, { id, plan }) {
    const isArcRun = plan.rows.every(({ family, agent }) => family === 'arc' && agent === 'induction-graph');
    if (!isArcRun) return;
    err.write(
      `No log, pictures or submission were written: \`${calledAs} arc run --resume ${id}\` does so from the journals, and asks nothing twice.\n`,
    );
  },
};

const files = localFiles('/');
const desk = { files, hashText, readJson: keptJsonOf(files) };

/** Null where its user has no solutions, or no longer has those of then. */
async function goldOf(problem: Header['problem']): Promise<readonly Grid[] | null> {
  if (typeof problem.reference.solutions !== 'string') return null;
  return solutionsOf(desk, problem).catch((error: unknown) => {
    if (error instanceof ExplainedError) return null;
    throw error;
  });
}

/** Grids of the task, as notes and models write them: a right prediction is one of them. */
function gridTexts(events: readonly Event[]): readonly string[] {
  const { header } = foldRun(events);
  if (typeof header?.problem.detail.task !== 'string') return [];
  const { train, test } = taskIn(header.problem);
  const grids = [...train.flatMap(({ input, output }) => [input, output]), ...test];
  const outputs = grids.flatMap((grid) => {
    const spaced = formatGrid(grid);
    // In a structured reply its lines are one.
    return [gridText(grid) ?? '', spaced, spaced.replaceAll('\n', '\\n'), JSON.stringify(grid)];
  });
  return outputs.filter((text) => text.length >= shortestText);
}

/** A smaller grid occurs in any text by chance. */
const shortestText = 6;
