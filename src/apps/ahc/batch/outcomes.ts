/** What the sessions of a batch came to, from their journals: what its comparison, its table and its page are made of. */
import type { OutcomeKind } from '../../../core/agent.ts';
import { type ModelHeader, modelsBehind } from '../../../core/event.ts';
import { spentOf } from '../../../core/fold.ts';
import { candidateOf, type SessionState } from '../../../families/ahc/session/fold.ts';
import type { Journals } from '../../../open/options.ts';
import { scoresOf } from '../session/course.ts';
import { seeSession } from '../session/look.ts';
import { milestonesOf } from '../session/milestones.ts';
import type { SessionOutcome } from './comparison.ts';
import type { Place } from './sessions.ts';

export type BatchOutcome = SessionOutcome & {
  readonly session: string;
  readonly folder: string;
  readonly text: string;
  readonly outcome: string | null;
  /** By the budget that all share: it can go on. */
  readonly isCutShort: boolean;
  /** What broke it off; null where nothing did. */
  readonly why: string | null;
  readonly best: string | null;
  /** Over the cases of the search; with relative scoring, against what its session began with. */
  readonly score: number | null;
  readonly scoring: 'absolute' | 'relative';
  readonly generations: number;
  /** Whether its cases are such as no search saw. */
  readonly isHeldOut: boolean;
  /** By role. */
  readonly models: Readonly<Record<string, ModelHeader>>;
  readonly course: readonly { readonly tokens: number; readonly aliveMs: number; readonly score: number }[];
};

/** What a provider or a machine did to a session says nothing of its settings. */
const brokenOff: ReadonlySet<string> = new Set<OutcomeKind>(['cancelled', 'error']);

/** What each session came to, from its journal. */
export async function outcomesOf(
  { world }: Journals,
  places: readonly Place[],
): Promise<readonly BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const { place, workspace } of places) {
    const { manifest } = place;
    const { state, events } = await seeSession(world.store, place);
    const { run, bestId } = state;
    const scoreOf = scoresOf(state, manifest);
    const { cases, isHeldOut } = finalCases(state);
    outcomes.push({
      ...{ session: manifest.name, folder: place.folder.path, problem: manifest.contest },
      workspace: workspace.folder.path,
      ...{ combination: manifest.batch?.combination ?? 0, repeat: manifest.batch?.repeat ?? 1 },
      ...{ text: manifest.batch?.text ?? '', direction: manifest.direction },
      ...{ cases, isHeldOut, best: bestId, score: bestId === null ? null : scoreOf(bestId) },
      isDone: run.end !== null && !brokenOff.has(run.end.outcome) && !run.end.cutShort,
      // Its agent gave up what it was refused; that was the limit's doing.
      outcome: run.end?.cutShort ? 'limit' : (run.end?.outcome ?? null),
      isCutShort: run.end?.cutShort === true,
      why: run.end?.error?.message ?? null,
      scoring: manifest.scoring,
      generations: state.generation,
      models: run.header ? modelsBehind(run.header) : {},
      ...spentOf(run.totals),
      aliveMs: run.aliveMs,
      course: milestonesOf(events).flatMap(({ id, isBest, tokens, aliveMs }) => {
        const score = isBest ? scoreOf(id) : null;
        return score === null ? [] : [{ tokens, aliveMs, score }];
      }),
    });
  }
  return outcomes;
}

/** Of the program that was chosen: on held-out cases, or, where there were none, on those of the search. */
function finalCases(state: SessionState) {
  const chosen = candidateOf(state, state.final?.chosen ?? state.bestId);
  const final = chosen?.more.find(({ why }) => why === 'final');
  return {
    cases: (final?.evaluation ?? chosen?.note.evaluation)?.cases ?? [],
    isHeldOut: final !== undefined,
  };
}
