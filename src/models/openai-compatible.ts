/** Any server with OpenAI's chat completions: what its models take. The wire itself is in chat/. */
import type { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import { type Model, reasoningEfforts } from '../core/model.ts';
import { chatExchange } from './chat/exchange.ts';
import type { ChatRequestOptions } from './chat/request.ts';
import { fetchFor } from './http.ts';
import { type LiveModelOptions, liveModel } from './live-model.ts';
import type { Connection } from './provider.ts';
import { quirkForRejection } from './refused-field.ts';
import { budgetAsEffort, range, type SettingRule } from './settings-rules.ts';

export type OpenAiCompatibleOptions = Connection &
  Partial<Pick<LiveModelOptions, 'takes' | 'rules' | 'tellsCost'>> &
  Partial<Pick<ChatRequestOptions, 'hasSystemRole' | 'keepsDetails' | 'changeBody'>> & {
    readonly baseUrl: string;
    readonly headers?: Readonly<Record<string, string>>;
  };

export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const { name, stream = true, headers = {}, silenceTimeoutMs, network } = options;
  const exchange = chatExchange({
    ...options,
    stream,
    headers,
    hasSystemRole: options.hasSystemRole ?? templateHasSystemRole(name),
    keepsDetails: options.keepsDetails ?? false,
    // A body of any form is read here, so nothing needs to be told apart on its way.
    fetch: fetchFor({ silenceTimeoutMs, stream: false, network }),
  });
  const takes = { images: !lacksVision(name), tools: true };
  return liveModel({ takes, rules: compatibleRules, quirkOf, ...options }, exchange);
}

const sentFields = z.record(z.string(), z.unknown());

function quirkOf({ statusCode, responseBody, message, requestBodyValues }: APICallError) {
  return quirkForRejection({
    // An error in the place of a reply has no status of its own.
    status: statusCode === 200 ? undefined : statusCode,
    text: responseBody || message,
    sent: sentFields.parse(requestBodyValues),
  });
}

/** Efforts are sent as they are: which of them a server knows, it says itself. */
export const compatibleRules: readonly SettingRule[] = [
  range('temperature', 0, 2),
  range('topP', 0, 1),
  range('maxOutputTokens', 1, Number.MAX_SAFE_INTEGER),
  budgetAsEffort(reasoningEfforts),
];

/** The chat templates of these models refuse a system turn. */
function templateHasSystemRole(name: string): boolean {
  return !/\bgemma-?[1-3]?(-|:|$)|mistral-7b-instruct-v0\.[12]|o1-(mini|preview)/i.test(name);
}

const blind: readonly RegExp[] = [
  /\bdeepseek-?(r1|v[23]|chat|coder|reasoner)/,
  /\bgpt-(3\.5|oss)/,
  /\bo[13]-mini/,
  /\bgemma-?2\b/,
  /\bllama-?3(\.[13])?[-:]/,
  /\b(mixtral|codestral|qwq)\b/,
  /\bmistral-7b/,
  /\bqwen[\d.]*-coder/,
];

/** What others have taught to see says so. */
const seeing = /vision|llava|\bvl\b|multimodal|omni/;

export function lacksVision(name: string): boolean {
  const lower = name.toLowerCase();
  return !seeing.test(lower) && blind.some((pattern) => pattern.test(lower));
}
