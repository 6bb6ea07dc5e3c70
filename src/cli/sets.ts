/** Finds the run-set that a few letters name, and what of it can be changed on the command line. */
import { type Command, Option } from 'commander';
import { UserError } from '../core/errors.ts';
import type { SetRow, Store } from '../core/store.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { type SetPlan, setOf } from '../studies/run-set/plan.ts';
import { count } from '../text/format.ts';
import type { Shell } from './contract.ts';
import { matching, withPolya } from './journals.ts';
import {
  type BackendOption,
  type BudgetOptions,
  backendOption,
  limitsOf,
  parseInteger,
  viewOption,
} from './options.ts';

export type SetOptions = BackendOption &
  BudgetOptions & {
    readonly concurrency?: number;
    readonly name?: string;
    readonly json?: boolean;
    readonly csv?: boolean;
    readonly here?: boolean;
  };

export function setOptions(command: Command): Command {
  return viewOption(backendOption(command))
    .option('--concurrency <number>', 'how many runs at once', parseInteger(1))
    .option('--name <text>', 'the name of the run-set in lists and on the page')
    .addOption(new Option('--json', 'print the result as JSON').conflicts('csv'))
    .option('--csv', 'print the result as CSV, a line a row')
    .option('--here', 'do it in this process, although workers are there (docs/fleet.md)');
}

export function setArgument(command: Command): Command {
  return command.argument('<run-set>', 'its id, the beginning or end of it, or `last`');
}

/** The plan with what its user says now. */
export function changedPlan(plan: SetPlan, { budget, maxTokens, concurrency, name }: SetOptions): SetPlan {
  return {
    ...plan,
    name: name?.trim() || plan.name,
    concurrency: concurrency ?? plan.concurrency,
    budget: { ...plan.budget, ...limitsOf({ budget, maxTokens }) },
  };
}

export function withSet<T>(
  shell: Shell,
  name: string,
  work: (polya: Journals, row: SetRow) => Promise<T>,
  options: JournalsOptions = {},
): Promise<T> {
  const found = async (polya: Journals) => work(polya, await findSet(polya.world.store, name));
  return withPolya(shell, found, { ...options, create: false });
}

/** A row that goes on by itself would spend what is not counted for the others. */
export async function assertNoSharedBudget(store: Store, runId: string): Promise<void> {
  const [, id = ''] = /^(.+)-\d+$/.exec(runId) ?? [];
  const row = await store.getSet(id);
  if (!row || Object.keys(setOf(row).plan.budget).length === 0) return;
  throw new UserError({
    code: 'row-of-shared-budget',
    what: `Run ${runId} is a row of the run-set ${id}, and shares its budget.`,
    fix: `\`polya run-set resume ${id}\` goes on with it; \`polya runs fork ${runId}\` makes a run of it that has limits of its own.`,
  });
}

/** `last`, an id, or as much of its beginning or of its end as names one run-set only. */
export async function findSet(store: Store, name: string): Promise<SetRow> {
  const exact = await store.getSet(name);
  if (exact) return exact;
  const found = matching(await store.listSets(), name);
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new UserError({
    code: 'run-set-ambiguous',
    what: only
      ? `${count(found.length, 'run-set')} begin or end with ${name}.`
      : `There is no run-set ${name || '""'} here.`,
    fix: only
      ? 'Give more of the id.'
      : '`polya run-set list` shows those of this folder; `last` is the newest.',
  });
}
