/** `--notify`: a real command and a real server are told of ends, budgets and failures. And `.env` is read, not kept. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { say as reply, startChatServer } from '../models/chat-server.ts';
import { day1, newPlace, type Place, polya, solvingScript } from './shell.ts';

async function listener(status = 204) {
  const heard: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    heard.push(JSON.parse(text));
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/hook?token=s3cret`, heard, [Symbol.asyncDispose]: close };
}

const run = (place: Place, more: readonly string[]) =>
  polya(place, [...day1, '--model', solvingScript(place), ...more]);

describe('somebody is told', () => {
  test('by a command, of a run that has ended', async () => {
    const place = newPlace();
    const command = 'cat > news.json; echo "$POLYA_EVENT $POLYA_OUTCOME" > event.txt';
    const { code, err } = await run(place, ['--notify', command]);
    expect(code, err).toBe(0);
    const news = JSON.parse(readFileSync(join(place.folder, 'news.json'), 'utf8'));
    expect(news).toMatchObject({ event: 'end', what: 'run', outcome: 'solved' });
    expect(news.text).toContain(`Run ${news.id}: solved`);
    expect(readFileSync(join(place.folder, 'event.txt'), 'utf8')).toBe('end solved\n');
  });

  test('by a command that gets its user’s environment, and neither our keys nor what `.env` says', async () => {
    const { folder, env } = newPlace();
    writeFileSync(join(folder, '.env'), 'POLYA_CONTACT=me@example.org\nOPENAI_API_KEY=of-the-file-1\n');
    const own = { CHAT_TOKEN: 'of-the-user', ANTHROPIC_API_KEY: 'of-the-shell-1', AOC_SESSION: 'cookie-1' };
    const place = { folder, env: { ...env, ...own } };
    const { code, err } = await run(place, ['--notify', 'env > env.txt']);
    expect(code, err).toBe(0);
    const seen = readFileSync(join(folder, 'env.txt'), 'utf8');
    expect(seen).toMatch(/^CHAT_TOKEN=of-the-user$/m);
    expect(seen).toMatch(/^POLYA_EVENT=end$/m);
    expect(seen).not.toMatch(/example\.org|OPENAI_API_KEY|ANTHROPIC_API_KEY|AOC_SESSION/);
  });

  test('by a command that gets no secret but those of messengers, and those that it names', async () => {
    const { folder, env } = newPlace();
    const kept = {
      ...{
        AOC_SESSION: 'a',
        ATCODER_SESSION: 'b',
        REVEL_SESSION: 'c',
        GEMINI_API_KEY: 'd',
        MISTRAL_API_KEY: 'e',
      },
      ...{
        GITHUB_TOKEN: 'f',
        AWS_SECRET_ACCESS_KEY: 'g',
        PGPASSWORD: 'h',
        SOME_COOKIE: 'i',
        CLIENT_SECRET: 'j',
      },
    };
    const given = {
      ...{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run', SLACK_TOKEN: 'k', SMTP_PASSWORD: 'l', MY_TOKEN: 'm' },
    };
    const place = { folder, env: { ...env, ...kept, ...given } };
    // Keys to models and sites are not its business, even where it names them.
    const command = 'env > env.txt; : "$MY_TOKEN" "$ATCODER_SESSION" "$GEMINI_API_KEY"';
    const { code, err } = await run(place, ['--notify', command]);
    expect(code, err).toBe(0);
    const seen = readFileSync(join(folder, 'env.txt'), 'utf8')
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(Object.keys(kept).filter((name) => seen.includes(name))).toEqual([]);
    expect(Object.keys(given).filter((name) => !seen.includes(name))).toEqual([]);
  });

  test('at a URL, of a budget that is used up, and of a set', async () => {
    await using server = await listener();
    const place = newPlace();
    const told = ['--notify', server.url];
    expect((await run(place, ['--max-tokens', '3000', ...told])).code).toBe(1);
    expect(server.heard[0]).toMatchObject({ event: 'budget', outcome: 'limit' });
    const defaults = {
      ...{ family: 'aoc', agent: 'tool-loop', models: solvingScript(place), limits: { toolCalls: 20 } },
      problem: { site: 'practice', year: 2000, day: 1, lang: 'python', user: '{{run}}' },
    };
    writeFileSync(join(place.folder, 'set.yaml'), JSON.stringify({ name: 'one row', defaults }));
    const { code, err } = await polya(place, ['run-set', 'run', 'set.yaml', ...told]);
    expect(code, err).toBe(0);
    expect(server.heard[1]).toMatchObject({ event: 'end', what: 'run-set', outcome: 'done' });
    expect(server.heard[1]?.text).toMatch(/one row: 1 solved/);
  });

  test('of a failure, also where a run cannot go on', async () => {
    await using server = await listener();
    const place = newPlace();
    const script = join(place.folder, 'short.json');
    writeFileSync(script, JSON.stringify({ roles: { solver: ['hm'] } }));
    const model = `scripted:${script}`;
    const { code } = await polya(place, [...day1, '--model', model, '--notify', server.url]);
    expect(code).not.toBe(0);
    expect(server.heard[0]).toMatchObject({ event: 'failure', outcome: 'error' });
    expect((await run(place, ['--notify', server.url])).code).toBe(0);
    await polya(place, ['runs', 'resume', 'last', '--notify', server.url]);
    expect(server.heard.at(-1)).toMatchObject({
      event: 'failure',
      id: null,
      text: expect.stringMatching(/has ended/),
    });
  });

  test.each([
    ['exit 3', /could not be delivered: the command ended with exit code 3/],
    ['http://127.0.0.1:9/x', /could not be delivered: fetch failed: (bad port|.*ECONNREFUSED)/],
  ])('or its user is: %s', async (target, message) => {
    const { code, err } = await run(newPlace(), ['--notify', target]);
    expect(code).toBe(0);
    expect(err).toMatch(message);
  });

  test('or its user is, without the address, which may hold a secret', async () => {
    await using server = await listener(500);
    const { code, err } = await run(newPlace(), ['--notify', server.url]);
    expect(code).toBe(0);
    expect(err).toMatch(/answered with HTTP 500/);
    expect(err).not.toContain('s3cret');
  });
});

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
