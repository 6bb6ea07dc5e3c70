/**
 * What one case came to: how the program ended, and what the official tool says of its output. The rules are those of
 * the judge, as far as they can be known here (FACTS: AtCoder, the wire): a program that fails past the limit is TLE,
 * else RE; an output is WA where the tool fails, complains, or names no score.
 */
import type { StepResult } from '../../../core/sandbox.ts';

export type CaseVerdict = 'AC' | 'WA' | 'TLE' | 'RE' | 'MLE' | 'OLE';

export type Judged = {
  readonly verdict: CaseVerdict;
  /** Null where no score was named, or where it does not count: every verdict but AC. */
  readonly score: number | null;
  /** What the tool or the system said, one line; empty where there is nothing to say. */
  readonly message: string;
};

/** Null while nothing speaks against the output: then the tool decides. */
export function verdictOfProgram(
  step: StepResult,
  timeLimitMs: number,
): Exclude<CaseVerdict, 'AC' | 'WA'> | null {
  const isLate = step.cpuMs > timeLimitMs || step.wallMs > timeLimitMs * wallFactor;
  switch (step.verdict) {
    case 'wall':
    case 'cpu':
      return 'TLE';
    case 'memory':
      return 'MLE';
    case 'output':
    case 'disk':
      return 'OLE';
    case 'exit':
    case 'signal':
    case 'processes':
      return isLate ? 'TLE' : 'RE';
    case 'cancelled':
    case 'ok':
      return isLate ? 'TLE' : null;
  }
}

/** Time on the wall counts as the judge counts it, but several cases share the cores of this machine. */
const wallFactor = 1.5;

/** Of a program that ended well. `tool`: the official tool over its output, or the tester that talked to it. */
export function judgeOutput(tool: StepResult): Judged {
  const said = `${tool.stdout.text}\n${tool.stderr.text}`;
  const score = scoreIn(said);
  const message = complaintIn(said);
  if (tool.verdict !== 'ok') return { verdict: 'WA', score: null, message: message || failureOf(tool) };
  if (score === null) return { verdict: 'WA', score: null, message: message || 'the tool named no score' };
  if (/wrong answer\s*:/i.test(said) || (score === 0 && message !== '')) {
    return { verdict: 'WA', score: null, message };
  }
  return { verdict: 'AC', score, message: '' };
}

/** Of a tool that said nothing. */
function failureOf({ verdict, exitCode, signal }: StepResult): string {
  const failures: Partial<Record<StepResult['verdict'], string>> = {
    exit: `the tool failed (exit status ${exitCode})`,
    signal: `the tool failed (${signal ?? 'a signal'})`,
    wall: 'the tool took too long',
    cpu: 'the tool took too long',
    memory: 'the tool needed more memory than it may have',
    output: 'the tool wrote more than it may',
  };
  return failures[verdict] ?? `the tool failed (${verdict})`;
}

/** The last line of its kind: tools of interactive contests may print what they think on the way. */
export function scoreIn(text: string): number | null {
  const lines = [...text.matchAll(/^\s*Score\s*=\s*(\d+)\s*$/gm)];
  const last = lines.at(-1)?.[1];
  return last === undefined ? null : Number(last);
}

/** The first line that is no score and says something. */
function complaintIn(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(Score|Number of Turns|Total Cost|Raw Score)\s*=/i.test(line));
  return (
    lines.find((line) => /wrong answer|invalid|illegal|error|out of range|unexpected|panicked/i.test(line)) ??
    lines[0] ??
    ''
  ).slice(0, 300);
}
