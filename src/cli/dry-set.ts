/** What a run-set would do: its rows that are to be begun or gone on with, and the first request of one of them. */
import { exitCodes } from '../core/errors.ts';
import { previewRun } from '../open/journals.ts';
import type { Journals } from '../open/options.ts';
import { previewLife } from '../run/preview.ts';
import { resumeRun } from '../run/resume.ts';
import type { RunSet } from '../studies/run-set/plan.ts';
import type { PreparedRows } from '../studies/run-set/prepare.ts';
import { type RowResult, readRows } from '../studies/run-set/rows.ts';
import { count, harmlessJson } from '../text/format.ts';
import { table } from '../text/table.ts';
import type { Shell } from './contract.ts';
import { restEstimate } from './drive-set.ts';
import { type DryRun, dryRunJson, dryRunText } from './dry-run.ts';
import { limitsText } from './estimate.ts';
import { outcomeOf } from './set-report.ts';

export type ShownSet = {
  readonly set: RunSet;
  /** Those that are to be begun. */
  readonly prepared: PreparedRows;
  readonly output: { readonly json?: boolean };
};

/** Resolves to the exit code. */
export async function showSet(
  shell: Shell,
  polya: Journals,
  { set, prepared, output }: ShownSet,
): Promise<number> {
  const { plan } = set;
  const rows = (await readRows(polya.world.store, set)).filter(({ state }) => state !== 'ended');
  const estimate = await restEstimate(polya, set, prepared);
  const example = await exampleOf(polya, rows, prepared);
  if (output.json) {
    const states = rows.map(({ index, state }) => ({ row: index + 1, state }));
    const firstRow = example && dryRunJson(example);
    shell.out.write(`${harmlessJson({ dryRun: true, plan, rows: states, estimate, firstRow }, 2)}\n`);
    return exitCodes.ok;
  }
  const head = ['row', 'state', 'problem', 'agent', 'model', 'limits'];
  const facts = `${count(rows.length, 'row')}, ${plan.concurrency} at once, budget: ${limitsText(plan.budget)}`;
  shell.out.write(`${shell.out.paint('strong', 'Dry run: nothing was called, nothing is kept.')}\n`);
  shell.out.write(`${facts}\nestimate: ${estimate}\n\n`);
  shell.out.write(
    table(
      shell.out,
      head,
      rows.map((row) => cells(row, prepared)),
    ),
  );
  if (example) shell.out.write(`\nThe first row, as an example of them. ${dryRunText(shell.out, example)}`);
  return exitCodes.ok;
}

function cells(row: RowResult, prepared: PreparedRows): string[] {
  const { name, agent, models, limits } = row.plan;
  const problem = (prepared.get(row.index)?.header ?? row.view?.header)?.problem.id ?? '';
  return [name, outcomeOf(row), problem, agent, Object.values(models).join(' '), limitsText(limits)];
}

/** Settings as its model takes them, and its next request in full. */
async function exampleOf(
  { world }: Journals,
  [row]: readonly RowResult[],
  prepared: PreparedRows,
): Promise<DryRun | null> {
  if (!row) return null;
  const agent = await world.agent(row.plan.agent);
  const fresh = prepared.get(row.index);
  if (fresh) return { header: fresh.header, first: await previewRun(world, fresh), agent };
  return { ...(await previewLife(world, (scratch) => resumeRun(scratch, row.runId))), agent };
}
