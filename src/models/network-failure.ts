/** Failures of the way to a provider, by the code of the system's or undici's error. Pure. */
import type { ModelFailure } from '../core/model.ts';
import { ProxyFailure } from '../io/network.ts';
import { isLoopback } from './provider.ts';
import { failure, unknownUsage } from './reply.ts';

const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/;
const neverSent = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|ENETUNREACH|EHOSTUNREACH/;
const networkCodes =
  /^(E(?!RR_)[A-Z]+$|EAI_|UND_ERR_(SOCKET|CLOSED|DESTROYED|CONNECT|HEADERS_TIMEOUT|BODY_TIMEOUT|RES_))/;

export const certificateAdvice =
  'If it is signed by an authority of your own, name its file in POLYA_CA or NODE_EXTRA_CA_CERTS.';

const plainAdvice = 'The server seems to speak no TLS: write its address with http://, where that is meant.';

/** `message` is that of the innermost error. */
export function networkFailure(code: string, message: string, url?: string): ModelFailure {
  if (code === 'ECONNREFUSED' && url !== undefined && isLoopback(url)) return notRunning(url);
  const kind = /TIMEOUT|TIMEDOUT/.test(code) ? 'timeout' : 'network';
  const untrusted = certificate.test(code);
  // A port that every HTTP client keeps away from, as the Fetch standard says: nothing was sent, and nothing ever is.
  const isBlocked = message === 'bad port';
  const isPlain = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code);
  const words = isBlocked ? 'The port of its address is one of those that HTTP clients never call' : message;
  const advice = isPlain ? `. ${plainAdvice}` : untrusted ? `. ${certificateAdvice}` : '';
  return failure(kind, `${words}${code && ` (${code})`}${advice}`, {
    retryable: !untrusted && !isBlocked,
    usage: untrusted || isBlocked || neverSent.test(code) ? null : unknownUsage,
  });
}

/** Undefined where no proxy failed. Nothing was sent to the provider then. */
export function proxyFailureOf(error: unknown): ModelFailure | undefined {
  const failed = errorChain(error).find((each) => each instanceof ProxyFailure);
  return failed && failure('network', failed.message, { retryable: failed.retryable, usage: null });
}

/** Repeating does not help if the user's own server is not running. */
function notRunning(url: string): ModelFailure {
  const message = `Nothing answers at ${new URL(url).origin} (ECONNREFUSED). Is the server running?`;
  return failure('network', message, { retryable: false, usage: null });
}

/** A body that breaks off, for whatever reason: fetch has one word for all, and its cause says which. */
export function brokenBodyFailure(error: Error): ModelFailure | undefined {
  if (error.message !== 'terminated') return undefined;
  const words = errorChain(error).at(-1)?.message ?? '';
  const reason = words === 'terminated' ? '' : `: ${words}`;
  return networkFailure(
    networkCode(error) ?? '',
    `The connection broke off in the middle of the reply${reason}`,
  );
}

/** The code of the system's or undici's error, which may lie a few causes deep. */
export function networkCode(error: unknown): string | undefined {
  const codes = errorChain(error).map((each) => ('code' in each ? String(each.code) : ''));
  return codes.find((code) => networkCodes.test(code) || certificate.test(code));
}

export function errorChain(error: unknown, depth = 0): readonly Error[] {
  return error instanceof Error && depth <= 8 ? [error, ...errorChain(error.cause, depth + 1)] : [];
}
