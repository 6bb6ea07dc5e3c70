/** Messages and answers that people send to a live run. Receipt is an effect: what was read is read again at the same place. */
import type { SettlementEvent } from '../core/history.ts';
import type { Store } from '../core/store.ts';
import { looks } from './looking.ts';

type Received = { readonly messages: readonly string[]; readonly lastId: number };
type AnswerReceived = { readonly text: string; readonly id: number };

export class Inbox {
  readonly #options: { store: Store; runId: string };
  #lastTell = 0;
  #lastAnswer = 0;

  constructor(options: { store: Store; runId: string; history: readonly SettlementEvent[] }) {
    this.#options = options;
    for (const { kind, body } of options.history) {
      if (body.status !== 'ok') continue;
      if (kind === 'inbox') this.#lastTell = Math.max(this.#lastTell, (body.result as Received).lastId);
      if (kind === 'answer')
        this.#lastAnswer = Math.max(this.#lastAnswer, (body.result as AnswerReceived).id);
    }
  }

  /** What was told since the last look. */
  async receive(): Promise<Received> {
    const { store, runId } = this.#options;
    const found = await store.mail(runId, this.#lastTell);
    // Another branch may have looked meanwhile: what it read is not read twice.
    const messages = found.filter(({ kind, id }) => kind === 'tell' && id > this.#lastTell);
    this.#lastTell = messages.at(-1)?.id ?? this.#lastTell;
    return { messages: messages.map(({ text }) => text), lastId: this.#lastTell };
  }

  /** Waits for the next answer; questions that are open at once are answered in the order in which they look. */
  async answer(signal: AbortSignal): Promise<AnswerReceived> {
    const { store, runId } = this.#options;
    const isOurs = (topic: string): boolean => topic === `mail ${runId}`;
    for await (const _ of looks(store, { isOurs, signal })) {
      const messages = await store.mail(runId, this.#lastAnswer);
      const next = messages.find(({ kind, id }) => kind === 'answer' && id > this.#lastAnswer);
      if (next) {
        this.#lastAnswer = next.id;
        return { text: next.text, id: next.id };
      }
    }
    throw signal.reason;
  }
}
