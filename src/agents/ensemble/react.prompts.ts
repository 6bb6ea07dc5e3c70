/** What a model is told that thinks and acts in turns, and what its history is shortened with. Task-neutral. */
import { hintPrompts } from './hints.ts';

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
