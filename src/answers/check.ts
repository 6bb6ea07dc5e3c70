/** Holds the relation against cases that say what is equal: how often it agrees, and where it does not. */
import type { Answers } from './answers.ts';
import { extract } from './extraction/extract.ts';
import type { ProfileName } from './extraction/profiles.ts';
import type { EqualOptions } from './options.ts';

export type Case = {
  readonly gold: string;
  readonly answer: string;
  readonly equal: boolean;
  /** Null: both are answers already. */
  readonly profile: ProfileName | null;
  readonly options: EqualOptions;
};

export type WrongJudgement = { readonly case: Case; readonly at: number; readonly reason: string };

export type Checked = {
  readonly cases: number;
  readonly right: number;
  /** Called equal, and they are not: a wrong answer would count as right. */
  readonly falseEquals: readonly WrongJudgement[];
  readonly falseDifferences: readonly WrongJudgement[];
};

export function checkCases(cases: readonly Case[], answers: Pick<Answers, 'equal'>): Checked {
  const falseEquals: WrongJudgement[] = [];
  const falseDifferences: WrongJudgement[] = [];
  for (const [at, each] of cases.entries()) {
    const { equal, reason } = verdictOn(each, answers);
    if (equal === each.equal) continue;
    (equal ? falseEquals : falseDifferences).push({ case: each, at, reason });
  }
  const right = cases.length - falseEquals.length - falseDifferences.length;
  return { cases: cases.length, right, falseEquals, falseDifferences };
}

function verdictOn({ gold, answer, profile, options }: Case, answers: Pick<Answers, 'equal'>) {
  const [a, b] = [gold, answer].map((text) => (profile === null ? text : extract(text, { profile }).answer));
  if (!a || !b) return { equal: false, reason: `no answer was found in the ${a ? 'reply' : 'gold answer'}` };
  const { equal, rule, reason, gold: left, answer: right } = answers.equal(a, b, options);
  return { equal, reason: `${rule}: ${reason} (${left} and ${right})` };
}
