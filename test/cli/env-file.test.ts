/** `.env` in the working folder is read, and not kept. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { say as reply, startChatServer } from '../models/chat-server.ts';
import { newPlace, polya } from './shell.ts';

describe('.env in the working folder', () => {
  test('gives a key with its address, which no other key goes to, and is in no journal', async () => {
    await using server = await startChatServer((exchange) => reply(exchange, { content: '42' }));
    const { folder, env } = newPlace();
    const text = `OPENAI_COMPATIBLE_BASE_URL="${server.baseUrl}"\nOPENAI_COMPATIBLE_API_KEY=key-of-the-file-123\nPOLYA_CONTACT=file@example.org\n`;
    writeFileSync(join(folder, '.env'), text);
    const place = { folder, env: { ...env, POLYA_CONTACT: 'real@example.org' } };
    const asked = await polya(place, ['ask', 'What?', '--model', 'openai-compatible/x']);
    expect(asked, asked.err).toMatchObject({ code: 0, out: '42\n' });
    expect(server.exchanges[0]?.headers.authorization).toBe('Bearer key-of-the-file-123');
    const kept = readdirSync(join(folder, '.polya')).map((name) => join(folder, '.polya', name));
    for (const file of kept.filter((name) => !name.endsWith('practice')))
      expect(readFileSync(file).includes('key-of-the-file-123'), file).toBe(false);
    const own = { folder, env: { ...env, OPENAI_COMPATIBLE_API_KEY: 'key-of-the-shell-1' } };
    const mixed = await polya(own, ['ask', 'What?', '--model', 'openai-compatible/x']);
    expect(mixed).toMatchObject({ code: 2, err: expect.stringContaining('OPENAI_COMPATIBLE_BASE_URL') });
    expect(server.exchanges).toHaveLength(1);
  });

  test('may be a folder, which is left alone; one that may not be read is told', async () => {
    const place = newPlace();
    mkdirSync(join(place.folder, '.env'));
    expect(await polya(place, ['runs', 'list'])).toMatchObject({ code: 0 });
    const other = newPlace();
    writeFileSync(join(other.folder, '.env'), 'A=1\n');
    chmodSync(join(other.folder, '.env'), 0);
    const { code, err } = await polya(other, ['runs', 'list']);
    // root may read everything.
    if (process.getuid?.() === 0) expect(code).toBe(0);
    else expect(err).toMatch(/\.env cannot be read/);
  });
});
