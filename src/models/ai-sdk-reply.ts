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
import type { AssistantMessage, FinishReason, ModelCall, ModelFailure, ToolCallPart } from '../core/model.ts';
import { namedTier } from '../core/service-tiers.ts';
import type { Tokens } from '../core/usage.ts';
import { failureOf } from './ai-sdk-failure.ts';
import { failure, parseToolArgs, ReplyTooLong, tellWhole, unknownUsage } from './reply.ts';

export type Collected = {
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  /** Null where the provider did not say. */
  readonly tokens: Tokens | null;
  readonly toldCostUsd: number | undefined;
  readonly servedBy: string | undefined;
  /** Missing for the standard tier. */
  readonly serviceTier: string | undefined;
  /** What the provider's package tells of the reply as a whole. */
  readonly metadata: SharedV4ProviderMetadata | undefined;
  /** What the provider's package could not send as it was asked; missing where there is nothing. */
  readonly notices: readonly string[] | undefined;
  /** Why this is no reply. Its tokens may be known all the same. */
  readonly failure: ModelFailure | undefined;
};

type Part = AssistantMessage['content'][number];
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Reads the stream to its end, also past an error: the usage comes last. Throws where the stream breaks. */
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
  for await (const part of stream) {
    if (part.type === 'error') error ??= { thrown: part.error };
    else if (part.type === 'finish') end = part;
    else if (part.type === 'stream-start') warnings = part.warnings;
    else hasArrived = true;
    if (part.type === 'response-metadata') modelId = part.modelId ?? modelId;
    parts.add(part);
  }
  const endedEarly = error ? isEarlyEnd(error.thrown) : isUnfinished(end?.finishReason);
  const failed = error && failureOf(error.thrown, Date.now());
  return collected(parts.content, { ...end, warnings, modelId }, endedEarly ? cutOff(hasArrived) : failed);
}

export function collectWhole(
  result: LanguageModelV4GenerateResult,
  onDelta: ModelCall['onDelta'],
): Collected {
  boundedLength(result.content.reduce((sum, part) => sum + lengthOf(part), 0));
  const content = result.content.flatMap(toPart);
  tellWhole({ role: 'assistant', content }, { onDelta });
  return collected(content, { ...result, modelId: result.response?.modelId });
}

function collected(
  content: readonly Part[],
  reply: Partial<Finish> & { readonly warnings: readonly SharedV4Warning[]; readonly modelId?: string },
  failed?: ModelFailure,
): Collected {
  const { finishReason, usage, providerMetadata, warnings, modelId } = reply;
  const finish = finishOf(finishReason?.unified, content);
  const cost = usage?.raw?.cost;
  return {
    message: { role: 'assistant', content },
    finish,
    tokens: tokensOf(usage),
    toldCostUsd: typeof cost === 'number' && cost >= 0 && cost < 1e9 ? cost : undefined,
    servedBy: modelId,
    serviceTier: tierIn(providerMetadata),
    metadata: providerMetadata,
    notices: warnings.length > 0 ? warnings.map(wordsOf) : undefined,
    failure: failed ?? brokenBy(finishReason) ?? emptiness(content, finish),
  };
}

/** OpenAI's packages name it so. */
function tierIn(metadata: SharedV4ProviderMetadata = {}): string | undefined {
  return Object.values(metadata)
    .map(({ serviceTier }) => namedTier(serviceTier))
    .find((tier) => tier !== undefined);
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
function isUnfinished(reason: LanguageModelV4FinishReason | undefined): boolean {
  return (
    !reason || reason.unified === 'interrupted' || (reason.unified === 'other' && reason.raw === undefined)
  );
}

const billed = { retryable: true, usage: unknownUsage };

function cutOff(hasArrived: boolean): ModelFailure {
  return hasArrived
    ? failure('network', 'The reply was cut off: its stream ended early.', billed)
    : failure('malformed', 'The reply is empty: no event arrived.', billed);
}

function brokenBy(reason: LanguageModelV4FinishReason | undefined): ModelFailure | undefined {
  if (reason?.unified !== 'error') return undefined;
  const message = `The provider says that its reply went wrong: ${reason.raw ?? 'no reason told'}.`;
  return failure('malformed', message, billed);
}

/** Thoughts alone answer nothing, and a refusal or a cut-off says why there is no more. */
function emptiness(content: readonly Part[], finish: FinishReason): ModelFailure | undefined {
  const isSilent = content.every((part) => part.type === 'reasoning' || (part.type === 'text' && !part.text));
  if (!isSilent || (finish !== 'stop' && finish !== 'cut')) return undefined;
  return failure('malformed', 'The reply is empty: the model said nothing.', billed);
}

const finishReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'refusal',
  error: 'cut',
  interrupted: 'cut',
  other: 'cut',
};

