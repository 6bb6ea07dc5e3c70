/**
 * The bounds that keep work finite for any input. They are counted in characters, levels, digits and steps, never by a
 * clock, and are checked before the algebra library sees an expression; so a verdict is the same on every machine.
 */
export const limits = {
  /** Characters of a reply in which an answer is looked for: its end, where answers stand. */
  reply: 200_000,
  /** Boxes and markers that are looked at: the last ones. */
  signs: 200,
  /** Characters that are read behind one marker, and behind all of a reply together: where one follows another, claims overlap. */
  claim: 2_000,
  claims: 40_000,
  /** Characters of one answer; a longer one is compared as text. */
  answer: 8_000,
  depth: 64,
  tokens: 4_000,
  /** Digits of one number as written. */
  digits: 1_000,
  /** Digits of a number that arithmetic may produce. */
  resultDigits: 4_000,
  items: 256,
  /** Steps of parsing, canonical forms, evaluation and matching, for one comparison. */
  steps: 400_000,
  /** What the value of one node counts for: it takes longer than a step of parsing. */
  evaluation: 8,
  /** The largest number of terms of a sum or product that is written with ∑ or ∏ and is added up. */
  terms: 1_000,
  factorial: 1_000,
  /** What the algebra library may be given, and what each question to it counts for. */
  algebra: { nodes: 120, depth: 24, digits: 100, exponent: 64, factorial: 60, steps: 1_000 },
} as const;

/** Too much work, or too deep: the comparison ends with a verdict that says so. */
export class BoundReached extends Error {
  readonly bound: string;

  constructor(bound: string) {
    super(`The limit on ${bound} is reached.`);
    this.name = 'BoundReached';
    this.bound = bound;
  }
}

/** Counts down what one comparison may spend. */
export type Work = { left: number };

export function newWork(): Work {
  return { left: limits.steps };
}

export function spend(work: Work, steps = 1): void {
  work.left -= steps;
  if (work.left < 0) throw new BoundReached('steps');
}
