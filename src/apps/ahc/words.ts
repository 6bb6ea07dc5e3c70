/** Scores, shares and times in words; the course of a score over versions as bars of text. Pure. */
import { secondsText } from '../../cli/exec/words.ts';
import type { CaseOutcome } from '../../core/program.ts';
import type { Contest as AhcContest } from '../../families/ahc/workspace.ts';
import { grouped } from '../../text/format.ts';
import type { Tone } from '../../text/paint.ts';
import { widthOf } from '../../text/wrap.ts';

export function scoreText(score: number | null): string {
  return score === null ? '–' : grouped(score);
}

/** A mean: versions may differ by less than 1. */
export function averageText(score: number | null): string {
  if (score === null || Number.isInteger(score)) return scoreText(score);
  const [text = '', part = '00'] = Math.abs(score).toFixed(2).split('.');
  return `${score < 0 ? '-' : ''}${grouped(Number(text))}.${part}`;
}

/** `points` are of 10^9; as text, `98.21 %`. */
export function shareText(points: number | null): string {
  return points === null ? '–' : `${(points / 1e7).toFixed(2)} %`;
}

/** `+1.23 %` */
export function changeText(part: number): string {
  return `${part >= 0 ? '+' : ''}${(part * 100).toFixed(2)} %`;
}

export function signedText(value: number): string {
  const size = Math.abs(value) >= 100 ? grouped(value) : value.toFixed(2);
  return `${value >= 0 ? '+' : ''}${size}`;
}

export function verdictTone(verdict: CaseOutcome['verdict']): Tone {
  if (verdict === 'NJ') return 'faint';
  return verdict === 'AC' ? 'good' : 'bad';
}

/** `98 AC, 1 TLE, 1 WA`: AC first. */
export function verdictsText(verdicts: Readonly<Partial<Record<string, number>>>): string {
  const entries = Object.entries(verdicts).toSorted(([a], [b]) =>
    a === 'AC' ? -1 : b === 'AC' ? 1 : a < b ? -1 : 1,
  );
  return entries.length > 0 ? entries.map(([verdict, times]) => `${times} ${verdict}`).join(', ') : 'none';
}

export function contestText({ id, direction, scoring, isInteractive, timeLimitMs }: AhcContest): string {
  const kind = `${direction}, ${scoring}${isInteractive ? ', interactive' : ''}`;
  return `${id} (${kind}, ${timeLimitMs / 1000} s)`;
}

export function timesText({ cpuMs, wallMs }: Pick<CaseOutcome, 'cpuMs' | 'wallMs'>): string {
  return `CPU ${secondsText(cpuMs)}, wall ${secondsText(wallMs)}`;
}

/** `0042, 0077 and 3 more` */
export function namesText(names: readonly string[], most = 8): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${grouped(rest)} more` : names.join(', ');
}

/** A value a version, in scores or in points of 10^9. */
export type Chart = {
  readonly unit: 'score' | 'points';
  readonly points: readonly { readonly name: string; readonly value: number }[];
};

const mostBars = 40;

/** A bar a version. The shortest stands for the least value, not for zero: differences are what is looked for. */
export function chartText({ points, unit }: Chart, columns: number): string {
  const visible = points.slice(-mostBars);
  const values = visible.map(({ value }) => value);
  const bulk = bulkOf(values);
  const [minimum, most] = [Math.min(...bulk), Math.max(...bulk)];
  const texts = values.map((value) => valueText(value, unit));
  const nameWidth = visible.reduce((width, { name }) => Math.max(width, widthOf(name)), 0);
  const textWidth = texts.reduce((width, text) => Math.max(width, text.length), 0);
  const capacity = Math.max(10, Math.min(60, columns - nameWidth - textWidth - 6));
  const lines = visible.map(({ name, value }, index) => {
    const part = most > minimum ? Math.min(1, (value - minimum) / (most - minimum)) : 1;
    const bar = '█'.repeat(Math.max(1, Math.round(part * capacity)));
    return `${' '.repeat(nameWidth - widthOf(name))}${name}  ${(texts[index] ?? '').padStart(textWidth)}  ${bar}`;
  });
  const omitted = points.length - visible.length;
  return [...(omitted > 0 ? [`(${omitted} older versions are not drawn)`] : []), ...lines].join('\n');
}

function valueText(value: number, unit: Chart['unit']): string {
  return unit === 'points' ? shareText(value) : averageText(value);
}

/**
 * Where most of the values are: a few that lie far below or above are left out, because they would press all others into
 * one line. All of them where none lies so far.
 */
function bulkOf(values: readonly number[]): readonly number[] {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(0.25), at(0.75)];
  const radius = farFactor * Math.max(high - low, Math.abs(high) * 1e-3);
  const bulk = sorted.filter((value) => value >= low - radius && value <= high + radius);
  return bulk.length >= leastBulk ? bulk : sorted;
}

/** In widths of the middle half. */
const farFactor = 6;
const leastBulk = 3;
