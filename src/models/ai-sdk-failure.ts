/** An error of a provider of the AI SDK as one of our typed failures. Pure. Aborts are the caller's to tell. */
import { APICallError, InvalidPromptError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { z } from 'zod';
import { errorOf } from '../core/errors.ts';
import type { ModelErrorKind, ModelFailure } from '../core/model.ts';
import { plainJson } from '../text/model-json.ts';
import { isLoopback } from './provider.ts';
import { numberIn, paceOf } from './rate-headers.ts';
import { failure, ReplyTooLong, unknownUsage } from './reply.ts';

type Judgement = { readonly kind: ModelErrorKind; readonly retryable: boolean };

/** `nowMs` is for a Retry-After that names a date. */
export function failureOf(error: unknown, nowMs: number): ModelFailure {
  const long = causesOf(error).find((each) => each instanceof ReplyTooLong);
  if (long) return failure('malformed', long.message, { retryable: false, usage: unknownUsage });
  if (APICallError.isInstance(error)) return apiFailure(error, nowMs);
  const streamed = streamErrorSchema.safeParse(error);
  if (!(error instanceof Error) && streamed.success) return streamFailure(streamed.data);
  if (InvalidPromptError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error)) {
    return failure('bad-request', error.message, { retryable: false, usage: null });
  }
  const code = networkCode(error);
  if (code !== undefined) return networkFailure(code, errorOf(error).message);
  if (error instanceof Error && error.name.startsWith('AI_')) {
    const message = `The provider's reply cannot be read: ${errorOf(error).message}`;
    return failure('malformed', message, { retryable: true, usage: unknownUsage });
  }
  return failure('other', errorOf(error).message, { retryable: false, usage: unknownUsage });
}

function apiFailure(error: APICallError, nowMs: number): ModelFailure {
  const { statusCode } = error;
  if (statusCode !== undefined && statusCode >= 300) return statusFailure(error, statusCode, nowMs);
  const code = networkCode(error);
  if (code === 'ECONNREFUSED' && isLoopback(error.url)) return nobodyThere(error.url);
  if (code !== undefined || statusCode === undefined)
    return networkFailure(code ?? '', errorOf(error.cause ?? error).message);
  const told = errorIn(error.responseBody);
  if (told)
    return streamFailure(told, 'The reply is an error: ', retryAfterMs(error.responseHeaders ?? {}, nowMs));
  const excerpt = excerptOf(error.responseBody);
  const message = `The provider's reply cannot be read (${error.message})${excerpt && `: ${excerpt}`}`;
  return failure('malformed', message, { retryable: true, usage: unknownUsage });
}

const httpErrorSchema = z.object({
  error: z.object({
    code: z.unknown().optional(),
    type: z.unknown().optional(),
    status: z.unknown().optional(),
    details: z.array(z.unknown()).nullish().catch(null),
  }),
});

function statusFailure(error: APICallError, status: number, nowMs: number): ModelFailure {
  const elsewhere = status < 400 ? error.responseHeaders?.location : undefined;
  if (elsewhere !== undefined) {
    const message = `HTTP ${status}: the server sends its callers to ${elsewhere}, and nothing was sent there. If that is its address, set the base URL to it.`;
    return failure('bad-request', message, { retryable: false, usage: null });
  }
  const data = httpErrorSchema.safeParse(error.data);
  const { code, type, status: name, details } = data.data?.error ?? {};
  const codes = [code, type, name, JSON.stringify(details ?? '')].join(' ');
  const { kind, retryable } = judge(status, codes, error.message);
  const { responseHeaders = {}, responseBody = '' } = error;
  const waitMs = retryAfterMs(responseHeaders, nowMs) ?? retryDelayMs(responseBody);
  const said = data.success ? error.message : [error.message, excerptOf(error.responseBody)].join(' ').trim();
  return failure(kind, `HTTP ${status}${said && `: ${said}`}`, {
    retryable,
    retryAfterMs: retryable ? waitMs : undefined,
    // A gateway that gave up does not know what the model behind it went on to do.
    usage: [408, 502, 504].includes(status) ? unknownUsage : null,
  });
}

/** An error that arrives inside a stream that began well. */
const streamErrorSchema = z.looseObject({
  message: z.string(),
  type: z.unknown().optional(),
  code: z.unknown().optional(),
});

function streamFailure(
  { message, type, code }: z.infer<typeof streamErrorSchema>,
  preface = '',
  waitMs?: number,
): ModelFailure {
  const status = /^[45]\d\d$/.test(String(code)) ? Number(code) : undefined;
  const { kind, retryable } = judge(status, [code, type].join(' '), message);
  return failure(kind, preface + message, {
    retryable,
    retryAfterMs: retryable ? waitMs : undefined,
    usage: unknownUsage,
  });
}

const bodySchema = z.object({
  error: z.union([
    streamErrorSchema.extend({ message: z.string().catch('it has no message') }),
    z.string().transform((message) => ({ message })),
  ]),
});

/** Some gateways say HTTP 200 and then, in the place of a reply, what went wrong. */
function errorIn(body = ''): z.infer<typeof streamErrorSchema> | undefined {
  return bodySchema.safeParse(plainJson(body)).data?.error;
}

