/** A session as `status --json` prints it: what its session.json says, and what is true at this moment alone. Pure. */

import { labelOf } from '../../../text/labels.ts';
import type { AhcSession } from '../load/session.ts';
import { hintRows, statusCounts } from './folds.ts';
import type { SeenSession } from './look.ts';
import { isAsking } from './tell.ts';
import type { MachineUsage } from './usage.ts';

export type Seen = {
  readonly ahc: AhcSession;
  readonly session: SeenSession;
  /** Of the workspace. */
  readonly folder: Parameters<AhcSession['factsOf']>[1];
  readonly machine: MachineUsage;
  readonly nowMs: number;
  /** Its process could not write all of what the journal has. */
  readonly isBehind: boolean;
};

export function statusJson({ ahc, session, folder, machine, nowMs, isBehind }: Seen) {
  const { state, status, row, place } = session;
  const facts = ahc.factsOf(place.manifest, folder);
  const document = ahc.sessionDocument(state, facts);
  return {
    ...document,
    status,
    folder: place.folder.path,
    files_behind: isBehind,
    pid: row?.owner?.pid ?? null,
    labels: [...new Set(document.models.map(({ kind }) => labelOf(kind)))].filter((each) => each !== null),
    islands: state.setting?.islands ?? null,
    /** Why so many, where its user left that open. */
    islands_because: state.run.header?.agent.decided ?? null,
    /** Which beginnings went on, where there were more than islands. */
    trial: state.trial,
    max_generations: state.setting?.maxGenerations ?? null,
    time_limit_seconds: state.setting?.timeLimitSeconds ?? null,
    seconds_alive: Math.round(aliveMsOf(session, nowMs) / 1000),
    /** Of these, those that are not the search's: its user was to confirm something. */
    seconds_waited: Math.round(waitedMsOf(session, nowMs) / 1000),
    best_score: ahc.scoreNow(state, facts, state.bestId),
    candidates: statusCounts(state),
    operators: ahc.creditByOperator(state, place.manifest),
    strategies: [...state.strategies, ...state.further].map(({ name, idea }) => ({ name, idea })),
    doing: status === 'running' ? ahc.busyNow(state).map(({ island, what }) => ({ island, what })) : [],
    asks: isAsking(session),
    hints: hintRows(ahc, session),
    courses: state.courses,
    over: state.over,
    final: state.final,
    machine: {
      cpu_seconds: machine.cpuSeconds,
      memory_bytes: machine.memoryBytes,
      processes: machine.processes,
      disk_bytes: machine.diskBytes,
    },
  };
}

/** While it asks, nothing else happens. */
export function waitedMsOf(session: Pick<SeenSession, 'state' | 'status'>, nowMs: number): number {
  const { run, waitedMs } = session.state;
  const isWaiting = session.status === 'running' && isAsking(session);
  return waitedMs + (isWaiting ? Math.max(0, nowMs - run.lastAtMs) : 0);
}

/** One that runs is alive since its last event, too. */
export function aliveMsOf({ state, status }: Pick<SeenSession, 'state' | 'status'>, nowMs: number): number {
  const { aliveMs, lastAtMs } = state.run;
  return status === 'running' ? aliveMs + Math.max(0, nowMs - lastAtMs) : aliveMs;
}
