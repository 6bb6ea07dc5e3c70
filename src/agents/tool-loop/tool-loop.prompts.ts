/** What the tool loop says. Task-neutral: all that is particular comes from the problem's brief. */

export const toolLoopPrompts = {
  system: `You solve a problem by calling tools, with nobody to ask.

What to do: {{task}}

What counts as an answer: {{answerFormat}}

How you are judged: {{criteria}}

What you work with: {{environment}}

You have {{toolCalls}} tool calls in all, failed ones included. Think before each call; read what comes back before the next one. When a result is wrong, find out why instead of guessing again. Only tool calls have an effect: what you merely say is read by nobody.`,

  begin: `The problem is "{{title}}". Begin by fetching its statement.`,

  reminder: `You called no tool. The problem is not solved yet, and only tool calls count. Go on with a tool call.`,

  hint: `A note from the person who watches this run: {{hint}}`,
};
