import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UserError } from '../core/errors.ts';
import { textOf } from '../core/model.ts';
import { type ModelConfig, modelForms, resolveModel } from './catalogue.ts';
import { readSilenceTimeout } from './provider.ts';
import { openaiCompatible } from './providers/hosted.ts';

const env = {
  OPENAI_COMPATIBLE_API_KEY: ' sk-secret ',
  OPENAI_COMPATIBLE_BASE_URL: 'https://models.example/v1',
};
const config: ModelConfig = { env, priceOf: () => null };
const call = { role: 'solver', branch: '', index: 0, attempt: 0, signal: new AbortController().signal };

let folder = '';
beforeAll(async () => {
  folder = temporaryFolder('catalogue');
  await writeFile(join(folder, 'hello.yaml'), 'roles: {solver: [hello]}');
});

async function mistake(id: string, some: Partial<ModelConfig> = {}): Promise<string> {
  const error = await resolveModel(id, { ...config, ...some }).catch((error: unknown) => error);
  if (!(error instanceof UserError)) throw new Error(`No UserError, but ${String(error)}`);
  expect(error.message).not.toContain('sk-secret');
  return error.message;
}

describe('resolveModel', () => {
  it('makes a script from a file, by a path relative to the folder', async () => {
    const model = await resolveModel('scripted:hello.yaml', { ...config, folder });
    const reply = await model.generate({ messages: [] }, call);
    expect(reply.ok && textOf(reply.message)).toBe('hello');
    expect(model).toMatchObject({ id: 'scripted:hello.yaml', kind: 'script' });
  });

  it('finds a script by its name', async () => {
    const model = await resolveModel('scripted/echo', { ...config, scripts: { echo: ({ role }) => role } });
    const reply = await model.generate({ messages: [] }, call);
    expect(reply.ok && textOf(reply.message)).toBe('solver');
  });

  it('makes a live model with its price, or without', async () => {
    const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 2 };
    const id = 'openai-compatible/vendor/model:free';
    const model = await resolveModel(id, { env, priceOf: (each) => (each === id ? price : null) });
    expect(model).toMatchObject({ id, kind: 'live', price });
    expect((await resolveModel('openai-compatible/other', config)).price).toBeNull();
  });

  it('lists what there is', async () => {
    expect(await mistake('gpt-9')).toContain(modelForms.join(', '));
    expect(await mistake('openai-compatible/')).toContain('Nothing follows "openai-compatible/".');
    expect(await mistake('scripted/x', { scripts: { echo: () => '' } })).toContain('There are: echo.');
    expect(await mistake('scripted/toString')).toContain('No scripts by name');
  });

  it('names the variable that is missing or wrong', async () => {
    const id = 'openai-compatible/a';
    expect(await mistake(id, { env: { ...env, OPENAI_COMPATIBLE_API_KEY: ' ' } })).toContain(
      'OPENAI_COMPATIBLE_API_KEY',
    );
    expect(await mistake(id, { env: { OPENAI_COMPATIBLE_API_KEY: 'k' } })).toContain(
      'OPENAI_COMPATIBLE_BASE_URL',
    );
    const withPassword = await mistake(id, {
      env: { ...env, OPENAI_COMPATIBLE_BASE_URL: 'https://me:hunter2@host/v1' },
    });
    expect(withPassword).toContain('no usable address');
    expect(withPassword).not.toContain('hunter2');
    expect(await mistake(id, { env: { ...env, OPENAI_COMPATIBLE_BASE_URL: 'localhost:80/v1' } })).toContain(
      'http://',
    );
  });

  it.each(['sk-secret\nX-Evil: 1', 'sk-secret\u0007', 'sk-secret…', 'sk-\u200bsecret'])(
    'refuses a key that no header can hold before anything starts, and does not print it: %j',
    async (key) => {
      const text = await mistake('openai-compatible/a', { env: { ...env, OPENAI_COMPATIBLE_API_KEY: key } });
      expect(text).toContain('OPENAI_COMPATIBLE_API_KEY is no usable key');
      expect(text).not.toMatch(/secret|Evil/);
    },
  );

  it('gives up a silent server, after two hours or as the environment says', async () => {
    const said = (OPENAI_COMPATIBLE_SILENCE_SECONDS: string) => ({
      env: { ...env, OPENAI_COMPATIBLE_SILENCE_SECONDS },
    });
    expect(readSilenceTimeout(openaiCompatible, env)).toBe(7_200_000);
    expect(readSilenceTimeout(openaiCompatible, said(' 7200 ').env)).toBe(7_200_000);
    for (const incorrect of ['0', '-5', '1.5', 'soon', '1e9', '99999999999']) {
      expect(await mistake('openai-compatible/a', said(incorrect))).toContain(
        `OPENAI_COMPATIBLE_SILENCE_SECONDS is no usable time: "${incorrect}"`,
      );
    }
  });

  it('does not wait for ever for a server that takes a call and says nothing', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const silent = {
      ...env,
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_COMPATIBLE_SILENCE_SECONDS: '1',
    };
    const model = await resolveModel('openai-compatible/a', { ...config, env: silent });
    const reply = await model.generate({ messages: [{ role: 'user', content: '?' }] }, call);
    expect(reply).toMatchObject({ ok: false, error: { kind: 'timeout', retryable: true } });
    server.close();
  });

  it('says which script cannot be read', async () => {
    expect(await mistake('scripted:nowhere.yaml', { folder })).toContain(join(folder, 'nowhere.yaml'));
  });
});
