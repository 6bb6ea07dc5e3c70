/** `polya exec` over many cases, or with a tester: a table that grows in the order of the cases, and a summary. */
import { statSync } from 'node:fs';
import { exitCodes } from '../../core/errors.ts';
import { type BatchRequest, type Case, type CaseResult, unsafeLabel } from '../../core/sandbox.ts';
import { count, oneLine } from '../../text/format.ts';
import type { Paint } from '../../text/paint.ts';
import { fitted, padded, widthOf } from '../../text/wrap.ts';
import { print } from '../contract.ts';
import { Screen } from '../screen.ts';
import { type CheckedCase, judge, whyFailed } from './judged.ts';
import { type ExecOptions, limitsOf } from './options.ts';
import { type Given, type NamedCase, readInput } from './program.ts';
import {
  memoryText,
  resultJson,
  type Setting,
  sandboxText,
  secondsText,
  tellCompile,
  verdictText,
} from './words.ts';

type Batch = Setting & { readonly request: BatchRequest; readonly cases: readonly NamedCase[] };

/** The file in which a tester that talks on its own stdin finds its input. */
const testerInput = 'input.txt';

export function batchOf(
  setting: Setting,
  given: Given,
  options: ExecOptions,
  args: readonly string[],
): Batch {
  const { program, info } = setting;
  const { tester, stdin } = given;
  const { workers, talks } = options;
  const caseOf = (name: string, input: Uint8Array): Case => {
    if (!tester) return { name, stdin: input, args };
    if (talks === 'relay') return { name, stdin: input };
    return { name, files: { [testerInput]: input }, args: [testerInput] };
  };
  const cases = given.cases ?? [{ name: 'input', input: '', expected: null }];
  const sizes = cases.map(({ expected }) => (expected === null ? 0 : statSync(expected).size));
  // As much of an output is kept as is needed to see that it is right.
  const outputBytes = sizes.reduce((a, b) => Math.max(a, 2 * b), info.limits.outputBytes);
  const request = {
    program,
    cases: given.cases ? readCases(given.cases, caseOf) : [caseOf('input', stdin)],
    limits: { outputBytes, ...limitsOf(options, info) },
    workers,
    tester: tester ? { program: { ...tester, compileLimits: program.compileLimits }, talks } : undefined,
  };
  return { ...setting, request, cases };
}

/** Read one at a time, as the sandbox asks for them: a folder may be larger than memory. */
function* readCases(
  cases: readonly NamedCase[],
  make: (name: string, input: Uint8Array) => Case,
): Iterable<Case> {
  for (const { name, input } of cases) yield make(name, readInput(input));
}

export async function runBatch(batch: Batch, signal: AbortSignal): Promise<number> {
  const { sandbox, request, isJson, shell, info, cases } = batch;
  const judged: CheckedCase[] = [];
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
  const { backend, compile, testerCompile } = result;
  judged.sort((a, b) => a.index - b.index);
  const summary = summaryOf(judged, cases.length);
  if (isJson) {
    const told = judged.map((one) => ({ backend, ...one, tester: one.tester ?? null }));
    print(shell.out, resultJson(batch, { compile, testerCompile, cases: told, summary }));
  } else {
    if (compile) tellCompile(batch, compile);
    if (testerCompile) tellCompile(batch, testerCompile, 'compile error in the tester');
    show(summaryText(batch, summary));
  }
  return result.finished === cases.length && summary.passed === judged.length
    ? exitCodes.ok
    : exitCodes.unsolved;
}

/** Read when it is needed; with a tester, the tester judges. */
function expectedOf({ cases, request }: Batch, { index }: CaseResult): string | null {
  const path = request.tester ? null : (cases[index]?.expected ?? null);
  return path === null ? null : new TextDecoder().decode(readInput(path));
}

const [leastName, longestName] = [4, 24];

/** The rows of the table, in the order of the cases. */
class CaseTable {
  readonly #paint: Paint;
  readonly #isSafe: boolean;
  readonly #nameWidth: number;
  readonly #total: number;
  /** Cases that ended before one in front of them. */
  readonly #early = new Map<number, CheckedCase>();
  #shown = 0;
  #ended = 0;
  #failed = 0;

  constructor(cases: readonly NamedCase[], { paint, isSafe }: { paint: Paint; isSafe: boolean }) {
    const lengths = cases.map(({ name }) => widthOf(oneLine(name)));
    this.#nameWidth = lengths.reduce((a, b) => Math.max(a, Math.min(b, longestName)), leastName);
    this.#total = cases.length;
    this.#paint = paint;
    this.#isSafe = isSafe;
  }

  get head(): string {
    return `${this.#paint('faint', this.#line('case', 'verdict', ['CPU', 'wall', 'memory']))}\n`;
  }

  get status(): string {
    return `${this.#ended} of ${this.#total}${this.#failed > 0 ? `, ${this.#failed} not passed` : ''}`;
  }

  /** The rows that can be shown now. */
  add(judged: CheckedCase): readonly string[] {
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

  #row(judged: CheckedCase): string {
    const { name, step, passed, answer } = judged;
    const verdict = step.verdict === 'ok' && answer !== null ? answer : verdictText(step);
    const measures = [secondsText(step.cpuMs), secondsText(step.wallMs), memoryText(step.peakMemoryBytes)];
    const line = this.#line(fitted(oneLine(name), longestName), verdict, measures);
    const basis = step.decidedBy === undefined ? '' : `decided by ${step.decidedBy}`;
    const notes = [passed ? '' : whyFailed(judged), basis, this.#isSafe ? '' : 'no sandbox'].filter(Boolean);
    const note = notes.length > 0 ? `  ${this.#paint('faint', notes.join('; '))}` : '';
    return `${passed ? line : this.#paint('bad', line)}${note}\n`;
  }

  #line(name: string, verdict: string, [cpu = '', wall = '', memory = '']: readonly string[]): string {
    const left = `${padded(name, this.#nameWidth)}  ${verdict.padEnd(16)}`;
    return `${left}${cpu.padStart(9)}${wall.padStart(9)}${memory.padStart(11)}`;
  }
}

function summaryOf(judged: readonly CheckedCase[], cases: number) {
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

function summaryText({ shell, info }: Setting, summary: ReturnType<typeof summaryOf>): string {
  const { cases, finished, passed, compared, slowest, largest } = summary;
  const parts = [
    shell.out.paint(passed === cases ? 'good' : 'bad', `${passed} of ${count(cases, 'case')} passed`),
    finished < cases && `${cases - finished} not run`,
    compared === 0 && 'nothing to compare with',
    slowest && `slowest ${oneLine(slowest.name)} (CPU ${secondsText(slowest.cpuMs)})`,
    largest && `largest ${oneLine(largest.name)} (${memoryText(largest.peakMemoryBytes)})`,
    sandboxText(info),
  ];
  return `${parts.filter(Boolean).join('; ')}\n`;
}
