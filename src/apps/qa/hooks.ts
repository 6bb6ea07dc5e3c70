/** Where sets of questions differ from others: their result is a score, and the page shows how an answer came about. */
import type { AppHooks, Shell } from '../../cli/contract.ts';
import type { Journals } from '../../open/options.ts';
import type { RunSet, SetPlan } from '../../studies/run-set/plan.ts';

export const hooks: AppHooks = {
  // Loaded here because only the page shows them.
  panels: async (events) => (await import('./panels.ts')).panels(events),
  tellsSet: ({ rows }: SetPlan) =>
    rows.every(({ family }) => family === 'qa')
      ? (shell, polya, set) => printScores(shell, polya, set)
      : null,
};

async function printScores(shell: Shell, { world }: Journals, set: RunSet): Promise<void> {
  // Loaded here because only sets that are gone on with or watched need it.
  const { scoredSet, printScore: tellScore } = await import('./score-text.ts');
  tellScore(shell, [await scoredSet(world, set)], {});
  shell.err.write(`This table again: ${shell.calledAs} qa score ${set.id}\n`);
}
