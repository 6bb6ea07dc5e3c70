/** One evaluation from a file to its report: what `polya ahc test` does once, and with `--watch` again and again. */
import { exitCodes } from '../../../core/errors.ts';
import { findCandidate } from '../candidate.ts';
import { warn } from '../desk.ts';
import { tell, tellCompileError } from './end.ts';
import { includeOf, type TestJob, type TestOptions } from './job.ts';
import { openOutputs } from './outputs.ts';
import { type GroupChoice, resultOf } from './result.ts';
import { casesOfRival, findRival } from './rival.ts';
import { evaluateShown } from './shown.ts';

/** All that can be wrong with what was asked for is said before the first program is compiled. */
export async function testOnce(job: TestJob, signal: AbortSignal): Promise<number> {
  const { shell, ahc, desk, options } = job;
  const candidate = findCandidate(shell, { ...job, ...includeOf(options) });
  const prepared = await ahc.prepare(desk, choiceOf(options));
  const group = await groupOf(job);
  const rival = await findRival(job, candidate, prepared);
  for (const warning of prepared.warnings) warn(shell, warning);
  const outputs = options.out === undefined ? null : openOutputs(ahc, shell.folder, options.out);
  const olds = await casesOfRival(job, { rival, prepared }, signal);
  if (olds === null) return exitCodes.unsolved;
  const evaluation = await evaluateShown(job, { candidate, prepared, outputs }, signal);
  if (!evaluation.compiled) return tellCompileError(job, evaluation, prepared);
  const noise = signal.aborted
    ? null
    : await ahc.measureNoise(desk.sandbox, ahc.jobsOf(desk.workspace), signal);
  const compared = rival && olds.cases ? { name: rival.name, cases: olds.cases } : null;
  const result = resultOf(ahc, { contest: prepared.contest, evaluation, group, noise, compared });
  const failure = outputs?.failure ?? null;
  tell(job, result, { warnings: [...prepared.warnings, ...(failure ? [failure.message] : [])] });
  if (failure) warn(shell, failure.message);
  if (failure) return failure.exitCode;
  const { cases } = evaluation;
  const isWhole = cases.length === evaluation.asked && cases.every(({ verdict }) => verdict === 'AC');
  return isWhole ? exitCodes.ok : exitCodes.unsolved;
}

function choiceOf({ cases }: TestOptions) {
  return cases === undefined ? {} : { cases };
}

async function groupOf({ ahc, desk, options }: TestJob): Promise<GroupChoice | null> {
  if (options.group === undefined) return null;
  const names = await ahc.featuresOf(desk.workspace);
  const index = ahc.featureIndex(names, options.group);
  return { name: names[index] ?? `number ${index + 1}`, index };
}
