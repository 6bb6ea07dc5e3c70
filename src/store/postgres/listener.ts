/**
 * What the server tells unasked (LISTEN), on one of the connections of this process; where that is lost, on another. It knows
 * no table: who hears a topic looks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hints } from '../../core/store.ts';
import type { Server } from './server.ts';

const againAfterMs = 1_000;

export class Listener implements Hints {
  readonly #server: Server;
  readonly #quietMs: number;
  readonly #hearers = new Set<(topic: string | null) => void>();
  readonly #closing = new AbortController();
  #listening: Promise<void> | null = null;
  quietMs: number | null = null;

  constructor(server: Server, idleMs: number) {
    this.#server = server;
    this.#quietMs = idleMs;
  }

  on(onMessage: (topic: string | null) => void): () => void {
    this.#hearers.add(onMessage);
    this.#listening ??= this.#listen(this.#closing.signal);
    return () => this.#hearers.delete(onMessage);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const report = (topic: string | null): void => {
      for (const onMessage of [...this.#hearers]) onMessage(topic);
    };
    const onBegin = (): void => {
      this.quietMs = this.#quietMs;
      // What was told before is lost.
      report(null);
    };
    while (!signal.aborted) {
      await this.#server.listen(onBegin, report, signal).catch(() => undefined);
      this.quietMs = null;
      await sleep(againAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
