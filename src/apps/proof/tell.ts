/** Tells the result of a run whose result is a proof, also where the run was resumed or forked. */
import { resolve } from 'node:path';
import { type AppHooks, print, type RunResult, type Shell } from '../../cli/contract.ts';
import { readRun } from '../../cli/drive.ts';
import { exitCodes } from '../../core/errors.ts';
import { foldRun } from '../../core/fold.ts';
import { canReopen } from '../../core/history.ts';
import { readLinesInCode } from '../../families/proof/files.ts';
import { localFiles } from '../../io/local-files.ts';
import type { Journals } from '../../open/options.ts';
import { runJson } from '../../open/run-json.ts';
import { readJournal } from '../../run/load.ts';
import { proofRecord } from './record.ts';
import { findRebuttals, type ProofReport, pointsOf, proofText, statementOf } from './report.ts';

export async function printProof(
  shell: Shell,
  polya: Journals,
  { row: { id }, view }: RunResult,
  { json }: { readonly json?: boolean },
): Promise<ProofReport> {
  const report = await readProof(shell, polya, id);
  print(shell.out, json ? proofJson(report) : proofText(shell.out, report, { withReports: false }));
  const continues = view.end !== null && canReopen(view.end);
  const next = continues
    ? `Go on with it: ${shell.calledAs} runs resume`
    : `Every report: ${shell.calledAs} proof show`;
  shell.err.write(`${next} ${id}\n`);
  return report;
}

/** Lines that look like the beginning of a problem and are none: who looks for such a problem learns why it is not there. */
export async function warnLinesInCode(shell: Shell, file: string): Promise<void> {
  for (const line of await readLinesInCode(localFiles('.'), resolve(shell.folder, file)))
    shell.err.write(`Line ${line} of ${file} divides nothing: it stands in a block of code.\n`);
}

/** A proof that was brought along has to pass, though its grader has done its work also where it does not. */
export function proofCode({ record: { header, grading } }: ProofReport, code: number): number {
  const isGrader = header?.agent.name === 'proof-grader';
  return isGrader && code === exitCodes.ok && grading?.pass !== true ? exitCodes.unsolved : code;
}

export async function readProof(shell: Shell, polya: Journals, id: string): Promise<ProofReport> {
  const { events } = await readJournal(polya.world.store, id);
  return { result: await readRun(shell, polya, id), record: proofRecord(events) };
}

export function proofJson({ result, record }: ProofReport) {
  const { header: _, end, proof, attempts, reports, earlyHints, ...rest } = record;
  return {
    ...runJson(result),
    detail: end?.solution?.detail ?? null,
    statement: statementOf(record),
    accepted: proof?.standing === 'accepted',
    /** Standing in record.ts; null where there is no proof. */
    standing: proof?.standing ?? null,
    proof: proof?.text ?? null,
    hints: earlyHints,
    reports,
    /** What the solver replied to reports, beside its proofs. */
    rebuttals: findRebuttals(record),
    attempts: attempts.map((attempt) => ({ ...attempt, counters: pointsOf(attempt) })),
    ...rest,
  };
}

export const hooks: AppHooks = {
  tell: (shell, options) => async (result, polya, code) =>
    proofCode(await printProof(shell, polya, result, options), code),
  // Loaded here because only the page shows them, and sets formulas for it.
  panels: async (events) => (await import('./panels.ts')).panels(events),
  documents(events) {
    const view = foldRun(events);
    const row = { id: view.header?.runId ?? '', createdAtMs: events[0]?.atMs ?? 0 };
    const report = { result: { row, view }, record: proofRecord(events) };
    return {
      // Loaded here because only exports need the typesetter.
      'proof.md': async () => (await import('./export/markdown.ts')).proofMarkdown(report),
    };
  },
};
