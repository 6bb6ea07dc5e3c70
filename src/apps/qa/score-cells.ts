/** The figures of a score, each as one cell of a table. What is not known is said to be unknown. Pure. */
import type { Interval } from '../../core/statistics/proportion.ts';
import { dollars, duration, grouped } from '../../text/format.ts';
import { freeBecause } from '../../text/labels.ts';
import type { Accuracy } from './study/accuracy.ts';
import type { SystemReport } from './study/report.ts';
import type { Spent } from './study/spent.ts';

export function accuracyText({ share, interval }: Accuracy): string {
  if (share === null) return 'not graded';
  return `${percent(share)} (${interval ? bounds(interval) : 'too few'})`;
}

function bounds({ low, high }: Interval): string {
  return `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`;
}

export function differenceText(difference: number, interval: Interval | null): string {
  const sign = difference > 0 ? '+' : '';
  return `${sign}${(100 * difference).toFixed(1)}${interval ? ` (${bounds(interval)})` : ''}`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

export function pText(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

export function spentCells(spent: Spent, models: SystemReport['models'], runs: number): string[] {
  if (spent.calls === 0 && Object.keys(models).length === 0) return ['–', '–', '–'];
  return [tokensText(spent), costText(spent, models), duration(spent.timeMs / Math.max(1, runs))];
}

/** What is not known is said to be unknown, and never counted as nothing. */
export function tokensText({ tokens, callsOfUnknownTokens }: Spent): string {
  if (callsOfUnknownTokens === 0) return grouped(tokens);
  return tokens > 0 ? `${grouped(tokens)} + unknown` : 'unknown';
}

export function costText({ costUsd, callsOfUnknownCost }: Spent, models: SystemReport['models']): string {
  if (freeBecause(models)) return 'free';
  if (callsOfUnknownCost === 0) return dollars(costUsd);
  return costUsd > 0 ? `${dollars(costUsd)} + unknown` : 'unknown';
}
