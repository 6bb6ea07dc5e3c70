/** Tasks of grids of our own making: a rule found in words and corrected step by step, and one found as a program. */
import { type Act, callsColumn, scripted } from '../../cli/contract.ts';
import { bundled } from '../../io/bundled.ts';

const file = bundled('arc', 'polya_challenges.json');

export const arc: Act = {
  name: 'arc',
  title: 'An agent finds the rules behind tasks of grids, in words and as a program.',
  real: 'The graph, the verifier, the sandbox and the journals are real.',
  cast({ toolchains }) {
    const hasPython = toolchains.some(({ language }) => language === 'python');
    return {
      rows: [row('mirror', 'steps'), ...(hasPython ? [row('fall', 'programs')] : [])],
      leftOut: hasPython ? [] : ['python (a rule as a program)'],
    };
  },
  about: { head: 'task', cell: ({ view }) => (view.header?.problem.id ?? '').replace(/^arc\//, '') },
  facts: [callsColumn],
  next: ([first]) => [
    ...(first
      ? [[`runs show ${first.row.id}`, 'its steps: instruction, outputs, what differed'] as const]
      : []),
    [
      `arc run --task-file ${file} --task-ids mirror --model scripted/arc-mirror`,
      'the same task with a log and pictures of every step, in outputs/',
    ],
    [
      `run --family arc --problem file=${file} --problem task=mirror --agent best-of-n --model MODEL`,
      'the best of several programs for a task',
    ],
  ],
};

function row(task: string, representation: 'steps' | 'programs') {
  return scripted({
    name: `The task ${task}, ${representation === 'steps' ? 'in words' : 'as a program'}`,
    family: 'arc',
    problem: { file, task },
    agent: 'induction-graph',
    settings: { representation, hypotheses: 1 },
    script: `arc-${task}`,
  });
}
