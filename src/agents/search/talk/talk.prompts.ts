/** What is said to models because its user said something. */
export const talkPrompts = {
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
} as const;
