/** Prints rows as one table for people, or as JSON for programs. */
import Table from 'cli-table3';
import { type Aim, isReached, type Row } from './measure.ts';

export type NamedRow = Row & { readonly bench: string };

export function printTable(rows: readonly NamedRow[]): void {
  const table = new Table({
    head: ['bench', 'what', 'measured', 'floor', 'ratio', 'aim', ''],
    style: { head: [], border: [] },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'left', 'left'],
  });
  for (const row of rows) table.push(cells(row));
  console.log(table.toString());
}

export function printJson(rows: readonly NamedRow[]): void {
  console.log(
    JSON.stringify(
      rows.map((row) => ({ ...row, reached: isReached(row) })),
      null,
      2,
    ),
  );
}

function cells(row: NamedRow): string[] {
  const reached = isReached(row);
  return [
    row.bench,
    row.against ? `${row.what}\n  against ${row.against}` : row.what,
    `${figure(row.measured)} ${row.unit}`,
    row.floor === null ? '' : `${figure(row.floor)} ${row.unit}`,
    row.ratio === null ? '' : figure(row.ratio),
    row.aim ? aimText(row.aim, row.unit) : '',
    reached === null ? '' : reached ? 'ok' : 'MISSED',
  ];
}

function aimText({ of, atMost }: Aim, unit: string): string {
  return of === 'ratio' ? `ratio ≤ ${atMost}` : `≤ ${atMost} ${unit}`;
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return 'n/a';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(value < 1 ? 2 : 3);
}
