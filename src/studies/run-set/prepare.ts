/**
 * Makes sure that every row of a run-set could begin, before the first of them does: problems, agents, settings, models,
 * prices. What a store holds already is not looked at again; its resume does so.
 */
import { ExplainedError, UserError } from '../../core/errors.ts';
import { refuseUnknownPrices } from '../../run/live.ts';
import { type PreparedRun, prepareRun } from '../../run/start.ts';
import type { World } from '../../run/world.ts';
import { type RunSet, runIdOf, specOf } from './plan.ts';

/** By the row's index, those that have not been begun. */
export type PreparedRows = ReadonlyMap<number, PreparedRun>;

export async function prepareRows(world: World, set: RunSet): Promise<PreparedRows> {
  const prepared = new Map<number, PreparedRun>();
  for (const index of set.plan.rows.keys()) {
    const isBegun = (await world.store.get(runIdOf(set, index))) !== null;
    if (!isBegun) prepared.set(index, await prepareRow(world, set, index));
  }
  return prepared;
}

async function prepareRow(world: World, set: RunSet, index: number): Promise<PreparedRun> {
  try {
    const prepared = await prepareRun(world, specOf(set, index));
    const { costUsd } = set.plan.budget;
    refuseUnknownPrices({ models: prepared.header.models, limits: costUsd === undefined ? {} : { costUsd } });
    return prepared;
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    const { what, why, fix } = error.explanation;
    const where = `Row ${index + 1} (${set.plan.rows[index]?.name}): ${what}`;
    throw new UserError({ code: 'row-refused', what: where, why, fix });
  }
}
