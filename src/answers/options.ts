/** What may be chosen of a comparison, and what holds unless something else is chosen. */
import { UserError } from '../core/errors.ts';

/** `number`: 10% is 10. `fraction`: 10% is 0.1. `either`: it is as good as both, for a gold answer alone. */
export const percentProfiles = ['number', 'fraction', 'either'] as const;
export type PercentProfile = (typeof percentProfiles)[number];

export type EqualOptions = {
  /** Decimals that a rounded number must have at least, and to which it is compared with an exact one. */
  readonly precision?: number;
  /** Names of variables matter, and a set is no tuple. */
  readonly strict?: boolean;
  /** A gold answer that is a set accepts an inequality too; the other way round is always accepted. */
  readonly allowSetRelation?: boolean;
  readonly percent?: PercentProfile;
  /** The seed of the points at which expressions are compared numerically. */
  readonly seed?: number;
};

export type ResolvedOptions = Required<EqualOptions>;

const usual: ResolvedOptions = {
  precision: 6,
  strict: true,
  allowSetRelation: false,
  percent: 'number',
  seed: 20_26,
};

export function resolveOptions(options: EqualOptions = {}): ResolvedOptions {
  const all = { ...usual, ...definedIn(options) };
  if (!Number.isInteger(all.precision) || all.precision < 0 || all.precision > 100) {
    throw new UserError({
      code: 'precision-invalid',
      what: `A precision of ${all.precision} decimals is none.`,
      fix: 'Give a whole number from 0 to 100.',
    });
  }
  if (!percentProfiles.includes(all.percent)) {
    throw new UserError({
      code: 'no-such-profile',
      what: `There is no percent profile ${all.percent}.`,
      fix: `There are: ${percentProfiles.join(', ')}.`,
    });
  }
  return all;
}

function definedIn(options: EqualOptions): Partial<ResolvedOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

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
