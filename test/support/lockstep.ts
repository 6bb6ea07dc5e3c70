/**
 * A model whose replies come in an order that depends on nothing but what is asked: when no new request has come for a
 * while (counted in turns of the event loop, not in time), the pending one with the smallest hash is answered.
 * So a run with racing branches has one journal, whatever the machine is doing, and a resumed one can be compared.
 */
import type { Model, ModelCall, ModelReply, ModelRequest } from '../../src/core/model.ts';
import { hashText } from '../../src/run/hash.ts';

type Pending = { key: string; answer(): void; abort(): void };

/** While a fast machine appends to its store, more than a hundred go by. */
const quietTurns = 400;

export class Lockstep {
  readonly #pending = new Map<string, Pending>();
  #arrivals = 0;
  #isWatching = false;
  readonly #slowMs: number;
  #repliesLeft: number;

  /** How long every reply takes at least, and how many there are before it falls silent. */
  constructor(slowMs = 0, replies = Number.POSITIVE_INFINITY) {
    this.#slowMs = slowMs;
    this.#repliesLeft = replies;
  }

  /** Waits for its turn; false where the signal came first. */
  turn(key: string, signal: AbortSignal): Promise<boolean> {
    this.#arrivals += 1;
    return new Promise((resolve) => {
      const end = (mine: boolean): void => {
        this.#pending.delete(key);
        signal.removeEventListener('abort', onAbort);
        resolve(mine);
      };
      const onAbort = (): void => end(false);
      if (signal.aborted) return resolve(false);
      signal.addEventListener('abort', onAbort);
      this.#pending.set(key, { key, answer: () => end(true), abort: onAbort });
      if (!this.#isWatching) void this.#watch();
    });
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#pending.size > 0 && this.#repliesLeft > 0) {
      const before = this.#arrivals;
      for (let turn = 0; turn < quietTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (this.#slowMs) await new Promise((resolve) => setTimeout(resolve, this.#slowMs));
      if (this.#arrivals !== before) continue;
      this.#repliesLeft -= 1;
      const keys = [...this.#pending.keys()].sort((a, b) => (hashText(a) < hashText(b) ? -1 : 1));
      this.#pending.get(keys[0] ?? '')?.answer();
    }
    this.#isWatching = false;
  }
}

/** `reply` is a pure function; `onPerform` is told of every call that reaches the "provider". */
export function lockstepModel(options: {
  lockstep: Lockstep;
  reply: (request: ModelRequest, call: ModelCall) => string;
  onPerform?: (moment: 'before' | 'during' | 'after', key: string) => void;
}): Model {
  return {
    id: 'test/lockstep',
    kind: 'script',
    takes: { images: true, tools: true },
    price: { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 2 },
    async generate(request, call): Promise<ModelReply> {
      const key = `model ${call.branch} ${call.role} ${call.index} ${call.attempt}`;
      options.onPerform?.('before', key);
      const mine = await options.lockstep.turn(key, call.signal);
      if (!mine) {
        return { ok: false, error: { kind: 'aborted', message: 'aborted', retryable: false }, usage: null };
      }
      options.onPerform?.('during', key);
      const text = options.reply(request, call);
      options.onPerform?.('after', key);
      const tokens = { input: 10, cachedInput: 0, output: text.length, reasoning: 0 };
      const message = { role: 'assistant', content: [{ type: 'text', text }] } as const;
      const object = request.output ? { object: JSON.parse(text) } : {};
      return { ok: true, message, finish: 'stop', usage: { tokens, costUsd: null }, ...object };
    },
  };
}
