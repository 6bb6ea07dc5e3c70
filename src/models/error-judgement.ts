/**
 * What a provider's error means: its kind, whether the same request may succeed later, and when. It takes a status,
 * headers and a body in any form, of a whole HTTP error as of an error within a stream, and knows no provider's package.
 */
import type { ModelErrorKind, ModelFailure, OutputLimit } from '../core/model.ts';
import { isContextOverflow, isOnlyRateLimit } from './context-overflow.ts';
import { readErrorBody } from './error-body.ts';
import { readOutputLimit } from './output-limit.ts';
import { failure, unknownUsage } from './reply.ts';
import { retryAfterMs, waitInFields, waitInWords } from './retry-after.ts';

export type ErrorResponse = {
  /** Of HTTP; missing, or below 300, for an error in the place of a reply or within it. */
  readonly status?: number;
  /** Names are lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of the body, or what was parsed of it. */
  readonly body: unknown;
  /** Stands before the server's words. */
  readonly preface?: string;
};

type Judgement = {
  readonly kind: ModelErrorKind;
  readonly retryable: boolean;
  readonly outputLimit?: OutputLimit;
  /** Stands before the server's words: what they mean, and what to do. */
  readonly advice?: string;
};

/** `nowMs` is for waits that name a moment. */
export function judgeError(response: ErrorResponse, nowMs: number): ModelFailure {
  const { headers = {}, preface = '' } = response;
  const httpStatus = response.status !== undefined && response.status >= 300 ? response.status : undefined;
  const redirect = httpStatus !== undefined && httpStatus < 400 ? headers.location : undefined;
  if (redirect !== undefined) return redirectFailure(httpStatus, redirect);
  const { message, codes, status: named, fields } = readErrorBody(response.body);
  const status = httpStatus ?? named;
  const { kind, retryable, outputLimit, advice = '' } = judge(status, codes, message);
  const waitMs = retryAfterMs(headers, nowMs) ?? waitInFields(fields, nowMs) ?? waitInWords(message);
  const words = message || (httpStatus === undefined ? 'it has no message' : '');
  const prefix = httpStatus === undefined ? preface : `HTTP ${httpStatus}${words && ': '}`;
  return failure(kind, prefix + advice + words, {
    retryable,
    outputLimit,
    retryAfterMs: retryable ? waitMs : undefined,
    usage: httpStatus === undefined || mayBeBilled.includes(httpStatus) ? unknownUsage : null,
  });
}

/** A gateway that gave up does not know what the model behind it went on to do. */
const mayBeBilled: readonly number[] = [408, 499, 502, 504, 520, 524];

function redirectFailure(status: number | undefined, redirect: string): ModelFailure {
  const message = `HTTP ${status}: the server sends its callers to ${redirect}, and nothing was sent there. If that is its address, set the base URL to it.`;
  return failure('bad-request', message, { retryable: false, usage: null });
}

const filtered =
  /content[_ ]?(filter|policy|management)|responsible[_ ]?ai|PROHIBITED_CONTENT|safety (system|filter)|data_inspection_failed|content exists risk|requires moderation|\bwas flagged|敏感内容|\b(new|input|output)_sensitive\b/i;

/** For errors without a status or a code that says so. */
const keyRefused =
  /\blogin fail|\bunauthori[sz]ed\b|\bnot authenticated\b|authentication (failed|error)|\baccess token (is )?(invalid|expired)|(invalid|incorrect|missing|wrong|expired) (api|secret|access)[ _-]?(secret[ _-]?)?(key|token)/i;

const rateReached = /\brate[ _-]?limit|\btoo many requests\b/i;

const emptyAdvice =
  'the account or the key has no money or allowance left; the key itself is right. Add money or raise its limit, then resume. The server says: ';

const dayAdvice = 'the quota of a day is used up, and is renewed in hours: resume then. The server says: ';

const byCode: readonly (readonly [RegExp, Judgement])[] = [
  // An empty account looks like a rate limit, but waiting does not fill it.
  [
    /insufficient_(user_)?(quota|balance)|exceeded_current_quota|billing/i,
    { kind: 'rate-limit', retryable: false, advice: emptyAdvice },
  ],
  [/PerDay/, { kind: 'rate-limit', retryable: false, advice: dayAdvice }],
  [/rate_?limit|too_many_requests|resource_exhausted|thrott/i, { kind: 'rate-limit', retryable: true }],
  [/overloaded|unavailable|capacity|server_error|internal/i, { kind: 'overloaded', retryable: true }],
  [/timeout/i, { kind: 'timeout', retryable: true }],
  [/auth|api_key|permission/i, { kind: 'auth', retryable: false }],
  [/invalid_request|not_found/i, { kind: 'bad-request', retryable: false }],
];

/** A field whose value is out of its server's range. */
const valueRefused =
  /\b(temperature|top_p|reasoning_effort|seed)\b[^.\n]{0,80}?(must be|should be|out of range|less than|greater than|at most|at least|between|exceeds?|(valid|supported|allowed) values|[<>]=? ?\d)/i;

function fieldValueHint(field: string): string {
  const setting = field === 'reasoning_effort' ? 'effort' : field;
  return `the server takes no such value of ${field}; set another one (--setting ${setting}=VALUE). It says: `;
}

/** What is left of a context for a reply; less would only cut it off. */
const leastReplyTokens = 256;

