/** A server of models that answers from a script, or repeats what it is told, and the variables that lead every provider to it. */
import { resolveModel } from '../../../src/models/catalogue.ts';
import { echoModel } from './echo.ts';
import { startModelServer } from './server.ts';

/** `script`: a file as `scripted:FILE` has it; missing: an echo. */
export async function serveModels({
  script,
  role,
}: {
  readonly script?: string;
  readonly role?: string;
} = {}) {
  const model = script
    ? await resolveModel(`scripted:${script}`, { env: {}, folder: '.', priceOf: () => null })
    : echoModel;
  const { url, close } = await startModelServer({ model, models: [{ name: 'mock', sees: true }], role });
  const env = {
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_BASE_URL: `${url}/v1`,
    GEMINI_BASE_URL: `${url}/v1beta`,
    OLLAMA_HOST: url,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  };
  return { url, env, close };
}
