/** Questions with one answer, and the comparison of answers: what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'qa',
  families: ['qa'],
  groups: {
    qa: 'questions with one answer: ask one, run a data set, score',
    answers: 'find answers in replies, and compare them as mathematics',
  },
  commands: [
    {
      path: 'qa ask',
      about: 'one question to an agent: its answer, and how it came about',
      load: async () => (await import('./commands/ask.ts')).qaAsk,
    },
    {
      path: 'qa run',
      about: 'the questions of a data set (GSM8K, MATH-500, any JSONL or CSV), and the score',
      load: async () => (await import('./commands/run.ts')).qaRun,
    },
    {
      path: 'qa score',
      about: 'the score of run-sets or of answers from elsewhere; several are compared',
      load: async () => (await import('./commands/score.ts')).qaScore,
    },
    {
      path: 'answers equal',
      about: 'whether an answer is what the gold answer asks for, and why',
      load: async () => (await import('./commands/answers.ts')).answersEqual,
    },
    {
      path: 'answers check',
      about: 'hold the comparison against a file of cases',
      load: async () => (await import('./commands/answers.ts')).answersCheck,
    },
    {
      path: 'answers extract',
      about: 'find the answer in a reply',
      load: async () => (await import('./commands/answers.ts')).answersExtract,
    },
  ],
  demo: { acts: ['ensemble'], load: async () => [(await import('./demo.ts')).ensemble] },
};
