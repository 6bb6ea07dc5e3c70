/**
 * A provider's token count bounds the same messages when a later request of the run repeats them, tighter than their bytes. A
 * reply that is longer than its limit bounds later ones.
 */
import {
  definitionsBound,
  likelyInput,
  type Measure,
  messagesBound,
  noMessages,
  requestBound,
  withMessage,
} from '../core/bound.ts';
import { type Beginning, Conversation, isSame, wholeOf } from '../core/conversation.ts';
import type { Message, ModelRequest } from '../core/model.ts';
import type { Tokens } from '../core/usage.ts';

type Said = Measure & {
  /** The last answer within that a provider has counted, with all before it. */
  readonly counted?: Counted & { readonly at: Measure };
};

type Counted = {
  readonly spec: string;
  /** What was said before the answer. */
  readonly asked: Beginning;
  readonly request: Omit<ModelRequest, 'messages'>;
  /** All that the provider counted, its answer included. */
  readonly tokens: number;
};

export class KnownInput {
  /** By the answer, which ends the conversation that was counted. */
  readonly #counted = new WeakMap<Message, Counted>();
  readonly #said = new Conversation<Said>();
  /** By model, what was written past a limit. */
  readonly #overlong = new Map<string, number>();

  learn(spec: string, request: ModelRequest, answer: Message, tokens: Tokens | null): void {
    const { messages, ...rest } = request;
    const asked = wholeOf(messages);
    const limit = request.settings?.maxOutputTokens ?? Number.POSITIVE_INFINITY;
    if (tokens && tokens.output > limit)
      this.#overlong.set(spec, Math.max(tokens.output, this.overlong(spec)));
    if (!tokens || !asked) return;
    this.#counted.set(answer, { spec, asked, request: rest, tokens: tokens.input + tokens.output });
  }

  /** The longest reply of a model that was longer than its limit; 0 where none was. */
  overlong(spec: string): number {
    return this.#overlong.get(spec) ?? 0;
  }

  /** Tokens of the request at most. */
  bound(spec: string, request: ModelRequest): number {
    const said = this.#measure(request.messages);
    const whole = requestBound(request, said, spec);
    const { counted } = said;
    if (counted?.spec !== spec) return whole;
    const added = messagesBound(said, spec) - messagesBound(counted.at, spec);
    const redefined = isDefinedAlike(counted.request, request) ? 0 : definitionsBound(request);
    // The template may put a few tokens between what was the end and what follows it.
    return Math.min(whole, counted.tokens + messagesBound(noWords, spec) + redefined + added);
  }

  /** What it comes to on average. */
  likely(request: ModelRequest): number {
    return likelyInput(request, this.#measure(request.messages));
  }

  #measure(messages: readonly Message[]): Said {
    const said = this.#said.last(messages, (message, before: Said = noMessages, earlier) => {
      const counted = this.#counted.get(message);
      const now = withMessage(before, message);
      if (counted && isSame(counted.asked, earlier)) return { ...now, counted: { ...counted, at: now } };
      return { ...now, counted: before.counted };
    });
    return said ?? noMessages;
  }
}

const noWords: Measure = { messages: 1, text: 0, images: 0 };

function isDefinedAlike(before: Omit<ModelRequest, 'messages'>, now: ModelRequest): boolean {
  return before.tools === now.tools && JSON.stringify(before.output) === JSON.stringify(now.output);
}
