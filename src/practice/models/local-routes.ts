/**
 * The routes by which local servers are known: Ollama's list of models, LM Studio's, llama.cpp's properties, vLLM's
 * version, and the list that all OpenAI-compatible servers have. One server answers for all of them here.
 */
import { type Body, createdAtSeconds } from './wire.ts';

export type LocalModel = { readonly name: string; readonly sees?: boolean };

/** JSON; null or undefined where the server knows nothing of it. */
export function localReply(method: string, path: string, models: readonly LocalModel[], body: Body): unknown {
  const route = `${method} ${path}`;
  return Object.hasOwn(routes, route) ? routes[route]?.(models, body) : undefined;
}

const details = { family: 'llama', parameter_size: '8B' };

const routes: Readonly<Record<string, (models: readonly LocalModel[], body: Body) => unknown>> = {
  'GET /api/version': () => ({ version: '0.30.0' }),
  'GET /api/tags': (models) => ({
    models: models.map(({ name }) => ({
      name,
      model: name,
      modified_at: '2031-01-01T00:00:00Z',
      size: 4_700_000_000,
      details: { ...details, quantization_level: 'Q4_K_M' },
    })),
  }),
  'POST /api/show': (models, { model }) => {
    const found = models.find(({ name }) => name === model || name === `${model}:latest`);
    return found && { details, capabilities: ['completion', 'tools', ...(found.sees ? ['vision'] : [])] };
  },
  'GET /api/v0/models': (models) => ({
    object: 'list',
    data: models.map(({ name, sees }) => ({
      id: name,
      object: 'model',
      type: sees ? 'vlm' : 'llm',
      state: 'loaded',
    })),
  }),
  'GET /props': ([first]) => ({
    model_path: first?.name ?? '',
    modalities: { vision: first?.sees ?? false, audio: false },
  }),
  'GET /version': () => ({ version: '0.20.0' }),
  'GET /v1/models': (models) => ({
    object: 'list',
    data: models.map(({ name }) => ({
      id: name,
      object: 'model',
      created: createdAtSeconds,
      owned_by: 'polya',
    })),
  }),
};
