/**
 * What the agents for proofs say: rigor above all, honesty about what is not proven, graders who judge and do not
 * solve. Task-neutral but for being about proofs; the problem stands in a turn of its own. The words stand in
 * `prompts.json`, line by line; those that begin with `strict` are for `judging: strict`.
 */
import words from './prompts.json' with { type: 'json' };

type Name = keyof typeof words;

const named = (...names: readonly Name[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, words[name].join('\n')]));

const ofGraders: Name[] = [
  'grader',
  'strictGrader',
  'grade',
  'rebuttal',
  'rubric',
  'ownScale',
  'rubricScale',
  'rubricParts',
];
const ofLoop: Name[] = [
  'solver',
  'strictSolver',
  'improve',
  'strictImprove',
  'verdict',
  'strictVerdict',
  'verdictAgain',
  'points',
  'strictPoints',
  'correct',
  'strictCorrect',
  'merge',
  'confessed',
  'section',
  'hint',
  'openGaps',
  'reviewer',
  'reviewReport',
  'comparer',
  'compare',
];
const ofLists: Name[] = ['list', 'strictList', 'listVerdict', 'strictListVerdict', 'listPoints', 'listAgain'];

export const verifyLoopPrompts = named(...ofGraders, ...ofLoop);
export const proofGraderPrompts = named(...ofGraders, ...ofLists);
