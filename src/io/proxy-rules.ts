/** Which way a call to an address goes, by the variables that other programs read, too. Pure: it connects to nothing. */
import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { UserError } from '../core/errors.ts';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** `exempt` says why a proxy that is set is not used. */
export type Route =
  | { readonly kind: 'direct'; readonly exempt: 'loopback' | 'NO_PROXY' | null }
  | { readonly kind: 'proxy'; readonly proxy: URL; readonly variable: string };

/** Lower case goes first, as in curl; an empty variable counts as none. */
const proxyVariables: Readonly<Record<string, readonly string[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
};

export const networkVariables: readonly string[] = [
  ...new Set(Object.values(proxyVariables).flat()),
  'no_proxy',
  'NO_PROXY',
  'REQUEST_METHOD',
  'POLYA_CA',
];

/** Throws `UserError` for a proxy that cannot be used. */
export function routeTo(address: string, env: ProxyEnvironment): Route {
  const url = new URL(address);
  // Within CGI, whoever calls may set HTTP_PROXY by a header.
  const isTrusted = (name: string) => name !== 'HTTP_PROXY' || !env.REQUEST_METHOD;
  const names = proxyVariables[url.protocol] ?? [];
  const variable = names.find((name) => isTrusted(name) && env[name]?.trim());
  if (variable === undefined) return { kind: 'direct', exempt: null };
  const host = normalizeHost(url.hostname);
  if (isLoopbackHost(host)) return { kind: 'direct', exempt: 'loopback' };
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const exempt = env.no_proxy?.trim() || env.NO_PROXY?.trim() || '';
  if (exempt.split(/[,\s]+/).some((entry) => entry !== '' && entryMatchesHost(entry, host, port))) {
    return { kind: 'direct', exempt: 'NO_PROXY' };
  }
  return { kind: 'proxy', proxy: proxyIn(variable, env[variable]?.trim() ?? ''), variable };
}

/** Its address, without user and password. */
export function proxyAddress({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

function normalizeHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(.)\.$/, '$1');
}

const local = new BlockList();
local.addSubnet('127.0.0.0', 8, 'ipv4');
local.addAddress('0.0.0.0', 'ipv4');
local.addAddress('::1', 'ipv6');
local.addAddress('::', 'ipv6');

function isLoopbackHost(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || contains(local, host);
}

/** An address of IPv4 within IPv6 counts as what it is. */
function contains(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

function entryMatchesHost(entry: string, host: string, port: number): boolean {
  const network = /^\[?([\da-f:.]+)\]?\/(\d{1,3})$/i.exec(entry);
  if (network) return isWithin(host, network[1] ?? '', Number(network[2]));
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  const plain = isIP(entry) === 6 ? null : /^(.+):(\d+)$/.exec(entry);
  const [, name = entry, onPort] = bracketed ?? plain ?? [];
  if (onPort !== undefined && Number(onPort) !== port) return false;
  if (name === '*') return true;
  if (isIP(name)) return isWithin(host, name, isIP(name) === 6 ? 128 : 32);
  const domain = domainToASCII(normalizeHost(name.replace(/^\*?\./, ''))) || name;
  // `*.example.org` names what is below it, the other forms that domain, too.
  return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*.'));
}

function isWithin(host: string, address: string, bits: number): boolean {
  const family = isIP(address);
  if (family === 0 || bits > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  return contains(list, host);
}

const schemes = ['http:', 'https:'];

function proxyIn(variable: string, text: string): URL {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url?.hostname && schemes.includes(url.protocol) && hasDecodableCredentials(url)) return url;
  const isSocks = url !== null && /^socks/.test(url.protocol);
  throw new UserError({
    code: 'proxy-invalid',
    what: `The variable ${variable} names no usable proxy.`,
    why: isSocks ? 'Proxies of SOCKS are not supported.' : 'Its value is not shown: it may hold a password.',
    fix: 'Write it as http://HOST:PORT or https://HOST:PORT; before HOST may stand USER:PASSWORD@, with %40 for an @ and %25 for a %.',
  });
}

function hasDecodableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
