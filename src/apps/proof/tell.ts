/** Tells what came of a run whose result is a proof. */
import { resolve } from 'node:path';
import type { Shell } from '../../cli/contract.ts';
import { readRun } from '../../cli/drive.ts';
import type { RunResult } from '../../cli/run-result.ts';
import { exitCodes } from '../../core/errors.ts';
import { isReopenable } from '../../core/history.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import { harmlessJson } from '../../text/format.ts';
import { problemLinesInCode } from './files.ts';
import { proofJson } from './json.ts';
import { proofRecord } from './record.ts';
import { type ProofReport, proofText } from './report.ts';

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
