/**
 * What the agents for proofs say: rigor above all, honesty about what is not proven, graders who judge and do not
 * solve. Task-neutral but for being about proofs; the problem stands in a turn of its own. The words stand in
 * `prompts.json`, line by line; those that begin with `strict` are for `judging: strict`.
 */
import { joinedLines } from '../kit/asking.ts';
import words from './prompts.json' with { type: 'json' };

const { ofGraders, ofLoop, ofLists } = words;

export const verifyLoopPrompts = joinedLines({ ...ofGraders, ...ofLoop });
export const proofGraderPrompts = joinedLines({ ...ofGraders, ...ofLists });
