/** Numbers and times as the page shows them. */
import type { RunItem } from '../notes/page-items.ts';
import { duration, formatDollars, grouped } from '../text/format.ts';

/** `14,809`, `2.14 M` */
export function tokenWords(tokens: number): string {
  return tokens >= 1e6 ? `${(tokens / 1e6).toFixed(2)} M` : grouped(tokens);
}

export function tokensOf({ tokens, knownTokens, modelCalls }: RunItem): string {
  if (modelCalls === null) return '…';
  if (tokens !== null) return tokenWords(tokens);
  return knownTokens > 0 ? `≥ ${tokenWords(knownTokens)}` : 'unknown';
}

/** Unknown is never nothing. */
export function costOf({ free, costUsd, knownCostUsd, modelCalls }: RunItem): string {
  if (free !== null) return 'free';
  if (modelCalls === null) return '…';
  if (costUsd !== null) return formatDollars(costUsd);
  return knownCostUsd > 0 ? `≥ ${formatDollars(knownCostUsd)}` : 'unknown';
}

export function formatDuration(ms: number | null): string {
  if (ms === null) return '';
  return ms < 1_000 ? `${Math.round(ms)} ms` : duration(ms);
}

export function clock(atMs: number, withSeconds = false): string {
  const date = new Date(atMs);
  const parts = [date.getHours(), date.getMinutes(), ...(withSeconds ? [date.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

export function fullDate(atMs: number): string {
  return new Date(atMs).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' });
}

/** `2 min ago` */
export function formatAgo(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - atMs) / 1_000);
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return `${days} day${days === 1 ? '' : 's'} ago`;
}
