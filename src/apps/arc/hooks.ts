/** What is special about sets of ARC tasks: `arc run` writes a log, pictures and a submission beside them. */
import type { AppHooks } from '../../cli/contract.ts';

export const hooks: AppHooks = {
  tellResumedSet({ err, calledAs }, { id, plan }) {
    const isArcRun = plan.rows.every(({ family, agent }) => family === 'arc' && agent === 'induction-graph');
    if (!isArcRun) return;
    err.write(
      `No log, pictures or submission were written: \`${calledAs} arc run --resume ${id}\` does so from the journals, and asks nothing twice.\n`,
    );
  },
};
