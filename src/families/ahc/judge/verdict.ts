/**
 * The verdict of one case, from how the program ended and what the official tool says of its output, by the rules of the
 * judge as far as they are known: a program that fails past the limit is TLE, else RE; an output is WA where the tool
 * fails, complains, or does not name one score. A tool may repeat lines of the program, so these never override its own.
 */
import type { StepResult } from '../../../core/sandbox.ts';

export const caseVerdicts = ['AC', 'WA', 'TLE', 'RE', 'MLE', 'OLE'] as const;
export type CaseVerdict = (typeof caseVerdicts)[number];

export type Judged = {
  readonly verdict: CaseVerdict;
  /** Null where no score was named, or where it does not count: every verdict but AC. */
  readonly score: number | null;
  /** What the tool or the system said, one line; empty where there is nothing to say. */
  readonly message: string;
};

/** Null while nothing speaks against the output: then the tool decides. */
export function verdictOfProgram(
  { verdict, cpuMs, wallMs }: StepResult,
  timeLimitMs: number,
): Exclude<CaseVerdict, 'AC' | 'WA'> | null {
  if (verdict === 'wall' || verdict === 'cpu') return 'TLE';
  if (verdict === 'memory') return 'MLE';
  if (verdict === 'output' || verdict === 'disk') return 'OLE';
  if (cpuMs > timeLimitMs || wallMs > timeLimitMs * wallFactor) return 'TLE';
  return verdict === 'ok' || verdict === 'cancelled' ? null : 'RE';
}

/** Time on the wall counts as the judge counts it, but several cases share the cores of this machine. */
const wallFactor = 1.5;

/** Of a program that ended well. `tool`: the official tool over its output, or the tester that talked to it. */
export function judgeOutput(tool: StepResult): Judged {
  const said = `${tool.stdout.text}\n${tool.stderr.text}`;
  const [score, ...others] = scoresIn(said);
  const complaint = lineOf(said, (line) => complaining.test(line) && !figure.test(line.trim()));
  const message = complaint || lineOf(said, (line) => line.trim() !== '' && !scoreFigure.test(line.trim()));
  const wrong = (or: string): Judged => ({ verdict: 'WA', score: null, message: message || or });
  if (tool.verdict !== 'ok') return wrong(failureOf(tool));
  if (score === undefined) return wrong('the tool named no score');
  if (others.length > 0) return wrong('the tool named several scores that differ');
  if (complaint !== '' || (score === 0 && message !== '')) return wrong('');
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

/** Null where a tool names none, or several that differ. */
export function scoreIn(text: string): number | null {
  const [score = null, ...others] = scoresIn(text);
  return others.length > 0 ? null : score;
}

/** Each that is named, once. Only a whole line names one: breaks other than `\n` may be the program's own, repeated. */
function scoresIn(text: string): readonly number[] {
  const named = text
    .split('\n')
    .flatMap((line) => /^[ \t]*Score[ \t]*=[ \t]*(\d+)[ \t]*\r?$/.exec(line)?.[1] ?? []);
  return [...new Set(named.map(Number))];
}

const complaining = /wrong answer|invalid|illegal|error|out of range|unexpected|panicked/i;

/** `Number of errors = 3` counts something, and complains of nothing. */
const figure = /^(?!wrong answer)[\w ()]{1,60}[=:]\s*-?[\d.]+\s*(?:%|\w{1,12})?$/i;

/** The score, or what it was made of. */
const scoreFigure = /^(Score|Number of Turns|Total Cost|Raw Score)\s*=/i;

/** The first such line, shortened; empty where there is none. */
function lineOf(text: string, test: (line: string) => boolean): string {
  return (text.split('\n').find(test) ?? '').trim().slice(0, 300);
}
