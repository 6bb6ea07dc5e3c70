/** What a session says of itself in numbers, folded from its journal: `report --json`, and tables of its panels. Pure. */
import { grouped, truncate } from '../../../text/format.ts';
import { promptsUsed } from '../knowledge.ts';
import { type Credit, creditByOperator, creditor, followed, milestonesOf, scoresOf } from './course.ts';
import type { SeenSession } from './look.ts';
import { plainNumber } from './names.ts';

export function reportJson({ state, place, status, events, facts }: SeenSession) {
  const { bestId, final } = state;
  const creditFor = creditor(state, facts);
  const scoreOf = scoresOf(state, facts);
  return {
    session: place.name,
    status,
    best: bestId === null ? null : { id: bestId, score: scoreOf(bestId) },
    course: milestonesOf(events).map((each) => ({ ...each, score: scoreOf(each.id) })),
    operators: creditByOperator(state, facts),
    prompts: promptsUsed(state).map(({ name, words, candidates }) => ({
      name,
      words,
      ...creditFor((each) => candidates.has(each)),
    })),
    hints: state.hints.map(({ number, text }) => ({
      number,
      text,
      ...creditFor(({ note }) => followed(note, number)),
    })),
    final,
  };
}

export const creditColumns: Readonly<Record<string, (credit: Credit) => string | number>> = {
  made: ({ made }) => made,
  'run on all': ({ evaluated }) => evaluated,
  spared: ({ spared }) => spared,
  useless: ({ useless }) => useless,
  'better than parents': ({ betterThanParents }) => betterThanParents,
  'new best': ({ improvements }) => improvements,
  gain: ({ improvements, gain }) => (improvements === 0 ? '–' : plainNumber(Math.round(gain * 1e3) / 1e3)),
  tokens: ({ tokens }) => (tokens === null ? 'unknown' : grouped(tokens)),
};

/** Fewer strategies than islands are followed by several. */
export function strategyOf({ state }: Pick<SeenSession, 'state'>, island: number): string {
  const { strategies } = state;
  return truncate(strategies[(island - 1) % Math.max(1, strategies.length)]?.name ?? '–', 60);
}
