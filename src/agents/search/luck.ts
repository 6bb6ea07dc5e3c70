/**
 * Who leads has, among so many, also been lucky with the cases of the search. So leaders are run on fresh cases, all of
 * them on the same, and what each did there against the others is held against what it did before: the difference is its
 * luck, and is taken off its standing, the more so the more fresh cases there were.
 */
import type { CaseOutcome } from '../../core/program.ts';
import type { Points, Rules } from './points.ts';

type Runner = { readonly id: string; readonly outcomes: readonly CaseOutcome[] };

/** One round: what each leader did before, and what it did on fresh cases. */
type Round = ReadonlyMap<
  string,
  { readonly before: readonly CaseOutcome[]; readonly fresh: readonly CaseOutcome[] }
>;

export class Luck {
  /** Of those that took part, their rounds: most programs have none, and are asked about after each new one. */
  readonly #rounds = new Map<string, Round[]>();
  #begun = 0;

  /** The number of a new round, from 0: each takes cases of its own, rounds at once included. */
  begin(): number {
    this.#begun += 1;
    return this.#begun - 1;
  }

  /** Leaders, with what each did on the same fresh cases. */
  add(leaders: readonly { readonly leader: Runner; readonly fresh: readonly CaseOutcome[] }[]): void {
    const round: Round = new Map(
      leaders.map(({ leader, fresh }) => [leader.id, { before: leader.outcomes, fresh }]),
    );
    for (const id of round.keys()) this.#rounds.set(id, [...(this.#rounds.get(id) ?? []), round]);
  }

  /** In points; more is luckier. Infinite for what fails on a fresh case where that makes it worthless. */
  of({ id, outcomes }: Runner, points: Points, rules: Rules): number {
    let [excess, freshCases] = [0, 0];
    for (const round of this.#rounds.get(id) ?? []) {
      const own = round.get(id);
      if (!own) continue;
      const found = excessIn(round, own, points, rules);
      if (found === null) return Number.POSITIVE_INFINITY;
      excess += found * own.fresh.length;
      freshCases += own.fresh.length;
    }
    return freshCases === 0 ? 0 : excess / (freshCases + outcomes.length);
  }
}

type Own = { readonly before: readonly CaseOutcome[]; readonly fresh: readonly CaseOutcome[] };

/** By how much it was further above the others before than on the fresh cases; null where it failed there. */
function excessIn(round: Round, own: Own, points: Points, rules: Rules): number | null {
  const fresh = points.meanOf(own.fresh, rules);
  if (fresh === null) return null;
  const all = [...round.values()].flatMap((each) => {
    const [was, is] = [points.meanOf(each.before, rules), points.meanOf(each.fresh, rules)];
    return was === null || is === null ? [] : [{ was, is }];
  });
  const mean = (pick: (each: { was: number; is: number }) => number) =>
    all.reduce((sum, each) => sum + pick(each), 0) / Math.max(1, all.length);
  const before = points.meanOf(own.before, rules);
  return before === null ? null : before - mean(({ was }) => was) - (fresh - mean(({ is }) => is));
}
