/** What the search says to models, in the order in which it comes to each. */
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
  analyse: `Read the problem as somebody who will write the program. Reply with one JSON object of these fields and nothing else:

- "title": as the statement has it.
- "time_limit_ms", "memory_limit_mb": numbers; null where nothing is said.
- "problem_statement_summary": in at most ten sentences: what is given, what is chosen, what must hold, what is scored. Name every rule whose breach makes an output invalid.
- "constraints": for each symbol {"min", "max", "type", "description"}; a bound is a number, or an expression of symbols as a text: "N", "2*N-1".
- "input_format_description", "output_format_description": line by line, with indices from 0 or 1 as the statement has them.
- "input_variables", "output_variables": lists in the order in which they are read and written, each {"name", "type"}, with "count" where there are several (a number or an expression) and "object_schema" for records.
- "scoring_rules": {"description": how a case is scored, whether more or less is better, absolute or relative, what an invalid output costs; "formula_example": the formula}.
- "problem_type_tags": a few, in snake_case: what kind of optimisation this is (assignment, packing, routing, scheduling, partition, interactive, online …), on what (grid, graph, geometry, permutation …), and what decides it (local_moves_cheap, long_horizon, hidden_information, tiny_time_budget …).
- "extracted_keywords": words of the statement under which somebody would look for similar problems.

Where the statement says nothing of a field, say so in it; guess nothing.`,
  rejectedBefore: `This was made before:

{{before}}

The person for whom it is made rejects it, with these words, which go before the above:

{{reason}}`,
  analysisWrong: `That is not of the form that was asked for:

{{problems}}

Send the whole object again, corrected, and nothing else.`,

  devise: `What this problem is, field by field:

{{analysis}}

{{sources}}

Name {{count}} strategies for this problem. Each is followed by a separate line of search that knows nothing of the others, so they must differ in what the program does, not in its details: another state, another neighbourhood, another order in which decisions are made. Two annealers over the same solution are one strategy.{{known}}

For each:
- "name": short.
- "family": the algorithm at its heart, in one or two words: simulated annealing, beam search, greedy construction, hill climbing, dynamic programming, monte carlo, constraint propagation, flow or matching, decomposition …
- "idea": how it goes here: what a state is, what the moves or extensions are, how the score is updated in O(small), what is computed before the clock starts, what is done with the last tenth of the time. Somebody must be able to write the program from it.
- "reasons": why it should do well here: sizes, steps a second that the time limit allows, shape of the score; and what it would fail on.
- "library": names in the algorithm library that the program should include; none if none helps.
- "contests": ids of past contests whose approaches it borrows; none if none fits.

The strongest first. Reply with one JSON object {"strategies": [...]} and nothing else.`,
  strategySources: `Algorithm library (a program that says #include "NAME.hpp" gets the code put in):
{{library}}

Past contests like this one, and what did well in them:
{{contests}}`,
  strategyKnown: `

These are or were followed already; yours differ from them as much as from one another:
{{known}}`,
  strategiesAlike: `{{problems}}

Send the whole object again with {{count}} strategies that really differ, and nothing else.`,

  firstProgram: `What this problem is, field by field:

{{analysis}}

The strategy of this line of search, which you follow even if you would choose another: {{name}}

{{idea}}

{{reasons}}{{sources}}{{hints}}

A program that compiles here and prints something valid, to begin from (reading of the input, clock, output):

\`\`\`cpp
{{template}}
\`\`\`

Write the first program of this strategy, whole. It will be improved many times, so write it to be changed:
- It reads all of the input exactly as stated, and ALWAYS prints a valid output: build a simple valid answer first, keep the best one so far, print that at the end.
- One clock, started first thing in main, bounds everything; stop at 85 % of the time limit. Look at it once every few hundred steps, not at each one.
- The inner loop allocates nothing and copies no whole state: changes are applied, their difference of the score computed, and taken back.
- Every number that is a choice of yours is a named constant at the top, with the range that makes sense: \`const double START_TEMPERATURE = 100.0; // tune: 10..1000 log\`, \`const int BEAM_WIDTH = 50; // tune: int 5..500 log\`.
- Its own seeded generator of random numbers; no reading of files, no threads, nothing on standard error in loops.
- Plain and short: no code that the strategy does not need.

Reply with the program in one block of code, and above it one line that says what it does.`,
  librarySources: `

From the algorithm library; include what you use by its name, the code is put in:

{{entries}}`,
  contestSources: `

Past contests that the strategy borrows from:

{{entries}}`,
  userHints: `

The user of this search says:
{{hints}}`,
  noProgram: `{{feedback}} Send the whole program again, in one block of code.`,

  insights: `Programs for this problem are being evolved. Below is what was tried of late, and what came of it. Say what it shows: which kinds of changes helped, which did not, and why that may be. Then recommend what to try next, the most promising first.

{{standing}}

What was tried of late:
{{tried}}

{{before}}

Reply with one JSON object and nothing else: {"summary": "in at most five sentences", "recommendations": ["one sentence each, at most five"]}. Recommend nothing that was tried and came to nothing.`,

  listen: `Programs for an optimisation problem are being improved by a search. The person who watches it says, in any language:

{{words}}

Parameters of the best program: {{parameters}}.

What is it?
- "question": something is to be answered, and nothing done: weaknesses, reasons, what was tried.
- "range": a parameter is to be tried between two numbers. "parameter": its name, the one of the program where it is meant; "low", "high": the numbers.
- "reference": an algorithm or a past contest is to be learned from. "contests": ids such as ahc015; "algorithms": in English, as somebody would look them up: beam search. A request that is put as a question ("could the beam search of ahc015 help?") is this.
- "hint": anything else that the next programs should do or leave.

Reply with one JSON object {"kind", "parameter", "low", "high", "contests", "algorithms"}, with "", null or [] where nothing is said, and nothing else.`,

  directed: `The person who watches this search asks for this:

{{hint}}

{{more}}Make one change to the program that does it, carried out well. Where it cannot be done literally, do what comes closest to what is meant.`,

  directedRange: `Make {{name}} a named constant where it is none, with this mark behind it, so that its value is searched: // tune: {{low}}..{{high}}

`,

  directedSources: `What is referred to:

{{sources}}

`,

  question: `Programs for this problem are being evolved. The person who watches this asks you a question. Answer it from what is shown, in the language in which it is asked; say where you do not know. Do not write a whole program.

{{standing}}

The question: {{question}}`,

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
