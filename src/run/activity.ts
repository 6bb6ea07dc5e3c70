/**
 * Which branches of a run are at work: have not ended, and wait neither for an effect nor for a branch of their own.
 * Results are delivered only when none is, so that an agent with turns of its own between two effects (a graph engine)
 * finds the same order again. What waits for something else, such as a branch's sibling, is not waited for long.
 * It knows nothing of effects.
 */
import { afterAwake } from './awake.ts';

export class Activity {
  readonly #waits = new Map<string, number>();
  readonly #busy = new Set<string>();
  /** At work for so long that they seem to wait for something that we do not see. */
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

  /** This branch waits until what is returned is called. */
  wait(branch: string): () => void {
    this.#count(branch, 1);
    return () => this.#count(branch, -1);
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** Every branch has ended. */
  get isOver(): boolean {
    return this.#waits.size === 0;
  }

  get hasParked(): boolean {
    return this.#parked.size > 0;
  }

  /** Waits for those at work, until something about them changes; after a while they are parked. */
  change(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        callOff();
        this.#onChange = null;
        resolve();
      };
      const callOff = afterAwake(patienceMs, () => {
        this.#park();
        finish();
      });
      this.#onChange = finish;
    });
  }

  #count(branch: string, more: 1 | -1): void {
    const waits = this.#waits.get(branch);
    if (waits === undefined) return;
    this.#waits.set(branch, waits + more);
    this.#update(branch);
  }

  #update(branch: string): void {
    this.#parked.delete(branch);
    if (this.#waits.get(branch) === 0) this.#busy.add(branch);
    else this.#busy.delete(branch);
    this.#onChange?.();
  }

  #park(): void {
    for (const branch of this.#busy) this.#parked.add(branch);
    this.#busy.clear();
  }
}
