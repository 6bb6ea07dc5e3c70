/** Questions with one answer, and the comparison of answers: what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import { commandTable, looks, runs } from '../../cli/commands.ts';
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'qa',
  families: ['qa'],
  groups: {
    qa: 'questions with one answer: ask one, run a data set, score',
    answers: 'find answers in replies, and compare them as mathematics',
  },
  commands: commandTable(
    {
      'qa ask': 'one question to an agent: its answer, and how it came about',
      'qa run': 'the questions of a data set (GSM8K, MATH-500, any JSONL or CSV), and the score',
      'qa score': 'the score of run-sets or of answers from elsewhere; several are compared',
      'answers equal': 'whether an answer is what the gold answer asks for, and why',
      'answers check': 'hold the comparison against a file of cases',
      'answers extract': 'find the answer in a reply',
    },
    {
      'qa ask': runs(async () => (await import('./commands/ask.ts')).qaAsk),
      'qa run': runs(async () => (await import('./commands/run.ts')).qaRun),
      'qa score': looks(async () => (await import('./commands/score.ts')).qaScore),
      'answers equal': looks(async () => (await import('./commands/answers.ts')).answersEqual),
      'answers check': looks(async () => (await import('./commands/answers.ts')).answersCheck),
      'answers extract': looks(async () => (await import('./commands/answers.ts')).answersExtract),
    },
  ),
  hooks: async () => (await import('./hooks.ts')).hooks,
  demo: { acts: ['ensemble'], load: async () => [(await import('./demo.ts')).ensemble] },
};
