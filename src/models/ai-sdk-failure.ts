/** An error of a provider of the AI SDK as one of our typed failures. Pure. Aborts are the caller's to report. */
import { APICallError, InvalidPromptError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { errorOf } from '../core/errors.ts';
import type { ModelFailure } from '../core/model.ts';
import { plainJson } from '../text/model-json.ts';
import { isErrorObject, readErrorBody } from './error-body.ts';
import { judgeError } from './error-judgement.ts';
import {
  brokenBodyFailure,
  errorChain,
  networkCode,
  networkFailure,
  proxyFailureOf,
} from './network-failure.ts';
import { failure, ReplyTooLong, unknownUsage } from './reply.ts';

/** `nowMs` is for waits that name a moment. */
export function failureOf(error: unknown, nowMs: number): ModelFailure {
  const long = errorChain(error).find((each) => each instanceof ReplyTooLong);
  if (long) return failure('malformed', long.message, { retryable: false, usage: unknownUsage });
  const byProxy = proxyFailureOf(error);
  if (byProxy) return byProxy;
  if (APICallError.isInstance(error)) return apiFailure(error, nowMs);
  // An error that arrives inside a stream that began well.
  if (!(error instanceof Error)) return judgeError({ body: error }, nowMs);
  if (InvalidPromptError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error)) {
    return failure('bad-request', error.message, { retryable: false, usage: null });
  }
  const modelFailure = brokenBodyFailure(error);
  if (modelFailure) return modelFailure;
  const code = networkCode(error);
  if (code !== undefined) return networkFailure(code, errorOf(error).message);
  if (error.name.startsWith('AI_')) {
    const message = `The provider's reply cannot be read: ${errorOf(error).message}`;
    return failure('malformed', message, { retryable: true, usage: unknownUsage });
  }
  return failure('other', errorOf(error).message, { retryable: false, usage: unknownUsage });
}

/** Azure sends a blocked reply with the status of an error. */
const blockedReply = /"finish_reason"\s*:\s*"content_filter"/;

function apiFailure(error: APICallError, nowMs: number): ModelFailure {
  const { statusCode: status, responseHeaders: headers, responseBody = '', url } = error;
  if (status !== undefined && status >= 300) {
    if (blockedReply.test(responseBody)) {
      const message = `HTTP ${status}: the provider's filter blocked the reply.`;
      return failure('refusal', message, { retryable: false, usage: unknownUsage });
    }
    const body = responseBody || error.data;
    const isSilent = readErrorBody(body).message === '';
    return judgeError({ status, headers, body: isSilent ? (error.data ?? error.message) : body }, nowMs);
  }
  const code = networkCode(error);
  if (code !== undefined || status === undefined)
    return networkFailure(code ?? '', errorOf(error.cause ?? error).message, url);
  const parsed = plainJson(responseBody);
  if (isErrorObject(parsed))
    return judgeError({ headers, body: parsed, preface: 'The reply is an error: ' }, nowMs);
  const excerpt = readErrorBody(responseBody).message;
  const message = `The provider's reply cannot be read (${error.message})${excerpt && `: ${excerpt}`}`;
  return failure('malformed', message, { retryable: true, usage: unknownUsage });
}
