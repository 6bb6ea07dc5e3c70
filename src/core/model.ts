/** The contract of a language model, whatever its provider, and its messages. The run retries, paces and journals. */
import type { Json, JsonObject } from './json.ts';
import type { Price, Usage } from './usage.ts';

/** `provider` is what a provider attached to its words; it is opaque and given back unchanged. Never in a user's turn. */
export type TextPart = { readonly type: 'text'; readonly text: string; readonly provider?: JsonObject };
/** `data` is base64 without a prefix. */
export type ImagePart = { readonly type: 'image'; readonly mediaType: string; readonly data: string };
/** What a model thought aloud; `provider` is opaque and given back to the same provider unchanged. */
export type ReasoningPart = {
  readonly type: 'reasoning';
  readonly text: string;
  readonly provider?: JsonObject;
};
/** `args` is the parsed object; where the model wrote no JSON object, `args` is null and `raw` is what it wrote. */
export type ToolCallPart = {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject | null;
  readonly raw?: string;
  readonly provider?: JsonObject;
};

/** Instructions before the conversation. */
export type SystemMessage = { readonly role: 'system'; readonly content: string };
/** A turn of the model's counterpart: words and pictures. */
export type UserMessage = {
  readonly role: 'user';
  readonly content: string | readonly (TextPart | ImagePart)[];
};
/** A model's reply: words, thoughts and tool calls. */
export type AssistantMessage = {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[];
};
/** The answer to one tool call. */
export type ToolMessage = {
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly content: string;
  readonly isError?: boolean;
};
/** One turn of a conversation with a model. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A tool as a model sees it. `parameters` is a JSON Schema of an object. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};

/** From the least to the most. Gemini calls it the thinking level. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
/** How hard a model thinks. */
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** How a model is to answer; what is left out is as its provider has it. */
export type ModelSettings = {
  readonly temperature?: number;
  readonly topP?: number;
  /** Reasoning included: no reply has more tokens than this. */
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: ReasoningEffort;
  /** How many tokens it may think for. A model that knows efforts alone is told the nearest one. */
  readonly thinkingBudgetTokens?: number;
  readonly seed?: number;
};

/** The settings that a model takes in place of those it was given, and a sentence on each that it cannot take. */
export type AdaptedSettings = {
  readonly settings: ModelSettings;
  readonly notices: readonly string[];
};

/** What a model is asked. */
export type ModelRequest = {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  /** Ask for a JSON value of this JSON Schema; it arrives as `object`. */
  readonly output?: {
    readonly name: string;
    readonly schema: JsonObject;
    /** `false`: the caller reads other forms too, so a reply of another form is not asked for again. */
    readonly repair?: false;
  };
  readonly settings?: ModelSettings;
};

/** `script`: replies written ahead, or recorded. `person`: typed by a person. */
export type ModelKind = 'live' | 'script' | 'person';

/**
 * Why a reply ended. `length`: it reached the largest number of tokens. `cut`: its server ended it early, or gave a reason
 * that is not known to be a good end.
 */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'cut';

/** Whether a reply ended before its model was done. Such a reply is shown, and never graded or carried out. */
export function isCutOff({ finish }: { readonly finish: FinishReason }): boolean {
  return finish === 'length' || finish === 'cut';
}

/**
 * Whether a reply has failed because nothing was said in it: thoughts alone answer nothing. A refusal, and a limit that was
 * reached while the model was thinking, explain why there is no more.
 */
export function isEmptyReply({ message, finish }: Pick<ModelSuccess, 'message' | 'finish'>): boolean {
  if (finish === 'length' || finish === 'refusal') return false;
  return message.content.every(
    (part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''),
  );
}

/** What is said of a reply without words and calls, which counts as malformed. */
export function emptyReplyText({ message }: Pick<ModelSuccess, 'message'>): string {
  return hasThoughts(message)
    ? 'The reply holds thoughts only, and neither words nor tool calls. Its server may need a parser of reasoning for this model, or the model a larger limit of output.'
    : 'The reply is empty: it has neither words nor tool calls.';
}

/** Whether the model was heard thinking. */
export function hasThoughts({ content }: AssistantMessage): boolean {
  return content.some((part) => part.type === 'reasoning' && part.text.trim() !== '');
}

/** What some servers refuse, named by what they are sent instead. A model's configuration may list them beforehand. */
export const serverQuirks = [
  /** `response_format` of type `json_object`, with the schema in the prompt. */
  'json-object',
  /** No `response_format` at all; the schema stands in the prompt. Goes before `json-object`. */
  'json-in-prompt',
  /** `max_completion_tokens` in the place of `max_tokens`. */
  'max-completion-tokens',
  /** No limit on the output at all. Goes before `max-completion-tokens`. */
  'no-output-limit',
  'no-stream-options',
  /** One complete reply in the place of a stream. */
  'no-stream',
  'no-temperature',
  'no-top-p',
  'no-seed',
  'no-reasoning-effort',
  'no-parallel-tool-calls',
  /** Neighbouring messages of one role, and a user's message after a tool's result, are joined. */
  'alternate-roles',
  /** Instructions go into the user's first message. */
  'no-system-role',
  /** Thoughts of earlier turns are not sent back. */
  'no-reasoning-history',
  /** `content: null` in the place of an empty string where a turn has nothing but tool calls. */
  'null-content',
] as const;
/** One thing that a server refuses. */
export type ServerQuirk = (typeof serverQuirks)[number];

