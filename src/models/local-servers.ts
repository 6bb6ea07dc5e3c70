/**
 * Servers of models that run on this machine: each is looked for where it usually is, or where its variable says, by the
 * route that only it knows. Where nobody listens, the system says so at once; who takes a connection gets time to answer,
 * because a machine that runs models is a busy one.
 */
import { z } from 'zod';
import { baseUrlIn, type Environment, type Provider } from './provider.ts';
import { providers } from './providers/index.ts';

export type LocalServer = {
  readonly provider: string;
  readonly url: string;
  readonly models: readonly string[];
};

const patienceMs = 10_000;

export async function findLocalServers(env: Environment): Promise<readonly LocalServer[]> {
  const found = await Promise.all(providers.map((provider) => look(provider, env)));
  return found.filter((server) => server !== null);
}

async function look(provider: Provider, env: Environment): Promise<LocalServer | null> {
  const { local, name } = provider;
  const baseUrl = local && (baseUrlIn(provider, env) ?? provider.baseUrl);
  if (!baseUrl) return null;
  const root = baseUrl.replace(/\/v1$/, '');
  const told = z.record(z.string(), z.unknown()).safeParse(await get(`${root}${local.route}`));
  if (!told.success || !Object.hasOwn(told.data, local.sign)) return null;
  const listed = modelsSchema.safeParse(await get(`${baseUrl}/models`));
  return { provider: name, url: baseUrl, models: listed.data?.data.map(({ id }) => id) ?? [] };
}

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

async function get(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
