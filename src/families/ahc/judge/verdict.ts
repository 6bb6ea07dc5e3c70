/**
 * The verdict of one case, from how the program ended and what the official tool says of its output, by the rules of the
 * judge as far as they are known: a program that fails past the limit is TLE, else RE; an output is WA where the tool
 * fails, complains, or does not name one score. A tool may repeat lines of the program, so these never override its own.
 * NJ is our own: not judged, because the machine was too busy to say whether the program is late.
 */
import type { StepResult } from '../../../core/sandbox.ts';

export const caseVerdicts = ['AC', 'WA', 'TLE', 'RE', 'MLE', 'OLE', 'NJ'] as const;
export type CaseVerdict = (typeof caseVerdicts)[number];

export type Judged = {
  readonly verdict: CaseVerdict;
  /** Null where no score was named, or where it does not count: every verdict but AC. */
  readonly score: number | null;
  /** What the tool or the system said, one line; empty where there is nothing to say. */
  readonly message: string;
};

/**
 * Null while nothing speaks against the output: then the tool decides. `clock`: what counts as time. A program that the limit
 * on the wall ended is TLE by either clock; whether it was the program's fault, `isLateOnWall` and its share say.
 */
export function verdictOfProgram(
  step: StepResult,
  timeLimitMs: number,
  clock: 'cpu' | 'both' = 'both',
): Exclude<CaseVerdict, 'AC' | 'WA' | 'NJ'> | null {
  const { verdict, cpuMs } = step;
  if (verdict === 'cpu' || cpuMs > timeLimitMs) return 'TLE';
  if (verdict === 'memory') return 'MLE';
  if (verdict === 'output' || verdict === 'disk') return 'OLE';
  if (verdict === 'wall' || (clock === 'both' && isLateOnWall(step, timeLimitMs))) return 'TLE';
  return verdict === 'ok' || verdict === 'cancelled' ? null : 'RE';
}

/** Whether its CPU time is within the limit, and the clock on the wall, which runs for all on the machine, is not. */
export function isLateOnWall({ verdict, cpuMs, wallMs }: StepResult, timeLimitMs: number): boolean {
  if (verdict === 'cpu' || cpuMs > timeLimitMs) return false;
  return verdict === 'wall' || wallMs > timeLimitMs * wallFactor;
}

/** Time on the wall counts as the judge counts it, but several cases share the cores of this machine. */
export const wallFactor = 1.5;

/** `CPU 2,210 ms of 2,000 ms, on the wall 2,300 ms of at most 3,000 ms`. */
export function timesText({ cpuMs, wallMs }: Pick<StepResult, 'cpuMs' | 'wallMs'>, timeLimitMs: number) {
  const of = (ms: number) => `${Math.round(ms).toLocaleString('en-US')} ms`;
  return `CPU ${of(cpuMs)} of ${of(timeLimitMs)}, on the wall ${of(wallMs)} of at most ${of(timeLimitMs * wallFactor)}`;
}

/** Of a program that ended well. `tool`: the official tool over its output, or the tester that talked to it. */
export function judgeOutput(tool: StepResult): Judged {
  const text = `${tool.stdout.text}\n${tool.stderr.text}`;
  const [score, ...otherCount] = scoresIn(text);
  // Rust since 1.73 says on the next line what it panicked of.
  const words = text.replaceAll(/(panicked at [^\n]*:)\n/g, '$1 ');
  const issue = lineOf(words, isErrorLine);
  const message = issue || lineOf(words, (line) => line.trim() !== '' && !scoreFigure.test(line.trim()));
  const wrong = (or: string): Judged => ({ verdict: 'WA', score: null, message: message || or });
  if (tool.verdict !== 'ok') return wrong(failureOf(tool));
  if (score === undefined) return wrong('the tool named no score');
  if (Number.isNaN(score) && otherCount.length === 0)
    return wrong('the tool named a score that is no whole number');
  if (otherCount.length > 0) return wrong('the tool named several scores that differ');
  if (issue !== '' || (score === 0 && message !== '')) return wrong('');
  return { verdict: 'AC', score, message: '' };
}

/** The failure of a tool without a message. */
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
  const [score, ...otherCount] = scoresIn(text);
  return otherCount.length > 0 || !Number.isSafeInteger(score) ? null : Number(score);
}

/**
 * Each that is named, once; NaN for one in another form or beyond exact numbers, which beside another leaves a doubt. Only
 * a whole line names one: breaks other than `\n` may be the program's own, repeated.
 */
function scoresIn(text: string): readonly number[] {
  const named = text
    .split('\n')
    .flatMap((line) => /^\s*score[ \t]*([=:])(.*)$/is.exec(line)?.slice(1, 3).join('') ?? []);
  const numbers = named.map((text) => {
    const number = Number(/^=[ \t]*(\d+)[ \t]*\r?$/.exec(text)?.[1] ?? Number.NaN);
    return Number.isSafeInteger(number) ? number : Number.NaN;
  });
  return [...new Set(numbers)];
}

const complaining = /wrong answer|invalid|illegal|error|out of range|unexpected|panicked/i;

/** What says why an output is none, in other words. A tool that is content names figures, in lines that end with one. */
const objecting =
  /\b(?:not|cannot|can't|could ?n't|fail(?:s|ed|ure)?|too (?:many|few|long|short|large|small|much|early|late)|duplicate[sd]?|exceed(?:s|ed)?|expected|must|violat(?:es|ed|ion)|assertion|collision|incorrect|mismatch)\b|不正|エラー|失敗|違反|誤り/i;
const verdictWord = /(?<!\w)(?:WA|TLE|MLE|RE|NG)(?!\w)/;
const figureAtEnd = /[=:]\s*-?[\d.,]+\s*(?:%|\w{1,12})?$/;

function isErrorLine(line: string): boolean {
  const plain = line.trim();
  if (complaining.test(plain) && !figure.test(plain)) return true;
  return (objecting.test(plain) || verdictWord.test(plain)) && !figureAtEnd.test(plain);
}

/** `Number of errors = 3` counts something, and complains of nothing, as `Parse error: 3` does. */
const figure =
  /^(?!wrong|invalid|illegal|unexpected)(?=(?:number|count|sum|total|mean|average) |[^=:]*(?:rate|ratio|count|errors)\s*[=:])[\w ()]{1,60}[=:]\s*-?[\d.]+\s*(?:%|\w{1,12})?$/i;

/** The score, or what it was made of. */
const scoreFigure = /^(Score|Number of Turns|Total Cost|Raw Score)\s*=/i;

/** The first such line, shortened; empty if there is none. */
function lineOf(text: string, test: (line: string) => boolean): string {
  return (text.split('\n').find(test) ?? '').trim().slice(0, 300);
}
