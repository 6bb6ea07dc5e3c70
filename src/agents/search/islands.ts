/**
 * Islands side by side, each with lines of work that never wait for one another: a line takes the next candidate, carries
 * it through, and takes the next. What failed is repaired by the line that made it, so often as the settings say.
 */
import type { Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import { develop } from './candidate.ts';
import { settleSlot, tell } from './generation-end.ts';
import type { Slot } from './generations.ts';
import { receiveMail } from './mail.ts';
import { type Plan, planOf } from './operators/plan.ts';
import type { Island, Program } from './population.ts';
import { end, type Search, write } from './search.ts';
import { lookAtClock } from './time.ts';

/** Until nothing more is begun. What goes wrong on one island ends all of them. */
export async function runIslands(search: Search, run: Run, round: number): Promise<void> {
  const suffix = round === 1 ? '' : `-again-${round}`;
  await sideBySide(
    run,
    search.islands.map((island) => [
      `island-${island.number}${suffix}`,
      (here: Run) => runIsland(search, island, here),
    ]),
  );
}

async function runIsland(search: Search, island: Island, run: Run): Promise<void> {
  if (island.wantsFirst && search.generations.over < 0) await firstOf(search, island, run);
  const lines = Array.from({ length: search.settings.linesPerIsland }, (_, at) => `line-${at + 1}`);
  await sideBySide(
    run,
    lines.map((name) => [name, (here: Run) => workOn(search, island, here)]),
  );
}

export async function sideBySide(
  run: Run,
  branches: readonly (readonly [string, (here: Run) => Promise<void>])[],
): Promise<void> {
  const ended = await run.until(Object.fromEntries(branches), (results) => results.some(({ ok }) => !ok));
  for (const result of ended) if (!result.ok) throw result.error;
}

/** The first program of an island, with its repairs: all of them are of generation 0. */
export async function firstOf(search: Search, island: Island, run: Run): Promise<void> {
  island.wantsFirst = false;
  let plan: Plan | null = { operator: 'initial' };
  for (let tries = 0; plan && search.over === null; tries += 1) {
    if (tries > 0 && !(await lookAtClock(search, run))) return leaveFirst(search, island, run);
    const slot = search.generations.beginFirst();
    const program: Program = await carry({ search, island, run }, slot, plan);
    plan = tries < search.settings.repairs ? repairOf(program) : null;
    if (plan) await settleSlot(search, run, slot);
    else await endFirst(search, island, run, slot);
  }
}

/** Generation 0 is complete when no island makes a first program any more. */
function leaveFirst(search: Search, island: Island, run: Run): void {
  search.beginning.delete(island.number);
  if (search.beginning.size > 0) return;
  for (const generation of search.generations.closeFirst()) tell(search, run, generation);
}

async function endFirst(search: Search, island: Island, run: Run, slot: Slot): Promise<void> {
  leaveFirst(search, island, run);
  await settleSlot(search, run, slot);
}

async function workOn(search: Search, island: Island, run: Run): Promise<void> {
  let ailing: { readonly plan: Plan; readonly repairs: number } | null = null;
  const talks: Promise<void>[] = [];
  try {
    for (;;) {
      talks.push(...(await receiveMail(search, run)));
      await lookAtClock(search, run);
      if (!mayBegin(search)) break;
      const slot = search.generations.begin(search.settings.populationSize);
      const plan: Plan = ailing?.plan ?? planOf(search, island, () => run.random());
      const program = await carry({ search, island, run }, slot, plan);
      const repairs: number = (ailing?.repairs ?? 0) + 1;
      const next = repairs <= search.settings.repairs ? repairOf(program) : null;
      ailing = next && { plan: next, repairs };
      await settleSlot(search, run, slot);
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    end(search, error.message);
  }
  // What was said meanwhile has held up nothing, and is finished before the line ends.
  for (const talk of talks) await talk;
  write(run, 'doing', { island: island.number, what: '' });
}

type Work = { readonly search: Search; readonly island: Island; readonly run: Run };

function carry({ search, island, run }: Work, slot: Slot, plan: Plan): Promise<Program> {
  const doing = (what: string): void => write(run, 'doing', { island: island.number, what });
  return run.branch(slot.id, (here) => develop({ search, island, slot, doing }, plan, here));
}

/** What nobody can repair is left: a reply without a program, and what is no news. */
function repairOf(program: Program): Plan | null {
  const isAiling = program.status === 'failed' || program.status === 'compile-error';
  return isAiling ? { operator: 'repair', parent: program } : null;
}

function mayBegin(search: Search): boolean {
  const { maxGenerations, populationSize } = search.settings;
  if (search.over === null && search.generations.isExhausted(populationSize, maxGenerations)) {
    end(search, allBegun(maxGenerations));
  }
  return search.over === null;
}

function allBegun(generations: number): string {
  if (generations === 0) return 'No generation was asked for beyond the first programs.';
  return generations === 1 ? 'Its one generation is begun.' : `All ${generations} generations are begun.`;
}
