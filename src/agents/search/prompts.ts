/** What the search says to models, but for analysis, strategies and first programs, whose words stand beside them. */
import { analysisPrompts } from './analysis.prompts.ts';
import { firstProgramPrompts } from './first-programs.prompts.ts';
import { insightsPrompts } from './insights.prompts.ts';
import { strategyPrompts } from './strategies.prompts.ts';
import { talkPrompts } from './talk/talk.prompts.ts';

const block = `<<<<<<< SEARCH
lines of the program
=======
what takes their place
>>>>>>> REPLACE`;

const changeForm = `Then give the change as one or more blocks of this form. The lines between SEARCH and ======= must stand in the program exactly as you write them, spaces included, and only once; those between ======= and REPLACE take their place. All blocks refer to the program as it is shown above.

${block}`;

const repairForm = `Then give the repair as blocks of this form, or, where much is wrong, the whole program in one fenced block of code. The lines between SEARCH and ======= must stand in the program exactly as you write them, and only once.

${block}`;

export const evolutionPrompts = {
  ...analysisPrompts,
  ...strategyPrompts,
  ...firstProgramPrompts,
  ...insightsPrompts,
  ...talkPrompts,
  opening: `You write programs for heuristic programming contests: optimisation problems without a known best answer, where a program is run on many cases and scored on each.

What is to be done: {{task}}

What you hand in: {{answerFormat}}

How it is judged: {{criteria}}

Where it runs: {{environment}}

Every case must be answered with a valid output within the time limit; a program that fails on one is worth nothing, however good it is on others. What you write is compiled and run at once, and you are told how it did.`,

  change: `Make the program better with one targeted change: one idea, the one from which you expect most, carried out well. Look first where it loses most. Do not rewrite what works.

Begin with one line that says what you do and why it should help:

IDEA: …

${changeForm}`,

  directedChange: `{{wording}}

Begin with one line that says what you do and why it should help:

IDEA: …

${changeForm}`,

  userChange: `{{wording}}

Begin with one line that says what you do and why it should help:

IDEA: …

${changeForm}`,

  rewrite: `Write a better program on this line of search, whole and from scratch. Keep what made the ones above good, and change what holds them back: the representation, the moves, the evaluation, how time is used.

Begin with one line that says what is new and why it should help:

IDEA: …

Then give the whole program in one fenced block of code.`,

  crossover: `Both programs solve the same problem. Say to yourself what each does better than the other, and write one program that has both: not two programs behind a switch.

Begin with one line that says what you took from which:

IDEA: …

Then give the whole program in one fenced block of code.`,

  userCrossover: `{{wording}}

Begin with one line that says what you took from which:

IDEA: …

Then give the whole program in one fenced block of code.`,

  simplify: `The program has grown. Write it again with less: drop what does not earn its place, join what is done twice, give names that say what things are. It must not become worse; where you see what slows it down, make it faster.

Begin with one line that says what you dropped:

IDEA: …

Then give the whole program in one fenced block of code.`,

  repairCompile: `This program does not compile:

{{program}}

What the compiler says:

{{message}}

It was to be: {{summary}}

Repair it, and keep its idea. Begin with one line that says what was wrong:

IDEA: …

${repairForm}`,

  repairCases: `This program compiles, and fails:

{{program}}

Where it failed:

{{cases}}

It was to be: {{summary}}

Find the cause and repair it, and keep its idea. Begin with one line that says what was wrong:

IDEA: …

${repairForm}`,

  mismatch: `Your change could not be applied, and nothing was changed.

{{trouble}}

Send all blocks of the change again, with SEARCH parts that stand in the program exactly and once.`,

  wholeInstead: `That could not be used either.

{{trouble}}

Give the whole program with your change in it instead, in one fenced block of code.`,
} as const;
