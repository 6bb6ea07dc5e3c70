/**
 * What an operator of the search is: one way to make a program from others. Each has a file here with its prompts; those
 * that are drawn by weight stand in `drawn.ts`.
 */
import type { Run } from '../../../core/agent.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import type { Draft, ProposerRole } from '../asking.ts';
import type { Island, Program } from '../population.ts';
import type { Hint, Search } from '../search.ts';

export type Operator = {
  readonly name: string;
  /** Its prompts by name; users export and replace them by these names. */
  readonly prompts: Readonly<Record<string, string>>;
  /**
   * Who is asked. `next`: proposers take turns. `maker`: the one that wrote the parent. `first`: the solver. `nobody`: no
   * model is asked.
   */
  readonly asks: 'next' | 'maker' | 'first' | 'nobody';
  propose(work: Work, plan: Plan): Promise<Proposal>;
};

/** One that is drawn by its weight, for a program that works. */
export type RandomOperator = Operator & {
  /** The default weight; the setting `operators` overrides it. 0: only if its user gives it one. */
  readonly weight: number;
  /** What a second program of the island is for: it is shown for ideas, or it becomes a second parent. */
  readonly partner: 'none' | 'shown' | 'parent';
  /** False if it can do nothing with this program. */
  readonly suits?: (search: Search, island: Island, parent: Program) => boolean;
};

/** What the next candidate is to be. */
export type Plan = {
  readonly operator: Operator;
  /** Null: an island's first program. */
  readonly parent: Program | null;
  readonly partner?: Program | null;
  /** The hint that the candidate is made for. */
  readonly hint?: Hint;
};

export type Work = {
  readonly search: Search;
  readonly island: Island;
  readonly run: Run;
  /** The id of the candidate. */
  readonly id: string;
  /** Notes what the line of work waits for. */
  readonly doing: (what: string) => void;
  readonly role: ProposerRole;
};

/** `isUnanswered`: the model failed or refused. */
export type Proposal = Draft & {
  readonly isUnanswered: boolean;
  /** What the candidate's note says about how it was made. */
  readonly parameters: CandidateNote['parameters'];
};

/** The parent of an operator that cannot work without one. */
export function parentOf({ operator, parent }: Plan): Program {
  if (!parent) throw new Error(`The operator ${operator.name} was planned without a parent.`);
  return parent;
}

/** How a change is to be written; prompts of several operators end with it. */
export const blockForm = `They refer to the base program as shown: the lines under SEARCH stand in it exactly so, and once.

<<<<<<< SEARCH
lines of the program
=======
what takes their place
>>>>>>> REPLACE`;
