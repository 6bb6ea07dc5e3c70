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
  type SandboxInfo,
  unsafeLabel,
} from '../../core/sandbox.ts';
import { clip, count, oneLine } from '../../text/format.ts';
import type { Paint } from '../../text/paint.ts';
import { Screen } from '../screen.ts';
import { contentOf, type NamedCase } from './cases.ts';
import { type JudgedCase, judge, whyFailed } from './judged.ts';
import { resultJson, type Setting, sandboxText, tellCompile } from './result.ts';
import { memoryText, secondsText, verdictText } from './words.ts';

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

const [leastName, longestName] = [4, 24];
const titles = ['case', 'verdict', 'CPU', 'wall', 'memory'] as const;
const widths = { verdict: 16, cpu: 9, wall: 9, memory: 11 };

export class CaseTable {
  readonly #paint: Paint;
  readonly #isSafe: boolean;
  readonly #nameWidth: number;
  readonly #total: number;
  /** Those that ended before one in front of them. */
  readonly #early = new Map<number, JudgedCase>();
  #shown = 0;
  #ended = 0;
  #failed = 0;

  constructor(cases: readonly NamedCase[], { paint, isSafe }: { paint: Paint; isSafe: boolean }) {
    const names = cases.map(({ name }) => [...oneLine(name)].length);
    this.#nameWidth = Math.min(
      longestName,
      names.reduce((a, b) => Math.max(a, b), leastName),
    );
    this.#total = cases.length;
    this.#paint = paint;
    this.#isSafe = isSafe;
  }

  get head(): string {
    const [name, verdict, cpu, wall, memory] = titles;
    return `${this.#paint('faint', this.#columns({ name, verdict, cpu, wall, memory }))}\n`;
  }

  get status(): string {
    return `${this.#ended} of ${this.#total}${this.#failed > 0 ? `, ${this.#failed} not passed` : ''}`;
  }

  /** The rows that can be shown now, in the order of the cases. */
  add(judged: JudgedCase): readonly string[] {
    this.#ended += 1;
    if (!judged.passed) this.#failed += 1;
    this.#early.set(judged.index, judged);
    const rows: string[] = [];
    for (let next = this.#early.get(this.#shown); next; next = this.#early.get(this.#shown)) {
      this.#early.delete(this.#shown);
      this.#shown += 1;
      rows.push(this.#row(next));
    }
    return rows;
  }

  #row(judged: JudgedCase): string {
    const { name, step, passed, answer } = judged;
    const verdict = step.verdict === 'ok' && answer !== null ? answer : verdictText(step);
    const line = this.#columns({
      name: clip(oneLine(name), longestName),
      verdict,
      cpu: secondsText(step.cpuMs),
      wall: secondsText(step.wallMs),
      memory: memoryText(step.peakMemoryBytes),
    });
    const notes = [passed ? '' : whyFailed(judged), this.#isSafe ? '' : 'no sandbox'].filter(Boolean);
    const note = notes.length > 0 ? `  ${this.#paint('faint', notes.join('; '))}` : '';
    return `${passed ? line : this.#paint('bad', line)}${note}\n`;
  }

  #columns(row: Readonly<Record<'name' | 'verdict' | 'cpu' | 'wall' | 'memory', string>>): string {
    const left = `${row.name.padEnd(this.#nameWidth)}  ${row.verdict.padEnd(widths.verdict)}`;
    return `${left}${row.cpu.padStart(widths.cpu)}${row.wall.padStart(widths.wall)}${row.memory.padStart(widths.memory)}`;
  }
}

export type Summary = {
  readonly cases: number;
  readonly finished: number;
  readonly passed: number;
  readonly compared: number;
  readonly slowest: { readonly name: string; readonly cpuMs: number } | null;
  readonly largest: { readonly name: string; readonly peakMemoryBytes: number } | null;
};

export function summaryOf(judged: readonly JudgedCase[], cases: number): Summary {
  const [slowest] = judged.toSorted((a, b) => b.step.cpuMs - a.step.cpuMs);
  const [largest] = judged.toSorted((a, b) => b.step.peakMemoryBytes - a.step.peakMemoryBytes);
  return {
    cases,
    finished: judged.length,
    passed: judged.filter(({ passed }) => passed).length,
    compared: judged.filter(({ answer }) => answer !== null).length,
    slowest: slowest ? { name: slowest.name, cpuMs: slowest.step.cpuMs } : null,
    largest: largest ? { name: largest.name, peakMemoryBytes: largest.step.peakMemoryBytes } : null,
  };
}

export function summaryText(
  paint: Paint,
  { judged, total, info }: { judged: readonly JudgedCase[]; total: number; info: SandboxInfo },
): string {
  const { finished, passed, compared, slowest, largest } = summaryOf(judged, total);
  const isGood = passed === total;
  const parts = [
    paint(isGood ? 'good' : 'bad', `${passed} of ${count(total, 'case')} passed`),
    ...(finished < total ? [`${total - finished} not run`] : []),
    ...(compared === 0 ? ['nothing to compare with'] : []),
    ...(slowest ? [`slowest ${oneLine(slowest.name)} (CPU ${secondsText(slowest.cpuMs)})`] : []),
    ...(largest ? [`largest ${oneLine(largest.name)} (${memoryText(largest.peakMemoryBytes)})`] : []),
    sandboxText(info),
  ];
  return `${parts.join('; ')}\n`;
}
