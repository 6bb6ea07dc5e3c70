/** What every section of a report is made from. */
import type { AhcSession } from '../load/session.ts';

export type ReportParts = {
  readonly ahc: AhcSession;
  readonly seen: Awaited<ReturnType<AhcSession['seeSession']>>;
};
