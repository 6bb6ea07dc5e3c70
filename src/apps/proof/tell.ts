/** Tells what came of a run whose result is a proof. */
import { resolve } from 'node:path';
import type { Shell } from '../../cli/contract.ts';
import { readRun } from '../../cli/drive.ts';
import { runJson } from '../../cli/run-report.ts';
import type { RunResult } from '../../cli/run-result.ts';
import { exitCodes, UserError } from '../../core/errors.ts';
import { isReopenable } from '../../core/history.ts';
import { readLinesInCode, readProblems } from '../../families/proof/files.ts';
import type { PosedProblem } from '../../families/proof/problems.ts';
import { localFiles } from '../../io/local-files.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import { harmlessJson } from '../../text/format.ts';
import { proofRecord } from './record.ts';
import { type ProofReport, pointsOf, proofText } from './report.ts';

export async function tellProof(
  shell: Shell,
  polya: Journals,
  { row: { id }, view }: RunResult,
  { json }: { readonly json?: boolean },
): Promise<ProofReport> {
  const report = await readProof(shell, polya, id);
  if (json) shell.out.write(`${harmlessJson(proofJson(report), 2)}\n`);
  else shell.out.write(proofText(shell.out, report, { withReports: false }));
  const goesOn = view.end !== null && isReopenable(view.end);
  const next = goesOn
    ? `Go on with it: ${shell.calledAs} runs resume`
    : `Every report: ${shell.calledAs} proof show`;
  shell.err.write(`${next} ${id}\n`);
  return report;
}

/** Whoever looks for a problem that is not there learns why. */
export async function tellLinesInCode(shell: Shell, file: string): Promise<void> {
  for (const line of await problemLinesInCode(resolve(shell.folder, file)))
    shell.err.write(`Line ${line} of ${file} divides nothing: it stands in a block of code.\n`);
}

/** Of somebody's proof: that it passed. Its grader has done its work also where it did not. */
export function proofCode({ record: { header, grading } }: ProofReport, code: number): number {
  const isGrader = header?.agent.name === 'proof-grader';
  return isGrader && code === exitCodes.ok && grading?.pass !== true ? exitCodes.unsolved : code;
}

export async function readProof(shell: Shell, polya: Journals, id: string): Promise<ProofReport> {
  const { events } = await readJournal(polya.world.store, id);
  return { result: await readRun(shell, polya, id), record: proofRecord(events) };
}

export function proofJson({ result, record }: ProofReport) {
  const { header, end, proof, attempts, reports, earlyHints, comparisons, selection, abstention, grading } =
    record;
  return {
    ...runJson(result),
    detail: end?.solution?.detail ?? null,
    statement: header?.problem.statement
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n\n'),
    accepted: proof?.standing === 'accepted',
    /** Standing in record.ts; null where there is no proof. */
    standing: proof?.standing ?? null,
    proof: proof?.text ?? null,
    hints: earlyHints,
    reports,
    attempts: attempts.map((attempt) => ({ ...attempt, counters: pointsOf(attempt) })),
    comparisons,
    selection,
    abstention,
    grading,
  };
}

/** Their names or numbers as a reference has them; none where the file holds one problem, and nobody names it. */
export function chosenProblems(
  problems: readonly PosedProblem[],
  wanted: readonly string[],
  file: string,
): readonly (string | number | undefined)[] {
  const [only, ...others] = problems;
  if (wanted.length === 0 && only && others.length === 0) return [undefined];
  const isAll = (name: string) => name === 'all' && !problems.some((problem) => problem.name === 'all');
  if (wanted.some(isAll)) return problems.map(({ number }) => number);
  if (wanted.length > 0) return [...new Set(wanted)];
  const listed = problems.map(({ number, title }) => `  ${number}  ${title}`).join('\n');
  throw new UserError({
    code: 'problem-not-chosen',
    what: `${file} holds ${problems.length} problems:\n${listed}`,
    fix: '\nName one or several with --problem, by number or by name, or all of them with `--problem all`.',
  });
}

export function problemsIn(file: string, folder = '.'): Promise<readonly PosedProblem[]> {
  return readProblems(localFiles(folder), file);
}

/** The lines of it that look like the beginning of a problem and are none, because they stand in a block of code. */
export function problemLinesInCode(file: string, folder = '.'): Promise<readonly number[]> {
  return readLinesInCode(localFiles(folder), file);
}
