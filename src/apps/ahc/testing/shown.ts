/** An evaluation while it runs: its table grows on standard output, what programs wrote goes where it is wanted. */

import { Screen } from '../../../cli/screen.ts';
import type { DoneCase, Evaluation, Prepared } from '../../../families/ahc/evaluation.ts';
import type { Found } from '../candidate.ts';
import { contestText } from '../words.ts';
import { CaseRows } from './case-rows.ts';
import type { TestJob } from './job.ts';
import type { TestOutputs } from './outputs.ts';

export async function evaluateShown(
  job: TestJob,
  {
    candidate,
    prepared,
    outputs,
  }: { readonly candidate: Found; readonly prepared: Prepared; readonly outputs: TestOutputs | null },
  signal: AbortSignal,
): Promise<Evaluation> {
  const { shell, ahc, desk, options } = job;
  const { contest, best } = prepared;
  const begunMs = performance.now();
  const rows = new CaseRows({
    names: prepared.names,
    paint: shell.out.paint,
    pointsOf: (done) =>
      best.of(done) === null ? null : ahc.pointsOf(done, { direction: contest.direction, best }),
    elapsedMs: () => performance.now() - begunMs,
  });
  const screen = new Screen(shell.err, () => rows.status);
  const show = (lines: readonly string[]): void => {
    if (options.json || lines.length === 0) return;
    // A status line on the same terminal must not be left in the table.
    if (shell.out.isTerminal) screen.clear();
    shell.out.write(`${lines.join('\n')}\n`);
  };
  try {
    const evaluation = await ahc.testProgram(
      desk,
      { prepared, candidate, ...ahc.jobsOf(desk.workspace) },
      {
        onBegin: ({ name, file }) => show([`${name} of ${file}, ${contestText(contest)}`, rows.head]),
        onCase: async (done: DoneCase) => {
          show(rows.add(done));
          await outputs?.add(done);
        },
      },
      signal,
    );
    show(rows.rest());
    return evaluation;
  } finally {
    screen.close();
  }
}
