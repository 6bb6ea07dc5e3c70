/**
 * The one way to the outside, for models and sites: through the user's proxies, with the user's certificates. A process
 * keeps one pool of connections for each way. It follows no redirection and knows nothing of what is sent.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import type { Agent, Dispatcher, ProxyAgent } from 'undici';
import { UserError } from '../core/errors.ts';
import { networkVariables, type ProxyEnvironment, proxyAddress, type Route, routeTo } from './proxy-rules.ts';

export type SilenceTimeouts = { readonly headersTimeout: number; readonly bodyTimeout: number };

export type Network = {
  /** Which way a call to an address would go. Throws `UserError` for a proxy that cannot be used. */
  route(url: string): Route;
  /** The connections to an address. Throws `UserError`, too. */
  dispatcher(url: string): Promise<Dispatcher>;
  /** As `fetch`; what a proxy refuses is a `ProxyFailure`. Without timeouts, undici's own hold. */
  fetch(url: string | URL, init?: RequestInit, timeouts?: SilenceTimeouts): Promise<Response>;
  /** The user's file of certificates; null without one. */
  readonly caFile: string | null;
};

/** A proxy could not be reached or refused: nothing was sent to where the call was to go. */
export class ProxyFailure extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.name = 'ProxyFailure';
    this.retryable = retryable;
  }
}

const networks = new Map<string, Network>();

/** The same for the same variables. Throws `UserError` for a file of certificates that cannot be used. */
export function networkOf(env: ProxyEnvironment): Network {
  const key = JSON.stringify(networkVariables.map((name) => env[name] ?? ''));
  const known = networks.get(key);
  if (known) return known;
  const network = createNetwork(env);
  networks.set(key, network);
  return network;
}

function createNetwork(env: ProxyEnvironment): Network {
  const caFile = env.POLYA_CA?.trim() || null;
  const ca = readAuthorities(caFile ?? undefined);
  const pools = new Map<string, Dispatcher>();
  const route = (url: string) => routeTo(url, env);
  const dispatcher = async (url: string) => {
    const way = route(url);
    const key = way.kind === 'proxy' ? way.proxy.href : '';
    // Loaded here: it takes longer to load than everything else in this room, and most commands send no request.
    const undici = await import('undici');
    const known = pools.get(key);
    if (known) return known;
    const pool = createPool(undici, way, ca);
    pools.set(key, pool);
    return pool;
  };
  return {
    route,
    dispatcher,
    caFile,
    async fetch(url, init, timeouts) {
      const way = route(String(url));
      const pool = await dispatcher(String(url));
      // Loaded here for the same reason. undici's own fetch, so that it and its pools are of one version.
      const { fetch } = await import('undici');
      const timed: Dispatcher = timeouts
        ? pool.compose((dispatch) => (options, handler) => dispatch({ ...options, ...timeouts }, handler))
        : pool;
      const send: typeof globalThis.fetch = (input, more) => fetch(input, { ...more, dispatcher: timed });
      try {
        return await send(url, { redirect: 'manual', ...init });
      } catch (error) {
        throw proxyFailure(error, way) ?? error;
      }
    },
  };
}

const connectTimeoutMs = 20_000;

function createPool(
  undici: { readonly Agent: typeof Agent; readonly ProxyAgent: typeof ProxyAgent },
  route: Route,
  authoritiesOfUser: readonly string[] | undefined,
): Dispatcher {
  const ca = authoritiesOfUser && [...authoritiesOfUser];
  const connect = { timeout: connectTimeoutMs, ca };
  if (route.kind === 'direct') return new undici.Agent({ connect });
  return new undici.ProxyAgent({
    uri: route.proxy.href,
    connectTimeout: connectTimeoutMs,
    requestTls: { ca },
    proxyTls: { ca },
  });
}

/** Through a proxy, nothing else is connected to. */
const connecting =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX_\w+)$/;

/** Null where the error is not the proxy's. */
export function proxyFailure(error: unknown, route: Route): ProxyFailure | null {
  if (route.kind === 'direct') return null;
  const causes = errorChain(error);
  const messages = causes.map(({ message }) => message).join(' ');
  const rejected = /Proxy response \((\d{3})\)|Proxy Authentication Required \((407)\)/.exec(messages);
  const prefix = `The proxy ${proxyAddress(route.proxy)} (named by ${route.variable})`;
  if (rejected) return proxyRejection(prefix, Number(rejected[1] ?? rejected[2]));
  const codes = causes.map((each) => ('code' in each ? String(each.code) : ''));
  const code = codes.find((each) => connecting.test(each));
  if (code === undefined) return null;
  const isHere = code === 'ECONNREFUSED' && /^(localhost|127\.|\[::1\])/.test(route.proxy.hostname);
  const advice = isHere ? ' Is it running?' : ' Check the variable, or exempt the address with NO_PROXY.';
  return new ProxyFailure(`${prefix} cannot be reached (${code}).${advice}`, !isHere);
}

function proxyRejection(prefix: string, status: number): ProxyFailure {
  const refuses =
    status === 407
      ? 'wants another user name and password (HTTP 407). They stand in its variable: http://USER:PASSWORD@HOST:PORT.'
      : `does not connect the call (HTTP ${status}).`;
  return new ProxyFailure(`${prefix} ${refuses}`, status >= 500 || status === 429);
}

function errorChain(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...inner].flatMap((each) => errorChain(each, depth + 1))];
}

/** Those of Node hold what NODE_EXTRA_CA_CERTS names. Undefined without a file: Node then takes its own. */
function readAuthorities(file: string | undefined): readonly string[] | undefined {
  if (file === undefined) return undefined;
  const text = readCertificates(file);
  const found = text.match(
    /-----BEGIN (TRUSTED )?CERTIFICATE-----[^-]+-----END (TRUSTED )?CERTIFICATE-----/g,
  );
  const unreadable = found?.find((certificate) => !isPemCertificate(certificate));
  if (!found || unreadable) {
    throw invalid(file, found ? 'One of its certificates cannot be read.' : 'It holds no certificate.');
  }
  return [...getCACertificates('default'), ...found];
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(file, error instanceof Error ? `${error.message}.` : undefined);
  }
}

function isPemCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

function invalid(file: string, why: string | undefined): UserError {
  return new UserError({
    code: 'ca-invalid',
    what: `The file that POLYA_CA names cannot be used: ${file}.`,
    why,
    fix: 'Name a file with certificates in PEM form (-----BEGIN CERTIFICATE-----), or unset POLYA_CA.',
  });
}
