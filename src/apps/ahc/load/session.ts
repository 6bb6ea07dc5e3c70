/** The way to `ahc-session.ts` that costs nothing until it is gone. */
import type { ahcSession } from '../session/session.ts';

export type AhcSession = typeof ahcSession;

export async function loadAhcSession(): Promise<AhcSession> {
  // Loaded here because hardly any command knows of sessions.
  return (await import('../session/session.ts')).ahcSession;
}
