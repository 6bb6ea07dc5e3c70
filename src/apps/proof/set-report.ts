/** The runs that tried to prove something side by side: how far each came. Pure. */

import type { Shell } from '../../cli/contract.ts';
import { outcomeOf } from '../../cli/set-report.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import type { RowResult } from '../../studies/run-set/rows.ts';
import { duration, oneLine } from '../../text/format.ts';
import { allModels, costText } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import type { ProofAttempt } from './record.ts';
import { type ProofReport, plot, pointsOf } from './report.ts';
import { proofJson } from './tell.ts';

/** `report` is null where the row has not been begun. */
export type ShownRow = { readonly row: RowResult; readonly report: ProofReport | null };

export function proofSetText(
  { out, calledAs }: Pick<Shell, 'out' | 'calledAs'>,
  set: RunSet,
  rows: readonly ShownRow[],
): string {
  const head = ['row', 'run', 'outcome', 'attempts', 'passes', 'most', 'cost', 'time'];
  const heading = `${out.paint('strong', `Run-set ${set.id}`)}: ${oneLine(set.plan.name)}`;
  const accepted = rows.flatMap(({ row, report }) =>
    report?.record.proof?.standing === 'accepted' ? [row.runId] : [],
  );
  const told = accepted.length
    ? accepted.map((id) => `  ${calledAs} proof show ${id}\n`).join('')
    : '  none\n';
  return `${heading}\n\n${table(out, head, rows.map(cells))}\nAccepted proofs:\n${told}`;
}

function cells({ row, report }: ShownRow): (string | number)[] {
  const { plan, runId, view } = row;
  if (!report || !view) return [plan.name, runId, outcomeOf(row), '', '', '', '', ''];
  const { attempts } = report.record;
  const { passes = 5 } = plan.settings;
  return [
    plan.name,
    runId,
    outcomeOf(row),
    attempts.length,
    attempts.map((attempt) => plot(passesOf(attempt), Number(passes))).join(' '),
    Math.max(0, ...attempts.flatMap(passesOf)),
    costText(view.totals, allModels(view)),
    duration(view.aliveMs),
  ];
}

function passesOf(attempt: ProofAttempt): number[] {
  return pointsOf(attempt).map(({ passes }) => passes);
}

export function proofSetJson(set: RunSet, rows: readonly ShownRow[]) {
  return {
    id: set.id,
    name: set.plan.name,
    rows: rows.map(({ row, report }) => ({
      row: row.index + 1,
      name: row.plan.name,
      run: row.runId,
      state: row.state,
      proof: report && proofJson(report),
    })),
  };
}
