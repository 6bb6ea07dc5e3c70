/** What a comparison found, and why. */

export type Basis =
  /** Proved by form, arithmetic or algebra. */
  | 'exact'
  /** Seen at seeded points, or to as many decimals as are compared. */
  | 'numeric';

/** What one rule says of two answers; its words are for people. */
export type Judgement = {
  readonly equal: boolean;
  /** The rule that decided. */
  readonly rule: string;
  readonly basis: Basis;
  readonly reason: string;
};

/** A judgement with the normal forms that were compared. */
export type Verdict = Judgement & { readonly gold: string; readonly answer: string };

export function same(rule: string, reason = '', basis: Basis = 'exact'): Judgement {
  return { equal: true, rule, basis, reason };
}

export function different(rule: string, reason: string, basis: Basis = 'exact'): Judgement {
  return { equal: false, rule, basis, reason };
}
