/**
 * Which branches of a run are at work: they have not ended, and wait neither for an effect nor for a branch of their own.
 * Results are delivered only when none is, so that an agent that does work of its own between two effects (a graph engine)
 * meets the same order again. A branch that waits for something that is not the run's, such as a sibling, is parked.
 */

export class Activity {
  readonly #waits = new Map<string, number>();
  readonly #busy = new Set<string>();
  /** At work for so long that they seem to wait for something outside of the run. */
  readonly #parked = new Set<string>();
  #onChange: (() => void) | null = null;

  begin(branch: string): void {
    this.#waits.set(branch, 0);
    this.#update(branch);
  }

  end(branch: string): void {
    this.#waits.delete(branch);
    this.#update(branch);
  }

  /** This branch waits until the returned function is called. */
  wait(branch: string): () => void {
    this.#count(branch, 1);
    return () => this.#count(branch, -1);
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  get isOver(): boolean {
    return this.#waits.size === 0;
  }

  get isPaused(): boolean {
    return this.#parked.size > 0;
  }

  /** Resolves when a branch begins or ends its work; after `patienceMs` those at work are parked. */
  change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        callOff();
        this.#onChange = null;
        resolve();
      };
      const callOff = afterActiveTime(timeoutMs, () => {
        this.#pause();
        finish();
      });
      this.#onChange = finish;
    });
  }

  #count(branch: string, more: 1 | -1): void {
    const delayMs = this.#waits.get(branch);
    if (delayMs === undefined) return;
    this.#waits.set(branch, delayMs + more);
    this.#update(branch);
  }

  #update(branch: string): void {
    this.#parked.delete(branch);
    if (this.#waits.get(branch) === 0) this.#busy.add(branch);
    else this.#busy.delete(branch);
    this.#onChange?.();
  }

  #pause(): void {
    for (const branch of this.#busy) this.#parked.add(branch);
    this.#busy.clear();
  }
}

/** However long one turn of the event loop takes, it counts as no more than this. */
const turnMs = 10;

/** Calls `then` after `ms` of turning event loop, unless called off: time in which the machine sleeps does not count. */
export function afterActiveTime(ms: number, then: () => void): () => void {
  let turnsLeft = Math.ceil(ms / turnMs);
  let timer: NodeJS.Timeout;
  const turn = (): void => {
    turnsLeft -= 1;
    if (turnsLeft > 0) timer = setTimeout(turn, turnMs);
    else then();
  };
  timer = setTimeout(turn, Math.min(ms, turnMs));
  return () => clearTimeout(timer);
}
