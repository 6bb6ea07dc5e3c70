/**
 * Shows the rows of a set one after the other, each with every step, as a run alone is shown; the set's rows are to be
 * brought to their ends one at a time. What stands before a row is its caller's.
 */
import type { SetObserver } from '../../studies/run-set/execute.ts';
import { oneLine } from '../../text/format.ts';
import type { SetScreen } from '../drive-set.ts';
import { LiveView } from '../live-view.ts';
import type { Output } from '../output.ts';

export class Steps implements SetScreen {
  readonly #output: Output;
  readonly #introduce: (index: number) => string;
  #view: LiveView | null = null;

  constructor(output: Output, introduce: (index: number) => string) {
    this.#output = output;
    this.#introduce = introduce;
  }

  readonly observer: SetObserver = {
    observerOf: (index) => {
      this.close();
      this.#output.write(this.#introduce(index));
      this.#view = new LiveView(this.#output);
      // All of its journal is told from the first event on.
      this.#view.begin([]);
      return this.#view.observer;
    },
    onEnd: () => this.close(),
    onFailure: (_index, error) => {
      this.notice(oneLine(error.message));
      this.close();
    },
  };

  notice(text: string): void {
    if (this.#view) this.#view.notice(text);
    else this.#output.write(`${text}\n`);
  }

  close(): void {
    this.#view?.close();
    this.#view = null;
  }
}