const contextOverflow =
  /context[_ ](length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input token count.*exceeds/i;

const filtered =
  /content[_ ]?(filter|policy|management)|responsible[_ ]?ai|PROHIBITED_CONTENT|safety (system|filter)/i;

const byCode: readonly (readonly [RegExp, Judgement])[] = [
  // An empty account looks like a rate limit, but waiting does not fill it.
  [/insufficient_quota|billing/i, { kind: 'rate-limit', retryable: false }],
  [/rate_?limit|too_many_requests|resource_exhausted/i, { kind: 'rate-limit', retryable: true }],
  [/overloaded|unavailable|capacity|server_error|internal/i, { kind: 'overloaded', retryable: true }],
  [/timeout/i, { kind: 'timeout', retryable: true }],
  [/auth|api_key|permission/i, { kind: 'auth', retryable: false }],
  [/invalid_request|not_found/i, { kind: 'bad-request', retryable: false }],
];

function judge(status: number | undefined, codes: string, message: string): Judgement {
  const refusesRequest = status === undefined || status === 400 || status === 413 || status === 422;
  if (refusesRequest && contextOverflow.test(`${codes} ${message}`)) {
    return { kind: 'context-overflow', retryable: false };
  }
  if ((refusesRequest || status === 403) && filtered.test(`${codes} ${message}`)) {
    return { kind: 'refusal', retryable: false };
  }
  const named = byCode.find(([pattern]) => pattern.test(codes))?.[1];
  if (status === undefined) return named ?? { kind: 'other', retryable: true };
  // Google answers an invalid key with status 400.
  if (status === 400 && /API_KEY_INVALID/.test(codes)) return { kind: 'auth', retryable: false };
  return status === 429 && named?.kind === 'rate-limit' ? named : judgeStatus(status);
}

function judgeStatus(status: number): Judgement {
  if (status === 429) return { kind: 'rate-limit', retryable: true };
  if (status === 408 || status === 504) return { kind: 'timeout', retryable: true };
  if (status === 401 || status === 402 || status === 403) return { kind: 'auth', retryable: false };
  if (status === 413) return { kind: 'context-overflow', retryable: false };
  if (status === 501) return { kind: 'other', retryable: false };
  // Also a plain 500: it is the provider's trouble, and over when the provider has recovered.
  if (status >= 500) return { kind: 'overloaded', retryable: true };
  return { kind: 'bad-request', retryable: false };
}

const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/;
const neverSent = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|ENETUNREACH|EHOSTUNREACH/;

function networkFailure(code: string, message: string): ModelFailure {
  const kind = /TIMEOUT|TIMEDOUT/.test(code) ? 'timeout' : 'network';
  const untrusted = certificate.test(code);
  // A port that every HTTP client keeps away from, as the Fetch standard says: nothing was sent, and nothing ever is.
  const isBlocked = message === 'bad port';
  const words = isBlocked ? 'The port of its address is one of those that HTTP clients never call' : message;
  return failure(kind, `${words}${code && ` (${code})`}`, {
    retryable: !untrusted && !isBlocked,
    usage: untrusted || isBlocked || neverSent.test(code) ? null : unknownUsage,
  });
}

/** Repeating does not help if the user's own server is not running. */
function nobodyThere(url: string): ModelFailure {
  const message = `Nothing answers at ${new URL(url).origin} (ECONNREFUSED). Is the server running?`;
  return failure('network', message, { retryable: false, usage: null });
}

const networkCodes =
  /^(E(?!RR_)[A-Z]+$|EAI_|UND_ERR_(SOCKET|CLOSED|DESTROYED|CONNECT|HEADERS_TIMEOUT|BODY_TIMEOUT|RES_))/;

/** The code of the system's or undici's error, which may lie a few causes deep. */
function networkCode(error: unknown): string | undefined {
  const codes = causesOf(error).map((each) => ('code' in each ? String(each.code) : ''));
  return codes.find((code) => networkCodes.test(code) || certificate.test(code));
}

function causesOf(error: unknown, depth = 0): readonly Error[] {
  return error instanceof Error && depth <= 8 ? [error, ...causesOf(error.cause, depth + 1)] : [];
}

/** Longer than a message may be: it is cut after secrets are taken out, so that no half of one stays at the end. */
const longestExcerpt = 4000;
const longestBody = 50_000;

/** The words of a body that is no error object of the wire: a gateway's HTML page, mostly. */
function excerptOf(body: string | undefined): string {
  const words = (body ?? '')
    .slice(0, longestBody)
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ');
  return words.trim().slice(0, longestExcerpt);
}

/** Header names are lower case. `retry-after-ms` is OpenAI's, `retry-after` is seconds or a date (RFC 9110). */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exactMs = numberIn(headers['retry-after-ms']);
  if (exactMs !== undefined) return later(exactMs);
  const value = headers['retry-after']?.trim();
  const seconds = numberIn(value);
  if (seconds !== undefined) return later(seconds * 1000);
  // Date.parse alone reads `-5` as a date, too.
  const dateMs = value?.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? resetMs(headers, nowMs) : later(dateMs - nowMs);
}

/** A wait of nothing is none: five tries in a tenth of a second help nobody, so the usual waits hold. */
function later(waitMs: number): number | undefined {
  return waitMs > 0 ? Math.ceil(waitMs) : undefined;
}

/** Google writes it into the body of the error. */
export function retryDelayMs(body: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return seconds === undefined ? undefined : later(Number(seconds) * 1000);
}

/** When what has run out is given back. */
function resetMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const { requests, tokens } = paceOf(headers, nowMs) ?? {};
  const resets = [requests, tokens].flatMap((each) => (each?.remaining === 0 ? (each.resetMs ?? []) : []));
  return resets.length > 0 ? Math.max(...resets) : undefined;
}
