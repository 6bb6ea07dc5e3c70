/**
 * A provider's token count bounds the same messages when a later request of the run repeats them, tighter than their bytes. A
 * reply that is longer than its limit bounds later ones.
 */
import {
  definitionsBound,
  estimateInputTokens,
  type MessageSize,
  messagesBound,
  noMessages,
  requestBound,
  withMessage,
} from '../core/bound.ts';
import { Conversation, fullPrefix, isSame, type Prefix } from '../core/conversation.ts';
import type { Message, ModelRequest } from '../core/model.ts';
import type { Tokens } from '../core/usage.ts';

type MeasuredMessages = MessageSize & {
  /** The last answer within that a provider has counted, with all before it. */
  readonly counted?: CountedPrefix & { readonly at: MessageSize };
};

type CountedPrefix = {
  readonly spec: string;
  /** What was said before the answer. */
  readonly asked: Prefix;
  readonly request: Omit<ModelRequest, 'messages'>;
  /** All that the provider counted, its answer included. */
  readonly tokens: number;
};

export class KnownInput {
  /** By the answer, which ends the conversation that was counted. */
  readonly #counted = new WeakMap<Message, CountedPrefix>();
  readonly #said = new Conversation<MeasuredMessages>();
  /** By model, what was written past a limit. */
  readonly #maxKnownInput = new Map<string, number>();

  record(spec: string, request: ModelRequest, answer: Message, tokens: Tokens | null): void {
    const { messages, ...rest } = request;
    const prefix = fullPrefix(messages);
    const limit = request.settings?.maxOutputTokens ?? Number.POSITIVE_INFINITY;
    if (tokens && tokens.output > limit)
      this.#maxKnownInput.set(spec, Math.max(tokens.output, this.maxKnownInput(spec)));
    if (!tokens || !prefix) return;
    this.#counted.set(answer, { spec, asked: prefix, request: rest, tokens: tokens.input + tokens.output });
  }

  /** The longest reply of a model that was longer than its limit; 0 where none was. */
  maxKnownInput(spec: string): number {
    return this.#maxKnownInput.get(spec) ?? 0;
  }

  /** Tokens of the request at most. */
  bound(spec: string, request: ModelRequest): number {
    const said = this.#measure(request.messages);
    const total = requestBound(request, said, spec);
    const { counted } = said;
    if (counted?.spec !== spec) return total;
    const added = messagesBound(said, spec) - messagesBound(counted.at, spec);
    const redefined = hasSameTools(counted.request, request) ? 0 : definitionsBound(request);
    // The template may put a few tokens between what was the end and what follows it.
    return Math.min(total, counted.tokens + messagesBound(noWords, spec) + redefined + added);
  }

  /** What it comes to on average. */
  estimate(request: ModelRequest): number {
    return estimateInputTokens(request, this.#measure(request.messages));
  }

  #measure(messages: readonly Message[]): MeasuredMessages {
    const said = this.#said.last(messages, (message, before: MeasuredMessages = noMessages, prefix) => {
      const counts = this.#counted.get(message);
      const now = withMessage(before, message);
      if (counts && isSame(counts.asked, prefix)) return { ...now, counted: { ...counts, at: now } };
      return { ...now, counted: before.counted };
    });
    return said ?? noMessages;
  }
}

const noWords: MessageSize = { messages: 1, text: 0, images: 0 };

function hasSameTools(before: Omit<ModelRequest, 'messages'>, now: ModelRequest): boolean {
  return before.tools === now.tools && JSON.stringify(before.output) === JSON.stringify(now.output);
}