function judge(status: number | undefined, codes: string, message: string): Judgement {
  const outputLimit = [undefined, 400, 413, 422, 500].includes(status) ? readOutputLimit(message) : undefined;
  if (outputLimit && outputLimit.tokens >= leastReplyTokens)
    return { kind: 'bad-request', retryable: false, outputLimit };
  if (outputLimit?.contextTokens !== undefined) return { kind: 'context-overflow', retryable: false };
  // With this status only a shorter request helps, which is what agents make of a full context.
  if (status === 413 && isOnlyRateLimit(message))
    return { kind: 'context-overflow', retryable: false, advice: rateAdvice };
  if (isContextOverflow({ status, codes, message })) return { kind: 'context-overflow', retryable: false };
  const field = valueRefused.exec(message)?.[1]?.toLowerCase();
  if (field !== undefined && [undefined, 400, 422].includes(status))
    return { kind: 'bad-request', retryable: false, advice: fieldValueHint(field) };
  const refusesRequest = status === undefined || [400, 403, 413, 422].includes(status);
  if (refusesRequest && filtered.test(`${codes} ${message}`)) return { kind: 'refusal', retryable: false };
  // What its model wrote is at fault, and may be well the next time (Groq).
  if (/tool_use_failed|json_validate_failed/i.test(codes)) return { kind: 'malformed', retryable: true };
  const named = byCode.find(([pattern]) => pattern.test(codes))?.[1];
  if (toolsRefused.test(message) && (status ?? 400) < 600)
    return { kind: 'bad-request', retryable: false, advice: toolAdvice };
  const isEmptyForGood =
    (named?.kind !== 'rate-limit' || /prepay/i.test(message)) && emptyForGood.test(message);
  if (isEmptyForGood || isAccountEmpty(status, message))
    return { kind: 'rate-limit', retryable: false, advice: emptyAdvice };
  if (status === undefined && keyRefused.test(message)) return { kind: 'auth', retryable: false };
  if (status === undefined && rateReached.test(message)) return { kind: 'rate-limit', retryable: true };
  if (status === undefined) return named ?? { kind: 'other', retryable: true };
  // Google answers an invalid key with status 400.
  if (status === 400 && /API_KEY_INVALID/.test(codes)) return { kind: 'auth', retryable: false };
  if (status === 429 && isOnlyRateLimit(message))
    return { kind: 'rate-limit', retryable: false, advice: rateAdvice };
  const isRate = named?.kind === 'rate-limit' && [400, 413, 429].includes(status);
  return isRate ? named : judgeStatus(status);
}

const toolsRefused =
  /--enable-auto-tool-choice|\btools?( use| choice| call(s|ing)?)?\b( parameter)? (is|are) not (supported|enabled)|(does not|doesn't) support (tools?|function)( use| call(s|ing)?| choice)?\b|no endpoints found that support tool use|\btools\b\W{1,3}(extra inputs are not permitted|(param(eter)? )?(is|are) not supported)/i;
const toolAdvice =
  'the server takes no tool calls for this model. Let them be read in the text (--set calls=text, in tool-loop), or start the server with a parser for them (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja). It says: ';

const emptyAccount =
  /insufficient (balance|credits?|funds|quota)|(balance|credits?|funds|quota) (is |are )?(insufficient|exhausted|depleted|too low|exceeded)|(key|spend(ing)?|usage|credit|monthly|budget) limit (was |has been |is )?(exceeded|reached)|out of credits?|requires more credits|no (credits?|balance)(?! w)|not enough (credits?|balance|funds)|余额不足|欠费/i;
/** Of these, none is given back by the minute, as a quota is. */
const emptyForGood =
  /(insufficient|not enough|out of|no) (balance|credits?|funds)(?! w)|prepay\w+ credits|(balance|credits?|funds) (is |are )?(insufficient|exhausted|depleted|too low)|requires more credits|(余额|额度)不足|欠费/i;

/** A server that wants money, or refuses for a limit of the key. */
function isAccountEmpty(status: number | undefined, message: string): boolean {
  if (status === 402) return true;
  return (status === 403 || status === 401) && emptyAccount.test(message);
}

const rateAdvice =
  "this request alone is larger than the account's tokens per minute, so waiting does not help. Ask for less at once, or raise the account's limit. The server says: ";
const bodyAdvice =
  "the request is larger than the server, or a proxy before it, accepts. That is no limit of the model's context; raise the size of a body there. It says: ";

function judgeStatus(status: number): Judgement {
  if (status === 429) return { kind: 'rate-limit', retryable: true };
  if ([408, 504, 522, 524].includes(status)) return { kind: 'timeout', retryable: true };
  if (status === 401 || status === 403) return { kind: 'auth', retryable: false };
  // A conflict of two calls, a call that came too early, one that a gateway dropped, a tier that is full.
  if ([409, 425, 498, 499].includes(status)) return { kind: 'overloaded', retryable: true };
  if (status === 413) return { kind: 'bad-request', retryable: false, advice: bodyAdvice };
  if (status === 501) return { kind: 'other', retryable: false };
  // Also a plain 500: it is the provider's trouble, and over when the provider has recovered.
  if (status >= 500) return { kind: 'overloaded', retryable: true };
  return { kind: 'bad-request', retryable: false };
}