/** Some servers end a turn that calls tools with `stop`. */
function finishOf(
  unified: LanguageModelV4FinishReason['unified'] = 'other',
  content: readonly Part[],
): FinishReason {
  const finish = finishReasons[unified];
  return finish === 'stop' && content.some((part) => part.type === 'tool-call') ? 'tool-calls' : finish;
}

/** Counts that the provider left out, or that are none, are unknown, not zero; only the details may be missing. */
function tokensOf(usage: LanguageModelV4Usage | undefined): Tokens | null {
  const input = countIn(usage?.inputTokens.total);
  const said = countIn(usage?.outputTokens.total);
  if (input === undefined || said === undefined) return null;
  const reasoning = countIn(usage?.outputTokens.reasoning) ?? 0;
  // More thoughts than all that was said are no part of it: they were counted beside it.
  const output = reasoning > said ? said + reasoning : said;
  const cachedInput = Math.min(countIn(usage?.inputTokens.cacheRead) ?? 0, input);
  const written = Math.min(countIn(usage?.inputTokens.cacheWrite) ?? 0, input - cachedInput);
  return { input, cachedInput, ...(written > 0 ? { cacheWriteInput: written } : {}), output, reasoning };
}

/** A budget must not grow by what a server counts below zero, nor a sum become infinite: no call has a billion tokens. */
function countIn(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens >= 0 && tokens < 1e9 ? Math.ceil(tokens) : undefined;
}

type SpokenType = Exclude<Part, ToolCallPart>['type'];
type Block = {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
};

/** The parts of a streamed reply, one for each block, with metadata from its beginning, middle or end. */
class PartCollector {
  readonly #parts: Part[] = [];
  /** The index of the open block of a type and id. */
  readonly #open = new Map<string, number>();
  readonly #onDelta: ModelCall['onDelta'];
  #length = 0;
  #calls = 0;

  constructor(onDelta: ModelCall['onDelta']) {
    this.#onDelta = onDelta;
  }

  /** Without blocks that hold nothing, not even what is to be given back. */
  get content(): readonly Part[] {
    return this.#parts.filter((part) => part.type === 'tool-call' || part.text !== '' || part.provider);
  }

  /** Throws `ReplyTooLong`. */
  add(part: LanguageModelV4StreamPart): void {
    this.#length = boundedLength(this.#length + lengthOf(part));
    // Where calls share an index, the provider's package looks through all of them for each piece.
    if (part.type === 'tool-input-start') this.#calls += 1;
    if (this.#calls > mostCalls) throw new ReplyTooLong(`${mostCalls} calls of tools`);
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

  #end(type: SpokenType, block: Block): void {
    this.#grow(type, block);
    // Another block may have the same id later.
    this.#open.delete(`${type} ${block.id}`);
  }

  #grow(type: SpokenType, { id, delta = '', providerMetadata }: Block): void {
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

const mostCalls = 1_000;

/** The most characters of one reply: words, thoughts and arguments together. */
const mostText = 8 * 1024 ** 2;

function boundedLength(length: number): number {
  if (length > mostText) throw new ReplyTooLong(`${mostText / 1024 ** 2} MB of text`);
  return length;
}

function lengthOf(part: LanguageModelV4StreamPart | LanguageModelV4Content): number {
  if (part.type === 'tool-call') return part.input.length;
  if (part.type === 'text' || part.type === 'reasoning') return part.text.length;
  return part.type === 'text-delta' || part.type === 'reasoning-delta' ? part.delta.length : 0;
}

function merged(
  before: Part['provider'],
  more: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (!before) return more;
  const whole: SharedV4ProviderMetadata = { ...(before as SharedV4ProviderMetadata) };
  for (const [name, fields] of Object.entries(more ?? {})) whole[name] = { ...whole[name], ...fields };
  return whole;
}

function toPart(part: LanguageModelV4Content): Part[] {
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
  type: SpokenType,
  provider: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (type === 'reasoning' || !provider) return provider;
  const needed = Object.entries(provider).filter(([, fields]) =>
    neededWithText.some((name) => fields[name] !== undefined && fields[name] !== null),
  );
  return needed.length > 0 ? Object.fromEntries(needed) : undefined;
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
