/** What is said when an island's first program is asked for. */
export const firstProgramPrompts = {
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
} as const;
