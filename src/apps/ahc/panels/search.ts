/** What all panels of a search are made of: its state, and its candidates with their scores and places in the journal. */
import type { Event, Header } from '../../../core/event.ts';
import { contestInfo } from '../../../families/ahc/problem/facts.ts';
import type { Table } from '../../../notes/panel.ts';
import { type Counting, foldMilestones, isMoreBetter, scoresOf } from '../session/course.ts';
import { candidateOf, type SessionState } from '../session/fold.ts';

export type Search = {
  readonly counting: Counting;
  readonly state: SessionState;
  /** In the order in which they were settled. */
  readonly tried: ReturnType<typeof triedIn>;
  readonly byId: ReadonlyMap<string, Tried>;
  /** The final choice, or the best so far. */
  readonly best: Tried | null;
};

export type Tried = ReturnType<typeof triedIn>[number];

/** Null where nothing was tried. */
export function searchOf(events: readonly Event[], problem: Header['problem']): Search | null {
  const { direction, scoring } =
    typeof problem.detail.facts === 'string'
      ? contestInfo(problem).contest
      : ({ direction: 'maximise', scoring: 'absolute' } as const);
  const counting = { direction, scoring };
  const { state, milestones } = foldMilestones(events);
  if (state.candidates.length === 0 && state.setting === null) return null;
  const attempt = triedIn({ state, milestones }, counting);
  const byId = new Map(attempt.map((each) => [each.id, each]));
  return { counting, state, tried: attempt, byId, best: byId.get(state.bestId ?? '') ?? null };
}

type Folded = ReturnType<typeof foldMilestones>;

function triedIn({ state, milestones }: Folded, counting: Counting) {
  const scoreOf = scoresOf(state, counting);
  return milestones.flatMap((milestone) => {
    const note = candidateOf(state, milestone.id)?.note;
    if (!note) return [];
    const band = note.island === 0 ? 'no island' : `island ${note.island}`;
    return [{ ...milestone, note, band, score: scoreOf(milestone.id) }];
  });
}

/** The best first. */
export function byScore({ counting }: Search): (a: Tried, b: Tried) => number {
  const sign = isMoreBetter(counting) ? 1 : -1;
  return (a, b) => sign * ((b.score ?? 0) - (a.score ?? 0));
}

/** By their names, `island 2` before `island 10`. */
export function byBand(attempt: readonly Tried[]): readonly (readonly [string, readonly Tried[]])[] {
  const order = new Intl.Collator('en', { numeric: true });
  return [...Map.groupBy(attempt, ({ band }) => band)].toSorted(([a], [b]) => order.compare(a, b));
}

/** `5,183`, `5,183.25`, `0.0312` */
export function scoreText(score: number | null): string {
  if (score === null) return '–';
  return (Math.abs(score) >= 1000 ? large : small).format(score);
}

// Made once: ten thousand cells are written.
const large = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const small = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

export const percent = (part: number): string => `${Number((100 * part).toPrecision(2))} %`;

/** Columns of words, then those of numbers; null without rows. */
export function tableOf(
  title: string,
  [words, numbers]: readonly [readonly string[], readonly string[]],
  rows: Table['rows'],
): Table | null {
  const columns = [...words.map((each) => ({ title: each })), ...numbers.map(numeric)];
  return rows.length === 0 ? null : { kind: 'table', title, columns, rows };
}

const numeric = (title: string) => ({ title, isNumber: true });
