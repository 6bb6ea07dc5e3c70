/** Which way calls to providers and sites would go, and which certificates are trusted. It calls nothing. */
import { UserError } from '../core/errors.ts';
import { type Network, networkOf } from '../io/network.ts';
import { proxyAddress } from '../io/proxy-rules.ts';
import { describeProviders } from '../models/describe.ts';
import type { Shell } from './contract.ts';

export type NetworkRoute = { readonly name: string; readonly url: string; readonly way: string };

export type NetworkReport = {
  readonly ways: readonly NetworkRoute[];
  /** The files of certificates beside those of Node, by variable. */
  readonly certificates: Readonly<Record<string, string>>;
  /** Why a variable cannot be used; null where all can. */
  readonly problem: string | null;
};

/** Of each provider that could be asked, and each site of an app. */
export function reportNetwork({ env, apps }: Pick<Shell, 'env' | 'apps'>): NetworkReport {
  const names = ['POLYA_CA', 'NODE_EXTRA_CA_CERTS'];
  const certificates = Object.fromEntries(
    names.flatMap((name) => {
      const file = env[name]?.trim();
      return file ? [[name, file]] : [];
    }),
  );
  try {
    const network = networkOf(env);
    const paths = targets({ env, apps }).map((target) => ({
      ...target,
      way: describeRoute(network, target.url),
    }));
    return { ways: paths, certificates, problem: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ways: [], certificates, problem: error.message };
  }
}

function targets({ env, apps }: Pick<Shell, 'env' | 'apps'>): readonly Omit<NetworkRoute, 'way'>[] {
  const providers = describeProviders(env).flatMap(({ name, baseUrl, isReady, isConfigured }) =>
    isReady && isConfigured && baseUrl ? { name, url: baseUrl } : [],
  );
  const sites = apps.flatMap(({ sites: urls = [] }) =>
    urls.map((url) => ({ name: new URL(url).hostname, url })),
  );
  return [...providers, ...sites];
}

function describeRoute(network: Network, url: string): string {
  const route = network.route(url);
  if (route.kind === 'proxy')
    return `by the proxy ${proxyAddress(route.proxy)}, because of ${route.variable}`;
  if (route.exempt === 'NO_PROXY') return 'directly, exempt by NO_PROXY';
  return route.exempt === 'loopback' ? 'directly, as every address of this machine' : 'directly';
}
