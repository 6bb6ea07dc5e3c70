/** The five statuses of a session, from how its run ended and whether somebody is at work on it. Pure. */
import type { RunEnd } from '../../../core/event.ts';

export const sessionStatuses = ['running', 'stopped', 'completed', 'failed', 'crashed'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export type Liveness = {
  /** The process that works on it is alive. */
  readonly isOwned: boolean;
  readonly end: Pick<RunEnd, 'outcome'> | null;
};

/** `crashed`: its process is gone, and nobody has said how it ended. */
export function statusOf({ isOwned, end }: Liveness): SessionStatus {
  if (isOwned) return 'running';
  return end === null ? 'crashed' : statusOfEnd(end);
}

export function statusOfEnd({ outcome }: Pick<RunEnd, 'outcome'>): SessionStatus {
  if (outcome === 'cancelled') return 'stopped';
  return outcome === 'error' || outcome === 'refused' || outcome === 'malformed' ? 'failed' : 'completed';
}
