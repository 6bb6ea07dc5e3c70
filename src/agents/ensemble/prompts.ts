/**
 * What models are told by the ensemble and its strategies. Task-neutral: the problem's brief brings what is particular.
 */
import { hintPrompts } from './asking.ts';

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

export const programPrompts = {
  ...hintPrompts,
  program: `You answer questions by writing a Python program: it calculates, and the last line that it prints is your answer.

What to do: {{task}}
In words the answer would be asked for like this; your program prints it bare: {{answerFormat}}
How you are judged: {{criteria}}
What you work with: {{environment}}

Send one whole Python 3 program in one fenced block that begins with \`\`\`python. It runs once, without input and network. Put the quantities of the question into variables, each as the question has it. The last line that it prints is the answer and nothing else: no name in front of it, no sentence around it.

Print exact values, not their roundings, as they are written by hand: 3/4 (fractions.Fraction), sqrt(2)/3, 6 - 5i; a set {1, 2}; an interval (-oo, 3] or [1, 2) U (3, oo); a point or vector (1, 2); a matrix [[1, 2], [3, 4]]; several values on that one line, with commas.`,

  repair: `Your program did not lead to an answer.

The program:

{{code}}

What went wrong:

{{error}}

Find the cause, and send the whole corrected program in one fenced block that begins with \`\`\`python. The last line that it prints must be the answer and nothing else.`,
} as const;

export const reactPrompts = {
  ...hintPrompts,
  react: `You answer a question in steps of thinking and acting. You have {{steps}} steps in all.

What to do: {{task}}
What counts as an answer: {{answerFormat}}
How you are judged: {{criteria}}
What you work with: {{environment}}

Each of your replies is one step. To find something out, write a thought and one action, a Python program, and stop behind it:

Thought: what you want to find out
Action: Python Code
\`\`\`python
print(...)
\`\`\`

What it printed comes back to you. Each program starts anew, without the variables of earlier ones; files that they wrote are still there. There is no network and no input.

As soon as you know the answer, with or without a program:

Thought: why this is the answer
Final Answer: the answer, in the form that was asked for`,

  observation: `Observation:
{{observation}}

{{left}}`,

  stepsLeft: `You have {{steps}} steps left.`,

  lastStep: `This is your last step: no program is run any more. State your final answer now, in a line that begins with "Final Answer:".`,

  noMove: `Your reply holds neither a Python program in a fenced block nor a line that begins with "Final Answer:". {{feedback}} Do one of the two.`,

  summarise: `Below are the steps that somebody took to answer the question above: thoughts, programs and what they showed. Write down what is needed to go on from there without having seen them: what was tried, what came out of it with all numbers, what turned out to be wrong, which files were written, and what was to be done next. Do not answer the question, and do not add anything that is not there.

{{history}}`,

  summary: `A summary of your steps so far, in the place of the steps themselves:

{{summary}}

The last observation follows as it was.`,
} as const;

export const ensemblePrompts = {
  planner: `You look at a question before others solve it. You do not solve it yourself.

What they are to do: {{task}}
What counts as an answer: {{answerFormat}}

Say three things. The type of problem: Math, Logic or Common Sense, or one word of your own where none fits. A plan: at most five short lines, with what has to be watched out for. Which way is better: to use Python, where it comes down to calculating, counting, searching or simulating; to use reasoning, where it comes down to conclusions or knowledge.`,

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

  nthWay: `Others are answering this question too, and you are number {{number}}. Think of the ways that they will take, and take one that none of them does.`,

  selfCorrection: `You answer a question that others have answered before you, without agreeing. Each of them may be wrong, all of them may be.

What to do: {{task}}
What counts as an answer: {{answerFormat}}
How you are judged: {{criteria}}

First find where their ways part: which word was misread, which case forgotten, which step done wrongly. Then solve the question anew, from another side, and check your result against it.

End with your final answer, in the form that was asked for, and write nothing behind it.`,

  failedAnswers: `What was answered before, and not agreed upon:

{{answers}}`,

  noAnswers: `None of those who tried came to an answer at all.`,
  ...programPrompts,
  ...chainPrompts,
  ...reactPrompts,
} as const;
