/** How long ago a live run did something last, and how far it is on its way to its nearest limit. */
import { signal } from '@preact/signals';
import type { RunItem } from '../notes/page-items.ts';
import { formatDuration } from './words.ts';

const nowMs = signal(Date.now());
setInterval(() => {
  nowMs.value = Date.now();
}, 1_000);

/** By the clock of this page: events are stamped by a machine whose clock may go otherwise, so it is never negative. */
const quietMs = ({ lastAtMs }: RunItem): number => Math.max(0, nowMs.value - lastAtMs);
const longQuietMs = 40_000;

export function Age({ item }: { readonly item: RunItem }) {
  const ms = quietMs(item);
  const seconds = Math.floor(ms / 1_000) * 1_000;
  return (
    <span class={`age ${ms >= longQuietMs ? 'stuck' : ''}`}>
      last event {seconds === 0 ? 'now' : `${formatDuration(seconds)} ago`}
    </span>
  );
}

/** Null where it has no limit that is known. */
export function Bound({ item: { bound, aliveMs } }: { readonly item: RunItem }) {
  if (!bound) return null;
  const { share, text } = bound;
  const leftMs = share > 0 && aliveMs !== null ? (aliveMs * (1 - share)) / share : null;
  const eta =
    leftMs === null
      ? ''
      : `; at this pace it is reached in ${formatDuration(Math.round(leftMs / 1_000) * 1_000)}`;
  return (
    <svg class="share bound" viewBox="0 0 40 6" role="img" aria-label={text + eta}>
      <title>{text + eta}</title>
      <rect class="all" width="40" height="6" />
      <rect class="part" width={40 * share} height="6" />
    </svg>
  );
}
