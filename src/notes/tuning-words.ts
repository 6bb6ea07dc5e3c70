/** Numbers of a search for constants in words. Pure. */

import { count, grouped } from '../text/format.ts';
import type { Gain, TuningNotes } from './tuning.ts';

/** Four digits that count: `0.003125`, `120`, `12.35`, `1,234,567`. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) >= 10_000) return grouped(value);
  return String(Number(value.toPrecision(4)));
}

/** `+12.3`, or of shares of the best known `+1.23 %`. */
export function pointsText(value: number, unit: TuningNotes['search']['unit']): string {
  const sign = value > 0 ? '+' : '';
  return unit === 'share' ? `${sign}${(value * 100).toFixed(2)} %` : `${sign}${numberText(value)}`;
}

/** `+12.3 a case, 95 % interval +4.1 to +20.8, over 50 cases: better` */
export function gainText(
  { cases, rescued, mean, low, high, p, verdict }: Gain,
  unit: TuningNotes['search']['unit'] = 'score',
): string {
  const signed = (value: number): string => pointsText(value, unit);
  const words = {
    better: 'better: more than noise',
    worse: 'worse: more than noise',
    noise: 'cannot be told from noise',
  }[verdict];
  const saved = rescued === 0 ? '' : `; ${pointsText(rescued, 'score')} cases solved`;
  if (mean === null || low === null || high === null) return `no case that both solve${saved}: ${words}`;
  const chance = p === null ? '' : `, p ${p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}`;
  return `${signed(mean)} a case, 95 % interval ${signed(low)} to ${signed(high)} over ${count(cases, 'case')}${chance}${saved}: ${words}`;
}