const strongerThan: { readonly [quirk in ServerQuirk]?: ServerQuirk } = {
  'json-object': 'json-in-prompt',
  'max-completion-tokens': 'no-output-limit',
  'no-stream-options': 'no-stream',
};

/** Without those that did not help: another, which goes before them, had to be tried as well. */
export function applicableQuirks(attempt: readonly ServerQuirk[]): readonly ServerQuirk[] {
  return attempt.filter((quirk) => !attempt.some((each) => each === strongerThan[quirk]));
}

/** A reply. */
export type ModelSuccess = {
  readonly ok: true;
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  readonly usage: Usage;
  /** The value that `output` asked for, where the reply was JSON; `misfit` tells whether it fits the schema. */
  readonly object?: Json;
  /** The name under which the provider says it answered. */
  readonly servedBy?: string;
  /** Why `object` is not what `output` asked for, after the model was shown so. */
  readonly misfit?: string;
  /** What was changed of the settings, because the model does not take them. */
  readonly notices?: readonly string[];
  /** The provider's own word for why the reply ended, where `finish` does not say the same. */
  readonly rawFinish?: string;
  /** How the provider says it served the call, where it is not the standard tier: its price may differ. */
  readonly serviceTier?: string;
  /** How many events of the stream were no part of a reply and were skipped; missing where there were none. */
  readonly skippedEvents?: number;
};

/** Why a model call failed. */
export type ModelErrorKind =
  | 'rate-limit'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'auth'
  | 'bad-request'
  | 'context-overflow'
  | 'malformed'
  /** The provider's filter refused it. Agents see it as a reply that finished with `refusal`. */
  | 'refusal'
  | 'script-exhausted'
  | 'aborted'
  | 'other';

/** The most tokens that a server takes for a reply; `contextTokens`, where it is what the input leaves of the context. */
export type OutputLimit = { readonly tokens: number; readonly contextTokens?: number };

/** A failed call is a value: it is journaled, and charged where the provider billed it. */
export type ModelFailure = {
  readonly ok: false;
  readonly error: {
    readonly kind: ModelErrorKind;
    readonly message: string;
    /** Whether the same request may succeed later. */
    readonly retryable: boolean;
    readonly retryAfterMs?: number;
    /** What the server refused: the same request may succeed with this quirk. */
    readonly quirk?: ServerQuirk;
    /** The limit on the reply was too large: the same request may succeed with this one. */
    readonly outputLimit?: OutputLimit;
    /** What had arrived of a reply that broke off. It is shown, and never graded. */
    readonly partialText?: string;
  };
  /** Null where nothing was billed; `{tokens: null, costUsd: null}` where that is unknown. */
  readonly usage: Usage | null;
};

/** A reply, or the failure of a call. */
export type ModelReply = ModelSuccess | ModelFailure;

/** How many requests or tokens a provider still takes, of how many, and when they are given back. */
export type Allowance = {
  readonly remaining: number;
  readonly limit?: number;
  readonly resetMs?: number;
};

/** What a provider still takes of requests and tokens. */
export type ProviderPace = { readonly requests?: Allowance; readonly tokens?: Allowance };

/** Where in the run a call stands. A script is a pure function of this and the request. */
export type ModelCall = {
  readonly role: string;
  /** The branch path; the root is `''`. */
  readonly branch: string;
  /** How many calls this role made before in this branch. */
  readonly index: number;
  /** 0 for the first attempt, one more for each retry. */
  readonly attempt: number;
  /** The run that asks; absent outside of one. */
  readonly run?: string;
  readonly signal: AbortSignal;
  /** What the model's server is known to refuse. */
  readonly quirks?: readonly ServerQuirk[];
  /** Told what the provider's headers say of how much it still takes; never journaled. */
  readonly onPace?: (pace: ProviderPace) => void;
  /** Told words as they arrive; never journaled. */
  readonly onDelta?: (delta: { readonly type: 'text' | 'reasoning'; readonly text: string }) => void;
};

/** A language model: it is asked, and it answers. An implementation need not retry, wait or journal. */
export interface Model {
  /** `provider/name`, as the user wrote it. */
  readonly id: string;
  readonly kind: ModelKind;
  readonly takes: { readonly images: boolean; readonly tools: boolean };
  /** Words that a problem must hold: replies written ahead for one problem say nothing of another. */
  readonly onlyFor?: string | undefined;
  /** Null where it is unknown. A script costs nothing, with a price of zero. */
  readonly price: Price | null;
  /** What its server refuses, as its user's configuration says. */
  readonly quirks?: readonly ServerQuirk[];
  /** Pure; missing where a model takes any settings. What it returns is what `generate` sends. */
  adapt?(settings: ModelSettings): AdaptedSettings;
  /** Must not throw: a failure is a `ModelFailure`. Ends soon after `call.signal` aborts, with kind `aborted`. */
  generate(request: ModelRequest, call: ModelCall): Promise<ModelReply>;
}

const pictures = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
] as const;

/** The bytes of a file as a picture, by what they begin with; null where they are none. */
export function imageOf(bytes: Uint8Array): ImagePart | null {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const found = pictures.find(([, at, mark]) => start.startsWith(mark, at));
  if (!found) return null;
  const part = 32_768;
  let binary = '';
  for (let at = 0; at < bytes.length; at += part)
    binary += String.fromCharCode(...bytes.subarray(at, at + part));
  return { type: 'image', mediaType: found[0], data: btoa(binary) };
}

/** The words of a message: its text parts, without reasoning and tool calls. */
export function textOf(message: AssistantMessage): string {
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The tool calls of a message, in the order of the model. */
export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === 'tool-call');
}
