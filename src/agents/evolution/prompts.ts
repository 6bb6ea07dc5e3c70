/** All that the search says to models; each part's words beside it. */
export const evolutionPrompts = {
  opening: `You write programs for heuristic programming contests: optimisation problems without a known best answer, where a program is run on many cases and scored on each.

What is to be done: {{task}}

What you hand in: {{answerFormat}}

How it is judged: {{criteria}}

Where it runs: {{environment}}

Every case must be answered with a valid output within the time limit; a program that fails on one is worth nothing, however good it is on others. What you write is compiled and run at once, and you are told how it did.`,
} as const;
