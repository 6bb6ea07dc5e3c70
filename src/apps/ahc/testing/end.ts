/** What is told at the end of `polya ahc test`, as text or as the one JSON document. */
import { exitCodes } from '../../../core/errors.ts';
import type { Evaluation, Prepared } from '../../../families/ahc/evaluation.ts';
import { asCalled, harmless } from '../../../text/format.ts';
import { missingLibrary } from '../candidate.ts';
import { warn } from '../desk.ts';
import type { TestJob } from './job.ts';
import { testJson } from './json.ts';
import { reportText } from './report.ts';
import type { TestResult } from './result.ts';

export function tell(
  { shell, ahc, desk, info, options }: TestJob,
  result: TestResult,
  { warnings }: Pick<Prepared, 'warnings'>,
): void {
  const workspace = desk.workspace.folder.path;
  if (options.json) shell.out.write(testJson(ahc, result, { workspace, warnings, info }));
  else shell.out.write(`\n${reportText(shell.out, ahc, result)}`);
}

/** CE: the compiler's words, and what they may mean. */
export function tellCompileError(job: TestJob, evaluation: Evaluation, prepared: Prepared): number {
  const { shell, ahc, options } = job;
  const { compile, version } = evaluation;
  const late = compile?.verdict === 'wall' || compile?.verdict === 'cpu';
  const silent = late
    ? 'The compiler was ended by docker.compilation_timeout: `polya ahc config docker.compilation_timeout SECONDS`.'
    : 'The compiler said nothing.';
  const digest = compile?.digest || compile?.stderr.text.trim() || asCalled(silent, shell);
  const hint = missingLibrary(digest);
  shell.err.write(`${harmless(digest)}\n`);
  if (hint) warn(shell, hint);
  shell.err.write(`${shell.err.paint('bad', `${version.name} of ${version.file}: CE, nothing was run.`)}\n`);
  if (options.json) {
    const { contest } = prepared;
    const summary = ahc.summaryOf([], { direction: contest.direction, best: evaluation.best });
    const none = { groups: null, compared: null, noise: null, slowest: [], worst: [], nearLimit: [] };
    tell(
      job,
      { contest, evaluation, summary, ...none },
      { ...prepared, warnings: [...prepared.warnings, ...(hint ? [hint] : [])] },
    );
  }
  return exitCodes.unsolved;
}
