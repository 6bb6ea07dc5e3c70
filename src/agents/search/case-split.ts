/**
 * Which cases a search looks at, and which it never sees before the end. Where the problem can make cases, leaders and
 * the final choice get new ones; where it cannot, some of those that there are are set aside from the beginning.
 */
import type { Run } from '../../core/agent.ts';
import type { ProgramTask } from '../../core/program.ts';
import { shuffled } from './race.ts';
import type { EvolutionSettings } from './settings.ts';

export type CaseSplit = {
  readonly search: readonly string[];
  readonly heldOut: readonly string[];
  /** The cases of the round, none where there are none to be had. */
  fresh(round: number, count: number): readonly string[];
};

/** Cases for leaders are numbered from 0 on; no session has so many rounds that it comes to these. */
const firstHeldOut = 1_000_000;
/** With fewer, what is set aside is missed more than it can tell. */
const leastToSetAside = 8;

export function splitCases(
  run: Run,
  task: ProgramTask,
  { searchCases, heldOutCases }: Pick<EvolutionSettings, 'searchCases' | 'heldOutCases'>,
): CaseSplit {
  const order = inOrder(task.cases, shuffled(run, task.cases));
  const most = searchCases ?? task.cases.length;
  if (task.fresh) {
    return {
      search: order(0, most),
      heldOut: heldOutCases > 0 ? task.fresh(firstHeldOut, heldOutCases) : [],
      fresh: (round, count) => task.fresh?.(round * count, count) ?? [],
    };
  }
  const canSetAside = task.cases.length >= leastToSetAside;
  const aside = canSetAside ? Math.min(heldOutCases, Math.floor(task.cases.length / 3)) : 0;
  return { search: order(aside, aside + most), heldOut: order(0, aside), fresh: () => [] };
}

/** A part of a drawn order, in the order in which the problem names them. */
function inOrder(all: readonly string[], drawn: readonly string[]) {
  return (from: number, to: number): readonly string[] => {
    const part = new Set(drawn.slice(from, to));
    return all.filter((name) => part.has(name));
  };
}
