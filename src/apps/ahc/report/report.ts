/** The report of a session, folded from its journal: one value, and that value as JSON. `page.ts` draws it. Pure. */
import type { Event } from '../../../core/event.ts';
import { promptsUsed } from '../knowledge.ts';
import { creditByOperator, creditor, milestonesOf, scoresOf, standingsByFeature } from '../session/course.ts';
import type { SeenSession } from '../session/look.ts';

export type SessionReport = ReturnType<typeof reportOf>;

export function reportOf(seen: SeenSession & { readonly events: readonly Event[] }) {
  const { state, place, events } = seen;
  const { manifest } = place;
  const creditFor = creditor(state, manifest);
  return {
    seen,
    creditFor,
    scoreOf: scoresOf(state, manifest),
    milestones: milestonesOf(events),
    operators: creditByOperator(state, manifest),
    prompts: promptsUsed(state).map(({ name, words, candidates }) => ({
      name,
      words,
      credit: creditFor((each) => candidates.has(each)),
    })),
    hints: state.hints.map(({ number, text }) => ({
      number,
      text,
      credit: creditFor(({ note }) => note.hints.includes(number)),
    })),
    groups: standingsByFeature(state, manifest),
  };
}

export function reportJson({ seen, scoreOf, milestones, operators, prompts, hints, groups }: SessionReport) {
  const { state, place, status } = seen;
  const { bestId, final } = state;
  return {
    session: place.manifest.name,
    status,
    best: bestId === null ? null : { id: bestId, score: scoreOf(bestId) },
    course: milestones.map((each) => ({ ...each, score: scoreOf(each.id) })),
    operators,
    prompts: prompts.map(({ credit, ...prompt }) => ({ ...prompt, ...credit })),
    hints: hints.map(({ credit, ...hint }) => ({ ...hint, ...credit })),
    groups,
    final,
  };
}
