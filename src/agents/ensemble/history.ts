/** The steps of a ReAct run as a conversation, and what is left of it when it is summarised. Pure. */
import { type Message, textOf } from '../../core/model.ts';

type Step = { readonly said: Message; readonly observation: Message };

export class History {
  #summary: string | null = null;
  #steps: Step[] = [];

  add(said: Message, observation: Message): void {
    this.#steps.push({ said, observation });
  }

  get messages(): Message[] {
    const steps = this.#steps.flatMap(({ said, observation }) => [said, observation]);
    if (this.#summary === null) return steps;
    const summary = { role: 'user', content: this.#summary } as const;
    return [summary, ...steps];
  }

  /** Whether there is something besides the last observation that a summary could make shorter. */
  get isLong(): boolean {
    return this.#steps.length > 1;
  }

  /** An estimate, the same on every machine: four bytes are a token. */
  get tokens(): number {
    return Math.ceil(new TextEncoder().encode(this.transcript).length / 4);
  }

  /** For who summarises it. */
  get transcript(): string {
    return this.messages.map((message) => wordsOf(message)).join('\n\n');
  }

  /** All steps go but what the last one showed. */
  replaceAllButLast(summary: string): void {
    const last = this.#steps.at(-1);
    this.#summary = last ? `${summary}\n\n${wordsOf(last.observation)}` : summary;
    this.#steps = [];
  }
}

function wordsOf(message: Message): string {
  if (message.role === 'assistant') return textOf(message);
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
