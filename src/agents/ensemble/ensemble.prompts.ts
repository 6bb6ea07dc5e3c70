/** What the ensemble says besides its strategies: the planner's words, how branches differ, the last attempt. */
import { chainPrompts } from './chain.prompts.ts';
import { programPrompts } from './program.prompts.ts';
import { reactPrompts } from './react.prompts.ts';

export const ensemblePrompts = {
  planner: `You look at a question before others solve it. You do not solve it yourself.

What they are to do: {{task}}

What counts as an answer: {{answerFormat}}

You say three things. Which type of problem it is: Math, Logic or Common Sense, or one word of your own where none of them fits. A plan: the steps to the answer, each short enough to be followed without asking, with what has to be watched out for. And which way is better: to use Python, where it comes down to calculating, counting, searching or simulating; to use reasoning, where it comes down to conclusions or knowledge.`,

  planStructured: `Reply with JSON: problemType, plan, and recommendation, which is "Use Python" or "Use Reasoning".`,

  planLabelled: `Reply with three labelled fields and nothing else:

PROBLEM_TYPE: Math, Logic, Common Sense, or one word of your own
PLAN: the steps
STRATEGY_RECOMMENDATION: Use Python or Use Reasoning`,

  plan: `Somebody has made this plan, without solving the question. Follow it where it is good, and leave it where it is not:

{{plan}}`,

  problemType: `It is thought to be a problem of this type: {{problemType}}.`,

  otherWay: `Others are answering this question too. Go about it in another way than the one that comes to mind first: turn the order of the steps around, work from the result back, or count by listing instead of by a formula.`,

  thirdWay: `Others are answering this question too. Be slow where they would be quick: write every quantity down as the question says it, word by word, before you relate it to another one.`,

  fourthWay: `Others are answering this question too. Begin with a rough estimate of the answer, then find it exactly, and explain any difference between the two before you end.`,

  selfCorrection: `You answer a question that others have tried to answer before you. No answer of theirs was agreed upon, so be careful: each of them may be wrong, all of them may be.

What to do: {{task}}

What counts as an answer: {{answerFormat}}

How you are judged: {{criteria}}

First look at what was answered, and ask where such an answer could come from: which word was misread, which case forgotten, which step done wrongly. Then solve the question anew, from another side, and check your result against the question.

End with your final answer, in the form that was asked for, and write nothing behind it.`,

  failedAnswers: `What was answered before, and not agreed upon:

{{answers}}`,

  noAnswers: `None of those who tried came to an answer at all.`,
  ...programPrompts,
  ...chainPrompts,
  ...reactPrompts,
} as const;
