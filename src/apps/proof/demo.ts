/**
 * A small theorem: a solver overlooks a false lemma, a grader finds it, and the corrected proof passes five times. Then
 * the grader alone, on a wrong proof of the same.
 */
import { join } from 'node:path';
import { type Act, callsColumn, scripted } from '../../cli/contract.ts';
import { bundled } from '../../io/bundled.ts';

const folder = bundled('proofs');
const theorem = join(folder, 'odd-squares.md');

export const proof: Act = {
  name: 'proof',
  title: 'A solver and a grader work on a theorem, until its proof has passed five times in a row.',
  real: 'The loop, its counters and the journals are real.',
  cast: () => ({
    rows: [
      scripted({
        name: 'Two odd squares: a proof',
        family: 'proof',
        agent: 'verify-loop',
        problem: { file: theorem },
        script: 'proof-odd-squares',
      }),
      scripted({
        name: 'Two odd squares: a wrong proof is checked',
        family: 'proof',
        agent: 'proof-grader',
        problem: { file: theorem, proof: join(folder, 'odd-squares-wrong.md') },
        script: 'proof-check',
      }),
    ],
    leftOut: [],
  }),
  about: { head: 'agent', cell: ({ view }) => view.header?.agent.name ?? '' },
  facts: [callsColumn],
  next: ([solved, checked]) => [
    ...(solved
      ? [
          [
            `proof show ${solved.row.id}`,
            'the proof, every report on it, and the counters over time',
          ] as const,
          [`view --export proof.html ${solved.row.id}`, 'the same as a page that opens anywhere'] as const,
        ]
      : []),
    ...(checked ? [[`proof show ${checked.row.id}`, 'errors and gaps, with their lines'] as const] : []),
    ['proof solve --help', 'any problem of your own, with any model'],
  ],
};
