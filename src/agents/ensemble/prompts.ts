/**
 * What models are told by the ensemble and its strategies. Task-neutral: the problem's brief brings what is particular.
 * The words stand in `texts.json`, line by line.
 */
import { joinedLines, noAnswerPrompt } from '../kit/asking.ts';
import texts from './texts.json' with { type: 'json' };

const { ofAll, ofProgram, ofChain, ofReact, ofEnsemble } = texts.prompts;

export const chainPrompts = {
  ...joinedLines({ ...ofAll, ...ofChain }),
  noAnswer: noAnswerPrompt,
};
export const programPrompts = joinedLines({ ...ofAll, ...ofProgram });
export const reactPrompts = joinedLines({ ...ofAll, ...ofReact });
export const ensemblePrompts = {
  ...joinedLines(ofEnsemble),
  ...programPrompts,
  ...chainPrompts,
  ...reactPrompts,
};
