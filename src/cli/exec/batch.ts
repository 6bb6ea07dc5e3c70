/**
 * `polya exec` over many cases, or with a tester: a table that grows while they run, in the order of the cases, and a
 * summary. What each case came to is judged elsewhere.
 */
import { exitCodes } from '../../core/errors.ts';
import {
  type BatchRequest,
  type BatchResult,
  type CaseResult,
  type Sandbox,
  unsafeLabel,
} from '../../core/sandbox.ts';
import { Screen } from '../screen.ts';
import { CaseTable, summaryOf, summaryText } from './case-table.ts';
import { contentOf, type NamedCase } from './cases.ts';
import { type JudgedCase, judge } from './judged.ts';
import { resultJson, type Setting, tellCompile } from './result.ts';

export type Batch = Setting & {
  readonly sandbox: Sandbox;
  readonly request: BatchRequest;
  readonly cases: readonly NamedCase[];
  readonly isJson: boolean;
};

export async function runBatch(batch: Batch, signal: AbortSignal): Promise<number> {
  const { sandbox, request, isJson, shell, info, cases } = batch;
  const judged: JudgedCase[] = [];
  const table = new CaseTable(cases, { paint: shell.out.paint, isSafe: unsafeLabel(info) === null });
  const screen = new Screen(shell.err, () => table.status);
  const show = (text: string) => {
    // A status line on the same terminal must not be left in the table.
    if (shell.out.isTerminal) screen.clear();
    shell.out.write(text);
  };
  if (!isJson) show(table.head);
  const onCase = (result: CaseResult) => {
    const one = judge(result, expectedOf(batch, result));
    judged.push(one);
    for (const row of table.add(one)) if (!isJson) show(row);
  };
  const result = await sandbox.batch(request, onCase, signal).finally(() => screen.close());
  judged.sort((a, b) => a.index - b.index);
  if (isJson) shell.out.write(batchJson(batch, result, judged));
  else tellEnd(batch, result, judged, show);
  return result.finished === cases.length && judged.every(({ passed }) => passed)
    ? exitCodes.ok
    : exitCodes.unsolved;
}

/** Read when it is needed; with a tester, the tester judges. */
function expectedOf({ cases, request }: Batch, { index }: CaseResult): string | null {
  const path = request.tester ? null : (cases[index]?.expected ?? null);
  return path === null ? null : new TextDecoder().decode(contentOf(path));
}

function batchJson(batch: Batch, result: BatchResult, judged: readonly JudgedCase[]): string {
  const { backend } = result;
  return resultJson(batch, {
    compile: result.compile,
    testerCompile: result.testerCompile,
    cases: judged.map((one) => ({ backend, ...one, tester: one.tester ?? null })),
    summary: summaryOf(judged, batch.cases.length),
  });
}

function tellEnd(
  batch: Batch,
  { compile, testerCompile }: BatchResult,
  judged: readonly JudgedCase[],
  show: (text: string) => void,
): void {
  const { shell, cases, info } = batch;
  if (compile) tellCompile(batch, compile);
  if (testerCompile) tellCompile(batch, testerCompile, 'compile error in the tester');
  show(summaryText(shell.out.paint, { judged, total: cases.length, info }));
}
