/** What any wire read of one reply, and the judgement on how it ended. Knows no prices, and no wire. */
import {
  type AssistantMessage,
  emptyReplyText,
  type FinishReason,
  isEmptyReply,
  type ModelFailure,
  type ModelRequest,
  type ToolDefinition,
  toolCallsOf,
} from '../core/model.ts';
import { namedTier } from '../core/service-tiers.ts';
import type { Tokens } from '../core/usage.ts';
import { findTool } from '../text/tool-names.ts';
import { rawFinishOf, readFinishReason, unknownFinishNotice } from './finish-reasons.ts';
import { failure, ReplyTooLong, unknownUsage } from './reply.ts';

export type Collected = {
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  readonly rawFinish?: string;
  /** Null where the provider did not report them. */
  readonly tokens: Tokens | null;
  readonly reportedCostUsd?: number;
  readonly servedBy?: string;
  readonly serviceTier?: string;
  readonly skippedEvents?: number;
  readonly notices?: readonly string[];
  /** Why this is no reply. Its tokens may be known all the same. */
  readonly failure?: ModelFailure;
};

export type ReplyPart = AssistantMessage['content'][number];

/** What a wire read, before it is judged. */
type Reading = Pick<Collected, 'tokens' | 'reportedCostUsd' | 'servedBy' | 'skippedEvents' | 'notices'> & {
  readonly content: readonly ReplyPart[];
  /** Its provider's reason. */
  readonly raw: string | null | undefined;
  readonly tier?: string | null | undefined;
  /** Why the reading itself failed: that goes before what its end says. */
  readonly failed?: ModelFailure | undefined;
};

export function judged({ content, raw, tokens, tier, notices = [], failed, ...facts }: Reading): Collected {
  const end = judgeFinish(content, raw);
  const all = [...notices, ...(end.notices ?? [])];
  return {
    ...facts,
    ...end,
    message: { role: 'assistant', content },
    tokens: knownTokens(tokens, content),
    serviceTier: namedTier(tier),
    notices: all.length > 0 ? all : undefined,
    failure: failed ?? end.failure,
  };
}

/** A reply that was paid for, and may be better when it is asked for again. */
export function malformedReply(message: string): ModelFailure {
  return failure('malformed', message, billed);
}

const billed = { retryable: true, usage: unknownUsage };

/** How a reply of this content ended, for its provider's reason. */
function judgeFinish(
  content: readonly ReplyPart[],
  raw: string | null | undefined,
): Pick<Collected, 'finish' | 'rawFinish' | 'notices' | 'failure'> {
  const finishInfo = readFinishReason(raw);
  const rawFinish = rawFinishOf(raw);
  if (finishInfo.kind === 'broken') {
    const message = `The provider reports that its reply went wrong: ${raw}.`;
    return { finish: 'cut', rawFinish, failure: failure(finishInfo.error, message, billed) };
  }
  if (finishInfo.kind !== 'ended') {
    const notices = [unknownFinishNotice(raw)];
    return { finish: 'cut', rawFinish, notices, failure: failureIfEmpty(content, 'cut') };
  }
  const hasCalls = content.some((part) => part.type === 'tool-call');
  if (finishInfo.finish === 'tool-calls' && !hasCalls)
    return {
      finish: 'tool-calls',
      rawFinish: raw ?? undefined,
      failure: failureIfEmpty(content, 'tool-calls'),
    };
  // Some servers end a turn that calls tools with `stop`.
  const finish = finishInfo.finish === 'stop' && hasCalls ? 'tool-calls' : finishInfo.finish;
  return { finish, rawFinish, failure: failureIfEmpty(content, finish) };
}

/**
 * Calls by the names that the request declared, however their server writes them. Where no tools were sent, a call that the
 * reply promises can only stand in its text.
 */
export function judgeCalls(reply: Collected, { tools = [] }: ModelRequest): Collected {
  const { finish, message, notices = [] } = reply;
  if (toolCallsOf(message).length > 0) return { ...reply, message: withDeclaredNames(message, tools) };
  if (finish !== 'tool-calls') return reply;
  if (tools.length === 0) return { ...reply, finish: 'stop' };
  return { ...reply, finish: 'cut', notices: [...notices, promisedCall] };
}

function withDeclaredNames(message: AssistantMessage, tools: readonly ToolDefinition[]): AssistantMessage {
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { ...part, name: findTool(tools, part.name)?.name ?? part.name } : part,
  );
  return { ...message, content };
}

const promisedCall =
  'A reply promised a tool call and holds none. It counts as cut off: the call is lost, and what the reply says is no answer.';

function failureIfEmpty(content: readonly ReplyPart[], finish: FinishReason): ModelFailure | undefined {
  const message: AssistantMessage = { role: 'assistant', content };
  return isEmptyReply({ message, finish }) ? malformedReply(emptyReplyText({ message })) : undefined;
}

/** A stream that ended without a finish reason. */
export function endedEarly(hasArrived: boolean, skipped = 0): ModelFailure {
  if (hasArrived) return failure('network', 'The reply was cut off: its stream ended early.', billed);
  const what = skipped > 0 ? 'none of its events is a part of a reply' : 'no event arrived';
  return malformedReply(`The reply is empty: ${what}.`);
}

const maxCalls = 1_000;

/** The most characters of one reply: text, reasoning and arguments together. */
const maxTextLength = 8 * 1024 ** 2;

export function checkReplyLength(length: number): number {
  if (length > maxTextLength) throw new ReplyTooLong(`${maxTextLength / 1024 ** 2} MB of text`);
  return length;
}

export function checkCallCount(calls: number): number {
  if (calls > maxCalls) throw new ReplyTooLong(`${maxCalls} calls of tools`);
  return calls;
}

/** A budget must not grow by what a server counts below zero, nor a sum become infinite: no call has a billion tokens. */
export function tokenCount(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens >= 0 && tokens < 1e9 ? Math.ceil(tokens) : undefined;
}

/** Zeros beside text or calls are a server that does not count. */
function knownTokens(tokens: Tokens | null, content: readonly ReplyPart[]): Tokens | null {
  if (!tokens || (tokens.input === 0 && tokens.output === 0)) return null;
  const hasContent = content.some((part) => part.type === 'tool-call' || part.text !== '');
  return hasContent && (tokens.input === 0 || tokens.output === 0) ? null : tokens;
}
