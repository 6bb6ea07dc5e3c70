/** Questions to the ensemble: a program that is repaired, a reviewer who corrects, a vote that nobody wins. */
import { type Act, scripted } from '../../cli/contract.ts';

type Question = {
  readonly name: string;
  readonly question: string;
  readonly answer: string;
  readonly script: string;
};

const questions: readonly Question[] = [
  {
    name: 'Digits: a program is repaired, and wins',
    question: 'How many three-digit numbers have no digit 0 and digits that add up to 10?',
    answer: '36',
    script: 'qa-digits',
  },
  {
    name: 'Queue: a reviewer corrects an answer',
    question:
      'Twenty people stand in a queue. Ida is seventh from the front, Max is fifth from the back. How many people stand between them?',
    answer: '8',
    script: 'qa-queue',
  },
  {
    name: 'Rope: no answer wins, and it corrects itself',
    question:
      'A rope of 12 metres is cut in two. One piece is 2 metres longer than twice the other. How many metres long is the shorter piece?',
    answer: '10/3',
    script: 'qa-rope',
  },
];

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
