/**
 * The parts of a reply as they stream in from a provider of the AI SDK: each block of thoughts or words is a part of its
 * own, with what its provider attached to it, which may come with its beginning, in its middle or at its end.
 */
import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { AssistantMessage, ModelCall, ToolCallPart } from '../core/model.ts';
import { parseToolArgs } from './reply.ts';

type Part = AssistantMessage['content'][number];
type Spoken = Exclude<Part, ToolCallPart>;
type Block = {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
};

export class PartCollector {
  readonly #parts: Part[] = [];
  /** Where the open block of a type and id stands. */
  readonly #open = new Map<string, number>();
  readonly #onDelta: ModelCall['onDelta'];

  constructor(onDelta: ModelCall['onDelta']) {
    this.#onDelta = onDelta;
  }

  /** Without blocks that hold nothing, not even what is to be given back. */
  get content(): readonly Part[] {
    return this.#parts.filter((part) => part.type === 'tool-call' || part.text !== '' || part.provider);
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
        return this.#grow('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#grow('reasoning', part);
      case 'text-end':
        return this.#end('text', part);
      case 'reasoning-end':
        return this.#end('reasoning', part);
      case 'tool-call':
        this.#parts.push(toToolCall(part));
    }
  }

  #end(type: Spoken['type'], block: Block): void {
    this.#grow(type, block);
    // Another block may have the same id later.
    this.#open.delete(`${type} ${block.id}`);
  }

  #grow(type: Spoken['type'], block: Block): void {
    const { delta = '', providerMetadata } = block;
    const key = `${type} ${block.id}`;
    const index = this.#open.get(key) ?? this.#parts.push({ type, text: '' }) - 1;
    this.#open.set(key, index);
    const before = this.#parts[index];
    if (!before || before.type === 'tool-call') return;
    const provider = merged(before.provider, kept(type, providerMetadata));
    this.#parts[index] = { ...before, text: before.text + delta, ...metadata(provider) };
    if (delta !== '') this.#onDelta?.({ type, text: delta });
  }
}

/** What came with a reply as a whole goes with its first thought, if need be with an empty one. */
export function withThoughtMetadata(
  { role, content }: AssistantMessage,
  provider: SharedV4ProviderMetadata | undefined,
): AssistantMessage {
  if (!provider) return { role, content };
  const index = content.findIndex(({ type }) => type === 'reasoning');
  if (index < 0) return { role, content: [{ type: 'reasoning', text: '', provider }, ...content] };
  return { role, content: content.map((part, at) => (at === index ? { ...part, provider } : part)) };
}

export function toToolCall(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): ToolCallPart {
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  return { type: 'tool-call', id, name, ...parseToolArgs(input), ...metadata(providerMetadata) };
}

export function metadata(provider: SharedV4ProviderMetadata | undefined) {
  return provider ? { provider } : {};
}

/** Of what is attached to words, only these have to be given back; thoughts are given back with all. */
const neededWithText = ['phase', 'thoughtSignature'];

export function kept(
  type: Spoken['type'],
  provider: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (type === 'reasoning' || !provider) return provider;
  const needed = Object.entries(provider).filter(([, fields]) =>
    neededWithText.some((name) => fields[name] !== undefined && fields[name] !== null),
  );
  return needed.length > 0 ? Object.fromEntries(needed) : undefined;
}

function merged(
  before: Spoken['provider'],
  more: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (!before) return more;
  const whole: SharedV4ProviderMetadata = { ...(before as SharedV4ProviderMetadata) };
  for (const [name, fields] of Object.entries(more ?? {})) whole[name] = { ...whole[name], ...fields };
  return whole;
}
