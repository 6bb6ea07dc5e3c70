/** Ollama: it is asked for a model before the first call, so that a missing one is told in time, and whether it sees. */
import { z } from 'zod';
import { UnavailableError, UserError } from '../../core/errors.ts';
import { type Network, networkOf, ProxyFailure } from '../../io/network.ts';
import type { Connection } from '../provider.ts';
import { budgetAsEffort, limitEfforts, range } from '../settings-rules.ts';
import { localProvider } from './local.ts';

const taken = ['none', 'low', 'medium', 'high', 'max'] as const;

export const ollama = localProvider({
  name: 'ollama',
  aliases: ['ollama_chat'],
  title: 'Ollama',
  keys: ['OLLAMA_API_KEY'],
  baseUrlVariable: 'OLLAMA_HOST',
  readBaseUrl,
  local: { port: 11434, route: '/api/version', sign: 'version' },
  rules: [
    range('temperature', 0, 2),
    range('topP', 0, 1),
    range('maxOutputTokens', 1, Number.MAX_SAFE_INTEGER),
    budgetAsEffort(taken),
    limitEfforts(taken),
  ],
  look: inspectServer,
});

/** Ollama's own variable holds a host, and perhaps a port and a scheme; 0.0.0.0 is what its server listens on. */
function readBaseUrl(text: string): string {
  const whole = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) return text;
  const url = new URL(whole);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (!url.port && url.protocol === 'http:') url.port = '11434';
  return `${url.href.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}

/** Where nobody listens, the system says so at once; a machine that runs models may be too busy to answer soon. */
const patienceMs = 30_000;

const shown = z.object({ capabilities: z.array(z.string()).optional() });
const listed = z.object({ models: z.array(z.object({ name: z.string() })) });

async function inspectServer(connection: Connection & { readonly baseUrl: string }) {
  const { baseUrl, name, apiKey, network = networkOf(process.env) } = connection;
  const root = baseUrl.replace(/\/v1$/, '');
  const headers = { authorization: `Bearer ${apiKey}` };
  const signal = AbortSignal.timeout(patienceMs);
  const body = JSON.stringify({ model: name });
  const response = await network
    .fetch(`${root}/api/show`, { method: 'POST', body, headers, signal })
    .catch((error) => {
      throw unreachableError(root, error);
    });
  if (response.status === 404) await requireModel(network, root, name);
  const { capabilities } = shown.safeParse(await response.json().catch(() => ({}))).data ?? {};
  // An older Ollama does not say; then the server itself refuses what it cannot do.
  return { images: capabilities?.includes('vision') ?? true };
}

/** A gateway may pass /v1 alone: only a list without the model says that it is missing. */
async function requireModel(network: Network, root: string, name: string): Promise<void> {
  const response = await network
    .fetch(`${root}/api/tags`, { signal: AbortSignal.timeout(patienceMs) })
    .catch(() => null);
  const { models } = listed.safeParse(await response?.json().catch(() => null)).data ?? {};
  if (!models || models.some((model) => [name, `${name}:latest`].includes(model.name))) return;
  throw new UserError({
    code: 'no-such-model',
    what: `Ollama has no model ${name}.`,
    why: models.length > 0 ? `It has ${models.map((model) => model.name).join(', ')}.` : 'It has none yet.',
    fix: `Fetch it with \`ollama pull ${name}\`.`,
  });
}

function unreachableError(root: string, error: unknown): UnavailableError {
  if (error instanceof ProxyFailure) {
    return new UnavailableError({
      code: 'proxy-failed',
      what: `Ollama at ${root} was not asked.`,
      why: error.message,
      fix: 'Put the proxy right, or exempt the address with NO_PROXY.',
    });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return new UnavailableError({
    code: 'server-not-found',
    what: `No Ollama answers at ${root}.`,
    why: `${cause}.`,
    fix: 'Start it with `ollama serve`, or name another place with OLLAMA_HOST.',
  });
}
