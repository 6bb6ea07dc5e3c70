/**
 * OpenRouter's `reasoning_details`: what its providers seal and sign of their thoughts, streamed in pieces. They are
 * collected, kept with the turn's thoughts, and sent back as a field of that turn. Pure.
 */
import type { MetadataExtractor } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4Prompt, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { z } from 'zod';
import type { JsonObject } from '../core/json.ts';

const detail = z.record(z.string(), z.json());
const details = z.array(detail);
const holder = z.object({ reasoning_details: details.nullish() });
const replySchema = z.object({
  choices: z.array(z.object({ message: holder.optional(), delta: holder.optional() })),
});

const detailsKey = 'openrouter';

/** Of what came with a reply, what its thoughts have to keep. */
export function keptDetails(metadata: SharedV4ProviderMetadata): SharedV4ProviderMetadata | undefined {
  const found = metadata[detailsKey];
  return found ? { [detailsKey]: found } : undefined;
}

/** Back into the turns that they came with. */
export function withDetails(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'assistant') return message;
    const holding = message.content.find((part) => part.providerOptions?.[detailsKey]);
    const found = holding?.providerOptions?.[detailsKey];
    return found ? { ...message, providerOptions: { openaiCompatible: found } } : message;
  });
}

export const detailsExtractor: MetadataExtractor = {
  extractMetadata: async ({ parsedBody }) => metadataOf(detailsIn(parsedBody)),
  createStreamExtractor() {
    const seen: JsonObject[] = [];
    return {
      processChunk: (chunk) => void seen.push(...detailsIn(chunk)),
      buildMetadata: () => metadataOf(joined(seen)),
    };
  },
};

function detailsIn(reply: unknown): readonly JsonObject[] {
  const { choices = [] } = replySchema.safeParse(reply).data ?? {};
  return choices.flatMap(({ message, delta }) => (message ?? delta)?.reasoning_details ?? []);
}

function metadataOf(found: readonly JsonObject[]) {
  if (found.length === 0) return undefined;
  return { [detailsKey]: { reasoning_details: details.parse(found) } };
}

/** Pieces of one detail have its index; their words are put together, of all else the last word counts. */
function joined(pieces: readonly JsonObject[]): readonly JsonObject[] {
  const whole = new Map<string, JsonObject>();
  for (const [at, piece] of pieces.entries()) {
    const key = piece.index === undefined ? `piece ${at}` : `${piece.type} ${piece.index}`;
    whole.set(key, grown(whole.get(key) ?? {}, piece));
  }
  return [...whole.values()];
}

const growing = ['text', 'summary'];

function grown(before: JsonObject, piece: JsonObject): JsonObject {
  const told = Object.entries(piece).filter(([, value]) => value !== null);
  return {
    ...before,
    ...Object.fromEntries(
      told.map(([name, value]) => [
        name,
        growing.includes(name) && typeof value === 'string' ? `${before[name] ?? ''}${value}` : value,
      ]),
    ),
  };
}
