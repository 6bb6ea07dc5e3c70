/**
 * What a wire has to say: one reply of a model, in the pieces that every provider's protocol has. Pure; knows no wire.
 */
import { createHash } from 'node:crypto';
import type { AssistantMessage, FinishReason, ModelSuccess } from '../../core/model.ts';
import type { Tokens } from '../../core/usage.ts';

export type SaidCall = { readonly id: string; readonly name: string; readonly json: string };

export type Said = {
  /** Unlike that of any other reply of this server. */
  readonly id: string;
  readonly model: string;
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly SaidCall[];
  readonly finish: FinishReason;
  /** Null: the server tells no usage. */
  readonly tokens: Tokens | null;
};

export function saidOf(reply: ModelSuccess, { id, model }: Pick<Said, 'id' | 'model'>): Said {
  const { message, finish, usage } = reply;
  return {
    id,
    model,
    reasoning: wordsOf(message, 'reasoning'),
    text: wordsOf(message, 'text'),
    calls: message.content.flatMap((part, index) => {
      if (part.type !== 'tool-call') return [];
      const json = part.args ? JSON.stringify(part.args) : (part.raw ?? '');
      return [{ id: `${id}_${index}`, name: part.name, json }];
    }),
    finish,
    tokens: usage.tokens,
  };
}

function wordsOf({ content }: AssistantMessage, type: 'text' | 'reasoning'): string {
  return content.map((part) => (part.type === type ? part.text : '')).join('');
}

/** As they stream: a few characters each, and never half of one. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [];
}

/** What proves that a thought is this server's own and was not changed on its way through a client's history. */
export function signatureOf(thought: string): string {
  return createHash('sha256').update(`thought: ${thought}`).digest('base64');
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Seconds since 1970, the same for every reply: replies are equal where requests are. */
export const createdAtSeconds = 1_900_000_000;
