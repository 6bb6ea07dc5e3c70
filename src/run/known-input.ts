/** A provider's token count bounds the same messages when a later request of the run repeats them, tighter than their bytes. */
import { definitionsBound, inputBound, messageBound } from '../core/bound.ts';
import type { Message, ModelRequest } from '../core/model.ts';
import type { Tokens } from '../core/usage.ts';

type Counted = {
  readonly spec: string;
  readonly request: ModelRequest;
  /** All that the provider counted, its answer included. */
  readonly tokens: number;
};

export class KnownInput {
  /** By the answer, which ends the conversation that was counted. */
  readonly #counted = new WeakMap<Message, Counted>();

  learn(spec: string, request: ModelRequest, answer: Message, tokens: Tokens | null): void {
    if (tokens) this.#counted.set(answer, { spec, request, tokens: tokens.input + tokens.output });
  }

  /** Tokens of the request at most. */
  bound(spec: string, request: ModelRequest): number {
    const { messages } = request;
    const index = messages.findLastIndex((message) => this.#counted.has(message));
    const answer = messages[index];
    const counted = answer && this.#counted.get(answer);
    const whole = inputBound(request, spec);
    if (!counted || counted.spec !== spec || !beginsAlike(counted.request, messages, index)) return whole;
    const added = messages.slice(index + 1).reduce((sum, message) => sum + messageBound(message, spec), 0);
    const redefined = isDefinedAlike(counted.request, request) ? 0 : definitionsBound(request);
    // The template may put a few tokens between what was the end and what follows it.
    return Math.min(whole, counted.tokens + messageBound(noWords, spec) + redefined + added);
  }
}

const noWords: Message = { role: 'user', content: '' };

function beginsAlike({ messages }: ModelRequest, now: readonly Message[], index: number): boolean {
  return messages.length === index && messages.every((message, at) => message === now[at]);
}

function isDefinedAlike(before: ModelRequest, now: ModelRequest): boolean {
  return before.tools === now.tools && JSON.stringify(before.output) === JSON.stringify(now.output);
}
