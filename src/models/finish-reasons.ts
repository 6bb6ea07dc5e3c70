/**
 * Why a reply ended, in the words of every wire, and what each means. A reply is complete only by a reason that is known
 * to be a good end: an unknown one is a cut, and the user is told.
 */
import type { FinishReason, ModelErrorKind } from '../core/model.ts';

/** `broken`: the server gave the reply up, and the same request may succeed. `none`: it is no reason at all. */
export type FinishInfo =
  | { readonly kind: 'ended'; readonly finish: FinishReason }
  | { readonly kind: 'broken'; readonly error: ModelErrorKind }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' };

type Known = Exclude<FinishInfo, { kind: 'unknown' }>;

const ended = (finish: FinishReason): Known => ({ kind: 'ended', finish });
const broken = (error: ModelErrorKind): Known => ({ kind: 'broken', error });

/** In lower case, with underscores. OpenAI, Anthropic, Gemini, Bedrock, Mistral, TGI, vLLM, Cohere, LM Studio, watsonx … */
const table: readonly (readonly [meaning: Known, reasons: string])[] = [
  [
    ended('stop'),
    'stop stopped end end_turn stop_sequence stop_token stop_string_found eos eos_token eos_found eot eom complete completed done finish finished',
  ],
  [ended('tool-calls'), 'tool_calls tool_call tool_use function_call function_calls'],
  [
    ended('length'),
    'length max_length max_tokens max_new_tokens max_token max_output_tokens max_completion_tokens max_prompt_tokens max_predicted_tokens_reached token_limit length_limit error_limit model_length limit context_length context_length_reached context_length_exceeded context_window_exceeded model_context_window_exceeded max_context_length',
  ],
  [
    ended('refusal'),
    'content_filter content_filtered filter filtered content_policy content_policy_violation moderation moderated sensitive safety image_safety recitation image_recitation blocklist blocked prohibited_content image_prohibited_content spii language guardrail guardrail_intervened guardrails model_armor refusal refused error_toxic flagged',
  ],
  [
    broken('malformed'),
    'error failed failure malformed_function_call malformed_tool_use malformed_tool_call malformed_model_output malformed_response unexpected_tool_call too_many_tool_calls missing_thought_signature',
  ],
  [
    broken('overloaded'),
    'abort aborted cancel canceled cancelled user_cancel insufficient_system_resource insufficient_system_resources overloaded server_error internal_error internal_server_error model_unloaded interrupted',
  ],
  [broken('network'), 'network_error network connection_error disconnected'],
  [broken('timeout'), 'timeout time_out timed_out time_limit deadline_exceeded'],
  [{ kind: 'none' }, 'null none in_progress not_finished finish_reason_unspecified'],
];

/** All that are known, as `readFinishReason` reads them. */
export const finishReasons: ReadonlyMap<string, FinishInfo> = new Map(
  table.flatMap(([known, reasons]) => reasons.split(' ').map((reason) => [reason, known] as const)),
);

/** Some servers give the token at which they stopped: `<|eot_id|>`, `</s>`. */
const endToken = /^(<[|｜].*(end|eo[stm]|eot_id|return).*[|｜]>|<\/s>|<(eos|end_of_turn)>)$/i;

/** An empty reason says nothing: how a reply that has no other ended is unknown. */
export function readFinishReason(raw: string | null | undefined): FinishInfo {
  if (raw === null || raw === undefined || raw.trim() === '') return { kind: 'none' };
  if (endToken.test(raw.trim())) return ended('stop');
  return finishReasons.get(normalizeFinishReason(raw)) ?? { kind: 'unknown' };
}

/** `FinishReason.MAX_TOKENS`, `max-tokens` and `maxTokens` are one word. */
function normalizeFinishReason(raw: string): string {
  return raw
    .trim()
    .replace(/^finish_?reason[._](?!unspecified)/i, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}

const plainReasons = /^(stop|tool_calls|length|end_turn|stop_sequence|tool_use|completed)$/i;

/** The reason as the journal keeps it: missing where `finish` says the same. */
export function rawFinishOf(raw: string | null | undefined): string | undefined {
  return raw === null || raw === undefined || plainReasons.test(raw) ? undefined : raw;
}

const maxShownLength = 80;

export function unknownFinishNotice(raw: string | null | undefined): string {
  const name = raw ? `the unknown reason ${JSON.stringify(raw.slice(0, maxShownLength))}` : 'no reason';
  return `A reply ended with ${name}. It counts as cut off, since only a known good end makes a reply complete.`;
}
