/**
 * Whether a program had a processor whenever it wanted one, by the time that the processors of the machine stood idle while
 * it ran: only then does the clock on the wall say anything of the program. It knows no clock of its own.
 */
import type { CaseResult } from '../../../core/sandbox.ts';

/** `idleMs`: of all processors together, since some moment in the past. */
export type MachineTimes = { readonly atMs: number; readonly idleMs: number };

/** Programs that wait for less of their time are not starved. */
const leastShare = 0.9;

export class ShareWatch {
  readonly #machine: (() => MachineTimes) | undefined;
  readonly #started = new Map<string, MachineTimes>();
  readonly #hadShare = new Map<string, boolean>();

  /** Without `machine` nothing is known against it: then each program counts as having had its share. */
  constructor(machine: (() => MachineTimes) | undefined) {
    this.#machine = machine;
  }

  begin(name: string): void {
    if (this.#machine) this.#started.set(name, this.#machine());
  }

  end({ name, step }: CaseResult): void {
    const [before, now] = [this.#started.get(name), this.#machine?.()];
    this.#started.delete(name);
    if (!before || !now) return;
    const usableMs = now.idleMs - before.idleMs + step.cpuMs;
    this.#hadShare.set(name, usableMs >= leastShare * (now.atMs - before.atMs));
  }

  /** Of the last run of a case. */
  hadShare(name: string): boolean {
    return this.#hadShare.get(name) ?? true;
  }
}
