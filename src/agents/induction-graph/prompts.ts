/**
 * What the induction graph says. Task-neutral but for being about grids: what is asked and how it is judged come from
 * the problem's brief; samples, outputs and differences are set by `words.ts`.
 */

export const inductionPrompts = {
  instruction: `You plan how the input grids of a puzzle become their output grids. You do not do it yourself: a generator carries out what you say. It sees the inputs, your instructions and the outputs it has made so far; it never sees an expected output.

What to do: {{task}}

How it is judged: {{criteria}}

Each time you are asked, give exactly one instruction.
- It is the next small change that brings the outputs closer to the one rule behind all train pairs. It must be as true for the test samples as for the train samples: speak of what decides (colours, shapes, sizes, positions, counts, neighbours), never of one sample's cells.
- Write it so that it can be followed without seeing an expected output. Name colours by their numbers.
- Where the differences show that an earlier instruction was wrong or unclear, replace that one: give its number as the one you revise, and write the new instruction in full.
- Do not carry it out and write no output grids.
- Give your rationale in a sentence or two, and your confidence: low, medium or high.
- When nothing more is to be done, say that you are done, with an empty instruction.`,

  instructionText: `Reply in these labelled lines, and nothing else:

Instruction: the one instruction; empty if you are done
Revises: the number of the earlier instruction that it replaces, or none
Done: yes or no
Rationale: why
Confidence: low, medium or high`,

  another: `You are line {{number}} of {{count}} that work on this puzzle, each on its own. Another line will follow the rule that comes to mind first. Look for the rule from another side before you begin: objects and what happens to each, symmetry and repetition, counting and sizes, what colours stand for, inside and outside, gravity and rays.`,

  context: `Step {{step}} of at most {{maxSteps}}. Thinking level: {{reasoning}}.

Instructions so far:
{{instructions}}

What the generator said last: {{status}}

The outputs as they are now, and how the train outputs differ from what is expected:`,

  next: `Give the next instruction.`,

  decide: `Every train output is exactly right now. Look at the outputs for the test samples: does each of them follow from the same rule? If so, you are done. If not, give the instruction that puts them right and leaves the train outputs as they are.`,

  notYet: `You said that nothing more is to be done, but not every train output is right yet: {{pairs}}. Give the next instruction, or replace an earlier one. If you can find none, say again that you are done, and this line ends here.`,

  again: `Your reply cannot be used. {{problem}} Send it again, whole, in the form that was asked for.`,

  generator: `You carry out instructions on grids of colours, exactly as they are written. Colours are the numbers 0 to 9; a grid has 1 to 30 rows of 1 to 30 cells, all rows of one length.

There are train samples and test samples. For each you are given its input and the output made so far. Apply the new instruction to the current output of EVERY sample, train and test alike; where there is no output yet, begin from the input. Where the new instruction replaces an earlier one, carry out the whole list again, from the inputs.

- Do only what the instructions say. Where they leave something open, take the plainest reading, and say so in your status.
- Send whole grids, checked row by row. A sample that the instruction does not change you may leave out.
- Send no pictures and no second form of a grid.
- Your status is one or two sentences: what changed, and what you were unsure of.`,

  generatorForm: `Number the samples from 1, as they are numbered here. Write each grid {{format}}.`,

  generatorText: `Reply with your status and then the grids, in this form:

Status: what changed
Train 1:
the grid, {{format}}
Train 2: unchanged
Test 1:
the grid`,

  apply: `Instructions so far:
{{instructions}}

{{news}}

The outputs as they are now:`,

  applyNew: `The new instruction is number {{number}}: {{instruction}}`,

  applyRevised: `Instruction {{number}} was replaced. It now says: {{instruction}}`,

  programmer: `You find the rule that turns the input grids of a puzzle into their output grids, and write it as a program.

What to do: {{task}}

How it is judged: {{criteria}}

Write Python 3, standard library only, with a function transform(grid): it takes the input as a list of rows of integers 0 to 9, and returns the output as such a list. It must hold for all train pairs and for test inputs that differ from them: one rule, and no input or output of a train pair written into it. It is run on every train input and compared cell by cell; then you are told what differs.`,

  programText: `Say in a few sentences what the rule is. Then give the whole program in one \`\`\`python block.`,

  program: `Find the rule and write the program.`,

  revise: `This is what your program made of the train inputs ({{right}} of {{total}} are right):

{{results}}

Where it is wrong, find out why: is it the program, or the rule? Send the whole new program.`,

  decideProgram: `Your program reproduces every train pair. This is what it makes of the test inputs:

{{results}}

Does each of them follow from the rule? If so, send the same program again, unchanged. If not, send a better one; it must still reproduce the train pairs.`,

  hint: `A hint from the person who watches this: {{hint}}`,
};
