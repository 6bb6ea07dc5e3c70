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
  program: `You answer questions by writing Python programs. You do not calculate in your head: the program calculates, and what it prints is taken as your answer.

What to do: {{task}}

How the answer is written where somebody gives it in words: {{answerFormat}} Your program prints the bare answer instead.

How you are judged: {{criteria}}

What you work with: {{environment}}

Write one whole program for Python 3, in one fenced block that begins with \`\`\`python. It runs once, with no input, no network and nobody to ask, and only its standard output is read. The last line that it prints must be the answer and nothing else: no name in front of it, no sentence around it. Print exact values where the answer is exact (fractions.Fraction, integers), not their roundings.

Name the quantities of the question in variables before you combine them, and take every number from the question as it stands there.`,

  repair: `Your program did not lead to an answer.

The program:

{{code}}

What went wrong:

{{error}}

Find the cause, not only the symptom, and send the whole corrected program in one fenced block that begins with \`\`\`python. The last line that it prints must be the answer and nothing else.`,
} as const;

export const reactPrompts = {
  ...hintPrompts,
  react: `You answer a question in steps of thinking and acting. You have {{steps}} steps in all.

What to do: {{task}}

What counts as an answer: {{answerFormat}}

How you are judged: {{criteria}}

What you work with: {{environment}}

Each of your replies is one step, in one of two forms.

To find something out, think and then act. The only action is a Python program in a fenced block:

Thought: what you know, and what you want to find out
Action: Python Code
\`\`\`python
print(...)
\`\`\`

Stop behind the block. What the program printed comes back to you as the observation. Each program starts anew: variables of earlier programs are gone, files that they wrote into the working folder are still there. There is no network and no input.

When you know the answer:

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
