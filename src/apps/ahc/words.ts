/** Scores, shares and times in words. Pure. */
import { secondsText } from '../../cli/exec/words.ts';
import type { CaseOutcome } from '../../core/program.ts';
import type { Contest as AhcContest } from '../../families/ahc/workspace.ts';
import { grouped } from '../../text/format.ts';
import type { Tone } from '../../text/paint.ts';

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
