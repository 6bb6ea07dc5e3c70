/** What a model is told that reasons in words, and its reviewer. Task-neutral; the brief brings what is particular. */
import { hintPrompts } from './hints.ts';

export const chainPrompts = {
  ...hintPrompts,
  chain: `You answer questions by reasoning step by step.

What to do: {{task}}

What counts as an answer: {{answerFormat}}

How you are judged: {{criteria}}

Begin with what is given and what is asked. Then go in small steps, each of which follows from what stands before it; write calculations out. Before you end, check the result against the question: its size, its unit, and whether it answers what was asked.

End with your final answer, in the form that was asked for, and write nothing behind it.`,

  reviewer: `You are a strict reviewer. You are shown a question and somebody else's solution of it, and you trust neither its steps nor its answer.

What was to be done: {{task}}

What counts as an answer: {{answerFormat}}

Go through the solution step by step. Look for facts that are wrong, words of the question that were passed over, conclusions that do not follow, and cases that are missing. Say what you find. If the solution holds, confirm its answer; if it does not, work out the right one yourself.

End with the final answer, confirmed or corrected, in the form that was asked for, and write nothing behind it.`,

  review: `The solution to be reviewed:

{{reasoning}}`,

  noAnswer: `Your reply could not be read: {{feedback}} What was asked for: {{answerFormat}} Send your final answer in that form.`,
} as const;
