/** A reply of the AI SDK's specification v4, streamed or whole, as our message or failure. Knows no prices. */
import {
  InvalidResponseDataError,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
  type SharedV4ProviderMetadata,
  type SharedV4Warning,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { ModelCall, ModelFailure, ToolCallPart } from '../core/model.ts';
import type { Tokens } from '../core/usage.ts';
import { failureOf } from './ai-sdk-failure.ts';
import {
  type Collected,
  checkCallCount,
  checkReplyLength,
  endedEarly,
  judged,
  type ReplyPart,
  tokenCount,
} from './collected.ts';
import { emitComplete, parseToolArgs, ReplyTooLong } from './reply.ts';

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Reads the stream to its end, also past an error: the usage comes last. Throws `ReplyTooLong`. */
export async function collectStream(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  onDelta: ModelCall['onDelta'],
): Promise<Collected> {
  const parts = new PartCollector(onDelta);
  let end: Finish | undefined;
  let error: { readonly thrown: unknown } | undefined;
  let modelId: string | undefined;
  let warnings: readonly SharedV4Warning[] = [];
  let hasArrived = false;
  try {
    for await (const part of stream) {
      if (part.type === 'error') error ??= { thrown: part.error };
      else if (part.type === 'finish') end = part;
      else if (part.type === 'stream-start') warnings = part.warnings;
      else hasArrived = true;
      if (part.type === 'response-metadata') modelId = part.modelId ?? modelId;
      parts.add(part);
    }
  } catch (thrown) {
    if (thrown instanceof ReplyTooLong) throw thrown;
    error ??= { thrown };
  }
  const isCut = error ? isEarlyEnd(error.thrown) : isIncompleteReason(end?.finishReason);
  const failed = error && failureOf(error.thrown, Date.now());
  return collected(parts.content, { ...end, warnings, modelId }, isCut ? endedEarly(hasArrived) : failed);
}

export function collectComplete(
  result: LanguageModelV4GenerateResult,
  onDelta: ModelCall['onDelta'],
): Collected {
  checkReplyLength(result.content.reduce((sum, part) => sum + lengthOf(part), 0));
  const content = result.content.flatMap(toPart);
  emitComplete({ role: 'assistant', content }, { onDelta });
  return collected(content, { ...result, modelId: result.response?.modelId });
}

function collected(
  content: readonly ReplyPart[],
  reply: Partial<Finish> & { readonly warnings: readonly SharedV4Warning[]; readonly modelId?: string },
  failed?: ModelFailure,
): Collected {
  const { finishReason, usage, providerMetadata, warnings, modelId } = reply;
  return judged({
    content,
    raw: rawReason(finishReason),
    tokens: tokensOf(usage),
    servedBy: modelId,
    tier: serviceTierIn(providerMetadata),
    notices: warnings.map(wordsOf),
    failed,
  });
}

const longestWarning = 200;

function wordsOf(warning: SharedV4Warning): string {
  const { message, feature, details } = { message: '', feature: '', details: '', ...warning };
  const words = message || `${feature} is not supported${details ? `: ${details}` : ''}`;
  return words.length > longestWarning ? `${words.slice(0, longestWarning)}…` : words;
}

/** How some packages report a stream without a finish reason: complete data, and none of it at fault. */
function isEarlyEnd(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}

/** Or as no error at all: the package then invents a reason, for which its provider gave no word. */
function isIncompleteReason(reason: LanguageModelV4FinishReason | undefined): boolean {
  return (
    !reason || reason.unified === 'interrupted' || (reason.unified === 'other' && reason.raw === undefined)
  );
}

/** The packages invent a reason where the provider's word is missing, or is none. */
function rawReason(reason: LanguageModelV4FinishReason | undefined): string | undefined {
  return reason && (reason.raw ?? unifiedReasons[reason.unified]);
}

const unifiedReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], string | undefined>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
  error: 'error',
  interrupted: undefined,
  other: undefined,
};

/** OpenAI and Anthropic report it, each under its own name. */
const tierSchema = z.looseObject({
  serviceTier: z.string().nullish().catch(null),
  usage: z.object({ service_tier: z.string().nullish() }).nullish().catch(null),
});

function serviceTierIn(metadata: SharedV4ProviderMetadata = {}): string | undefined {
  const found = Object.values(metadata).flatMap((fields) => {
    const { serviceTier, usage } = tierSchema.parse(fields);
    return serviceTier ?? usage?.service_tier ?? [];
  });
  return found[0];
}

