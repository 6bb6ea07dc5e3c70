/** Questions to the ensemble: a program that is repaired, a reviewer who corrects, a vote without a winner. */
import { type Act, scripted } from '../../cli/contract.ts';
import questions from './demo.json' with { type: 'json' };

type Question = (typeof questions)[number];

export const ensemble: Act = {
  name: 'ensemble',
  title: 'An ensemble answers questions: it plans, asks several strategies, votes and corrects itself.',
  real: 'The programs (in the sandbox), the comparison of answers as mathematics, the vote and the journals are real.',
  cast({ toolchains }) {
    const hasPython = toolchains.some(({ language }) => language === 'python');
    // The ensemble may ask for a program at any question, and says so before it begins.
    return hasPython ? { rows: questions.map(rowOf), leftOut: [] } : { rows: [], leftOut: ['python'] };
  },
  about: { head: 'question', cell: ({ view }) => nameOf(view.header?.problem.reference.question) },
  facts: [
    { head: 'answer', cell: ({ view }) => textOf(view.end?.solution?.answer) },
    { head: 'calls', cell: ({ view }) => view.totals.modelCalls },
    { head: 'programs', cell: ({ view }) => view.totals.programs },
  ],
  next: () => [
    ['qa ask "What is the sum of the primes below 100?" --model MODEL', 'a question of your own'],
    [
      'qa ask "How many primes are below 1000?" --agent tool-loop --model MODEL',
      'a model that runs programs before it answers',
    ],
    ['qa run FILE.jsonl --model MODEL', 'a whole data set, with accuracy and what the vote is worth'],
  ],
};

function rowOf({ name, question, answer, script }: Question) {
  return scripted({ name, family: 'qa', problem: { question, answer }, agent: 'ensemble', script });
}

/** The first word of its name: the table is to fit into 100 columns. */
function nameOf(question: unknown): string {
  return (questions.find((each) => each.question === question)?.name ?? '').replace(/:.*/, '');
}

function textOf(answer: { readonly type: string; readonly text?: string } | undefined): string {
  return answer?.type === 'text' ? (answer.text ?? '') : '–';
}
