/** What the strategist is told. */
export const strategyPrompts = {
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
} as const;