/** Counts that the provider left out, or that are none, are unknown, not zero; only the details may be missing. */
function tokensOf(usage: LanguageModelV4Usage | undefined): Tokens | null {
  const input = tokenCount(usage?.inputTokens.total);
  const count = tokenCount(usage?.outputTokens.total);
  if (input === undefined || count === undefined) return null;
  const reasoning = tokenCount(usage?.outputTokens.reasoning) ?? 0;
  // More thoughts than all that was said are no part of it: they were counted beside it.
  const output = reasoning > count ? count + reasoning : count;
  const cachedInput = Math.min(tokenCount(usage?.inputTokens.cacheRead) ?? 0, input);
  const written = Math.min(tokenCount(usage?.inputTokens.cacheWrite) ?? 0, input - cachedInput);
  return { input, cachedInput, ...(written > 0 ? { cacheWriteInput: written } : {}), output, reasoning };
}

type DeltaType = Exclude<ReplyPart, ToolCallPart>['type'];
type Block = {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
};

/** The parts of a streamed reply, one for each block, with metadata from its beginning, middle or end. */
class PartCollector {
  readonly #parts: ReplyPart[] = [];
  /** The index of the open block of a type and id. */
  readonly #open = new Map<string, number>();
  readonly #onDelta: ModelCall['onDelta'];
  #length = 0;
  #calls = 0;

  constructor(onDelta: ModelCall['onDelta']) {
    this.#onDelta = onDelta;
  }

  /** Without blocks that hold nothing, not even what is to be given back. */
  get content(): readonly ReplyPart[] {
    return this.#parts.filter((part) => part.type === 'tool-call' || part.text !== '' || part.provider);
  }

  /** Throws `ReplyTooLong`. */
  add(part: LanguageModelV4StreamPart): void {
    this.#length = checkReplyLength(this.#length + lengthOf(part));
    // Where calls share an index, the provider's package looks through all of them for each piece.
    if (part.type === 'tool-input-start') this.#calls += 1;
    checkCallCount(this.#calls);
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
        return this.#appendDelta('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#appendDelta('reasoning', part);
      case 'text-end':
        return this.#end('text', part);
      case 'reasoning-end':
        return this.#end('reasoning', part);
      case 'tool-call':
        this.#parts.push(toToolCall(part));
    }
  }

  #end(type: DeltaType, block: Block): void {
    this.#appendDelta(type, block);
    // Another block may have the same id later.
    this.#open.delete(`${type} ${block.id}`);
  }

  #appendDelta(type: DeltaType, { id, delta = '', providerMetadata }: Block): void {
    const key = `${type} ${id}`;
    const index = this.#open.get(key) ?? this.#parts.push({ type, text: '' }) - 1;
    this.#open.set(key, index);
    const before = this.#parts[index];
    if (!before || before.type === 'tool-call') return;
    const provider = merged(before.provider, kept(type, providerMetadata));
    this.#parts[index] = { ...before, text: before.text + delta, ...metadata(provider) };
    if (delta !== '') this.#onDelta?.({ type, text: delta });
  }
}

function lengthOf(part: LanguageModelV4StreamPart | LanguageModelV4Content): number {
  if (part.type === 'tool-call') return part.input.length;
  if (part.type === 'text' || part.type === 'reasoning') return part.text.length;
  return part.type === 'text-delta' || part.type === 'reasoning-delta' ? part.delta.length : 0;
}

function merged(
  before: ReplyPart['provider'],
  more: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (!before) return more;
  const full: SharedV4ProviderMetadata = { ...(before as SharedV4ProviderMetadata) };
  for (const [name, fields] of Object.entries(more ?? {})) full[name] = { ...full[name], ...fields };
  return full;
}

function toPart(part: LanguageModelV4Content): ReplyPart[] {
  if (part.type === 'tool-call') return [toToolCall(part)];
  if (part.type !== 'text' && part.type !== 'reasoning') return [];
  const { type, text, providerMetadata } = part;
  return [{ type, text, ...metadata(kept(type, providerMetadata)) }];
}

function toToolCall(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): ToolCallPart {
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  return { type: 'tool-call', id, name, ...parseToolArgs(input), ...metadata(providerMetadata) };
}

function metadata(provider: SharedV4ProviderMetadata | undefined) {
  return provider ? { provider } : {};
}

/** Of what is attached to words, only these have to be given back; thoughts are given back with all. */
const neededWithText = ['phase', 'thoughtSignature'];

function kept(
  type: DeltaType,
  provider: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (type === 'reasoning' || !provider) return provider;
  const needed = Object.entries(provider).filter(([, fields]) =>
    neededWithText.some((name) => fields[name] !== undefined && fields[name] !== null),
  );
  return needed.length > 0 ? Object.fromEntries(needed) : undefined;
}
