/**
 * What a provider of the AI SDK's specification v4 said, streamed or whole, as one of our messages.
 * Knows neither requests nor prices, and judges no errors: it only collects them.
 */
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
import type { AssistantMessage, FinishReason, ModelCall } from '../core/model.ts';
import type { Tokens } from '../core/usage.ts';
import { kept, metadata, PartCollector, toToolCall } from './ai-sdk-parts.ts';

export type Collected = {
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  /** Null where the provider did not say. */
  readonly tokens: Tokens | null;
  /** What the provider says that the call cost, in its own currency. */
  readonly toldCostUsd: number | undefined;
  readonly servedBy: string | undefined;
  /** What the provider's package tells of the reply as a whole. */
  readonly metadata: SharedV4ProviderMetadata | undefined;
  /** What the provider's package could not send as it was asked, in words. */
  readonly warnings: readonly string[];
  /** The first error in the stream. */
  readonly error: { readonly thrown: unknown } | undefined;
  /** Whether anything but errors arrived. */
  readonly heard: boolean;
  /** Whether the stream ended in good order, but before the provider said why. */
  readonly endedEarly: boolean;
};

type Part = AssistantMessage['content'][number];

/** A reply of which its provider says itself that it went wrong. */
export class BrokenReply extends Error {}

/** Reads the stream to its end, also past an error: the usage comes last. Throws where the stream breaks. */
export async function collectStream(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  onDelta: ModelCall['onDelta'],
): Promise<Collected> {
  const parts = new PartCollector(onDelta);
  let reason: LanguageModelV4FinishReason | undefined;
  let usage: LanguageModelV4Usage | undefined;
  let servedBy: string | undefined;
  let metadata: Collected['metadata'];
  let error: Collected['error'];
  let heard = false;
  let warnings: readonly string[] = [];
  for await (const part of stream) {
    if (part.type === 'error') error ??= { thrown: part.error };
    else if (part.type === 'finish') {
      reason = part.finishReason;
      usage = part.usage;
      metadata = part.providerMetadata;
    } else if (part.type === 'stream-start') warnings = part.warnings.map(wordsOf);
    else heard = true;
    if (part.type === 'response-metadata') servedBy = part.modelId ?? servedBy;
    parts.add(part);
  }
  const { content } = parts;
  const endedEarly = isEarlyEnd(error) || (!error && isUnfinished(reason));
  error ??= endedEarly ? { thrown: undefined } : brokenBy(reason);
  const finish = finishOf(reason?.unified, content);
  const message: AssistantMessage = { role: 'assistant', content };
  return {
    message,
    finish,
    tokens: tokensOf(usage),
    toldCostUsd: costIn(usage),
    servedBy,
    metadata,
    warnings,
    error,
    heard,
    endedEarly,
  };
}

export function collectWhole(
  result: LanguageModelV4GenerateResult,
  onDelta: ModelCall['onDelta'],
): Collected {
  const content = result.content.flatMap(toPart);
  for (const part of content) {
    if (part.type !== 'tool-call') onDelta?.({ type: part.type, text: part.text });
  }
  return {
    message: { role: 'assistant', content },
    finish: finishOf(result.finishReason.unified, content),
    tokens: tokensOf(result.usage),
    toldCostUsd: costIn(result.usage),
    servedBy: result.response?.modelId,
    metadata: result.providerMetadata,
    warnings: result.warnings.map(wordsOf),
    error: brokenBy(result.finishReason),
    heard: true,
    endedEarly: false,
  };
}

const longestWarning = 200;

function wordsOf(warning: SharedV4Warning): string {
  const { message, feature, details } = { message: '', feature: '', details: '', ...warning };
  const words = message || `${feature} is not supported${details ? `: ${details}` : ''}`;
  return words.length > longestWarning ? `${words.slice(0, longestWarning)}…` : words;
}

function brokenBy(reason: LanguageModelV4FinishReason | undefined): Collected['error'] {
  if (reason?.unified !== 'error') return undefined;
  return {
    thrown: new BrokenReply(
      `The provider says that its reply went wrong: ${reason.raw ?? 'no reason told'}.`,
    ),
  };
}

/** How some packages report a stream without a finish reason: complete data, and none of it at fault. */
function isEarlyEnd(error: Collected['error']): boolean {
  return InvalidResponseDataError.isInstance(error?.thrown) && error.thrown.data === undefined;
}

/** Or as no error at all: the package then invents a reason, for which its provider gave no word. */
function isUnfinished(reason: LanguageModelV4FinishReason | undefined): boolean {
  return (
    !reason || reason.unified === 'interrupted' || (reason.unified === 'other' && reason.raw === undefined)
  );
}

function toPart(part: LanguageModelV4Content): Part[] {
  if (part.type === 'text') {
    return [{ type: 'text', text: part.text, ...metadata(kept('text', part.providerMetadata)) }];
  }
  if (part.type === 'tool-call') return [toToolCall(part)];
  if (part.type !== 'reasoning') return [];
  return [{ type: 'reasoning', text: part.text, ...metadata(part.providerMetadata) }];
}

const finishReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'refusal',
  error: 'other',
  interrupted: 'other',
  other: 'other',
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

/** A budget must not grow by what a server counts below zero. */
function countIn(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0 ? Math.ceil(tokens) : undefined;
}

function costIn(usage: LanguageModelV4Usage | undefined): number | undefined {
  const cost = usage?.raw?.cost;
  return typeof cost === 'number' && cost >= 0 ? cost : undefined;
}
