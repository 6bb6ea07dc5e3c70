/**
 * A fetch that waits as long as a thinking model needs: Node's own gives up after 300 s without a header or a byte.
 * Knows no provider. A peer that died without a word is noticed by TCP keep-alive, which undici switches on. It follows
 * no redirection: keys in headers of a provider's own, and prompts, would go wherever an answer says.
 */
import { Agent, fetch as undiciFetch } from 'undici';

/** `silenceTimeoutMs` ends a call after so long without a byte (give or take a second); 0 waits forever. */
export function patientFetch(silenceTimeoutMs = 0): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs });
  // undici's own fetch, so that it and its agent are always of one version.
  return (input, init) => undiciFetch(input, { ...init, dispatcher, redirect: 'manual' });
}
